// tintype serve and the signals that end it. What a stop does with the work under way is tested in test/faults.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import { sleep } from '../../src/kernel/deadline.ts';
import { createLog } from '../../src/kernel/log.ts';
import { openStore } from '../../src/store/open.ts';
import { type Site, startSite } from '../harness/site.ts';

let dataDir: string;
let site: Site;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tintype-serve-'));
  // A page that never comes: a render that a stop would wait for.
  site = await startSite({ '/': () => {} });
});
afterAll(async () => {
  await site.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('a second signal within two seconds is ignored; a later one stops the server at once', async () => {
  const store = await openStore({ dataDir, log: createLog('silent') });
  const account = await store.accounts.create({ email: 'one@example.test', plan: 'free' });
  const { secret } = await createKey(store, { accountId: account.id, name: 'mine', limit: 2 });
  await store.close();
  const child = spawn(join(import.meta.dirname, '../../bin/tintype'), ['serve'], {
    // vite puts a BASE_URL of its own into the environment of tests.
    env: { ...process.env, BASE_URL: '', PORT: '0', DATA_DIR: dataDir, ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  let code: number | null | undefined;
  const exited = new Promise<void>((resolve) =>
    child.on('exit', (given) => {
      code = given;
      resolve();
    }),
  );
  try {
    const readyUrl = () => /ready at (\S+)/.exec(output)?.[1];
    await expect.poll(readyUrl, { timeout: 50_000 }).toBeDefined();
    const path = `/v1/screenshot?url=${encodeURIComponent(`${site.url}/`)}&timeout=60000`;
    fetch(readyUrl() + path, { headers: { 'x-api-key': secret } }).catch(() => {});
    await expect.poll(() => site.hits('/')).toBeGreaterThan(0);

    child.kill('SIGTERM');
    await sleep(300);
    child.kill('SIGTERM');
    await sleep(2000);
    expect(code).toBeUndefined();
    // Its two seconds begin when it has heard the first signal.
    const stopAgain = () => {
      if (code === undefined) child.kill('SIGTERM');
      return code;
    };
    await expect.poll(stopAgain, { interval: 250 }).toBe(143);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
});
