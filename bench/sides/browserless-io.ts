// Browserless (@browserless.io/browserless), as it runs in its container: a server that is asked over HTTP.
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { sleep } from '../../src/kernel/deadline.ts';
import { freePort } from '../../test/harness/ports.ts';
import type { CaptureSide } from '../sides.ts';
import type { ShotWish } from './answer.js';

const run = promisify(execFile);
const name = 'Browserless';

export async function startBrowserlessIo(folder: string, browser: string): Promise<CaptureSide> {
  const home = join(folder, 'node_modules/@browserless.io/browserless');
  // It looks for playwright-core in a node_modules of its own, and for browsers where playwright would have put them.
  await cp(join(folder, 'node_modules/playwright-core'), join(home, 'node_modules/playwright-core'), {
    recursive: true,
  });
  // It does not start without a browser for each of its routes, and Chrome and Edge would have to be in /usr/bin.
  for (const brand of ['chrome', 'edge']) await rm(join(home, 'build/routes', brand), { recursive: true, force: true });
  const port = await freePort();
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    PLAYWRIGHT_BROWSERS_PATH: join(folder, 'browsers'),
    PORT: String(port),
    HOST: '127.0.0.1',
    TOKEN: 'bench',
    CONCURRENT: '32',
    QUEUED: '64',
    DEBUG: '-*',
    // The pages are on loopback.
    ALLOW_GET: 'true',
  };
  // The same goes for the other three; only Chromium is asked for.
  const where =
    'const p = await import("playwright-core"); for (const b of [p.chromium, p.firefox, p.webkit]) console.log(b.executablePath())';
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', where], { cwd: home, env });
  for (const path of stdout.trim().split('\n')) {
    await mkdir(dirname(path), { recursive: true });
    await symlink(browser, path);
  }

  let said = '';
  const child = spawn(process.execPath, ['build/index.js'], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said = (said + chunk).slice(-2000);
    });
  const exited = new Promise<void>((done) => child.on('exit', () => done()));
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    if (
      await fetch(`${url}/json/version?token=bench`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      break;
    if (tries > 150 || child.exitCode !== null) {
      child.kill('SIGKILL');
      throw new Error(`it did not answer: ${said.trim().split('\n').slice(-2).join(' ')}`);
    }
    await sleep(200);
  }
  return {
    name,
    pid: child.pid ?? 0,
    capture: (wish) => capture(url, wish),
    async close() {
      child.kill('SIGTERM');
      await Promise.race([exited, sleep(5000)]);
      child.kill('SIGKILL');
    },
  };
}

async function capture(url: string, wish: ShotWish): Promise<undefined> {
  const pdf = wish.format === 'pdf';
  const body = {
    url: wish.url,
    gotoOptions: { waitUntil: 'load' },
    ...(pdf
      ? { options: { format: 'A4', printBackground: true } }
      : { viewport: { width: 1280, height: 800 }, options: image(wish) }),
  };
  const answer = await fetch(`${url}/chromium/${pdf ? 'pdf' : 'screenshot'}?token=bench`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${bytes.toString('utf8', 0, 200)}`);
}

const image = ({ format, fullPage = false }: ShotWish) => ({
  type: format === 'jpg' ? 'jpeg' : format,
  ...(format !== 'png' && { quality: 80 }),
  fullPage,
});
