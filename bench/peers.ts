// The peers, from npm, in a temporary folder that is theirs alone and goes when the benchmark ends. Browsers are not
// downloaded: all of them get the one that Tintype uses.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser } from '../setup/find-browser.js';
import { startBrowserlessIo } from './sides/browserless-io.ts';
import { type CaptureSide, startSide } from './sides.ts';

const run = promisify(execFile);

export type Peers = { sides: CaptureSide[]; notes: string[] };

type Peer = {
  readonly name: string;
  readonly packages: readonly string[];
  readonly start: (folder: string, browser: string) => Promise<CaptureSide>;
};

const driven = (name: string, script: string) => async (folder: string, browser: string) => {
  for (const file of [script, 'answer.js']) await cp(join(import.meta.dirname, 'sides', file), join(folder, file));
  return startSide(name, join(folder, script), { cwd: folder, env: { BENCH_BROWSER: browser } });
};

const all: readonly Peer[] = [
  {
    name: 'microlink browserless 10',
    // 13 wants @browserless/errors of a version that is not on npm; 10 wants a puppeteer that still has isConnected().
    packages: ['browserless@10', 'puppeteer-core@22'],
    start: driven('microlink browserless 10', 'microlink.js'),
  },
  {
    name: 'capture-website 5',
    packages: ['capture-website@5'],
    start: driven('capture-website 5', 'capture-website.js'),
  },
  { name: 'Browserless 2.42', packages: ['@browserless.io/browserless@2.42.0'], start: startBrowserlessIo },
];

/** Those that can be made to run here, and a note about each that cannot. */
export async function startPeers(): Promise<Peers> {
  const place = await findBrowser({ projectDir: join(import.meta.dirname, '..') });
  if (!place) throw new Error('There is no browser on this machine.');
  const peers: Peers = { sides: [], notes: [] };
  for (const { name, packages, start } of all) {
    const folder = await mkdtemp(join(tmpdir(), 'tintype-peer-'));
    const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
    try {
      await install(folder, packages);
      const side = await start(folder, place.path);
      peers.sides.push({
        ...side,
        async close() {
          await side.close();
          await remove();
        },
      });
    } catch (error) {
      const { message, stderr = '' } = error as { message: string; stderr?: string };
      const why = stderr.split('\n').find((line) => /notarget|ERR|error/i.test(line)) ?? message.split('\n')[0];
      peers.notes.push(`${name} does not run here: ${why}`);
      await remove();
    }
  }
  return peers;
}

export async function install(folder: string, packages: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
    env: { ...process.env, PUPPETEER_SKIP_DOWNLOAD: '1', PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' },
  });
}
