// The peers, from npm, in a temporary folder that is theirs alone and goes when the benchmark ends. Browsers are not
// downloaded: all of them get the one that Tintype uses.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '../setup/find-browser.js';
import { startBrowserlessIo } from './sides/browserless-io.ts';
import type { CaptureSide } from './sides.ts';

const run = promisify(execFile);

/** Browserless, or why it cannot be made to run here. */
export async function startBrowserless(): Promise<CaptureSide | string> {
  const place = await findBrowser({ projectDir: join(import.meta.dirname, '..') });
  if (!place) throw new Error('There is no browser on this machine.');
  const folder = await mkdtemp(join(tmpdir(), 'tintype-peer-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    await install(folder, ['@browserless.io/browserless@2.42.0']);
    const side = await startBrowserlessIo(folder, place.path);
    return { ...side, close: () => side.close().then(remove) };
  } catch (error) {
    const { message, stderr = '' } = error as { message: string; stderr?: string };
    await remove();
    const why = stderr.split('\n').find((line) => /notarget|ERR|error/i.test(line)) ?? message.split('\n')[0];
    return `Browserless does not run here: ${why}`;
  }
}

export async function install(folder: string, packages: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
    env: { ...process.env, PUPPETEER_SKIP_DOWNLOAD: '1', PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' },
  });
}
