// What a stop promises: what runs is finished, newcomers are told, nothing acknowledged is lost, nothing stays behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pictureOf } from '../harness/picture.ts';
import { freePort } from '../harness/ports.ts';
import { descendantsOf } from '../harness/processes.ts';
import { type ServerProcess, startServerProcess, tintype } from '../harness/server-process.ts';
import { errorOf, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

let site: Site;
/** Answers what was asked of /slow. */
let answerSlow = () => {};
beforeAll(async () => {
  site = await startSite({
    '/': colourPage('#336699'),
    '/slow': (_request, response) => {
      answerSlow = () => void response.end(colourPage('#224466'));
    },
  });
});
afterAll(() => site.close());

async function withKey(env: Record<string, string> = {}): Promise<ServerProcess & { key: string }> {
  const server = await startServerProcess(env);
  const beside = { DATA_DIR: server.dataDir };
  await tintype(
    ['account', 'create', 'who@example.test', '--plan', 'business', '--password', 'a long pass phrase'],
    beside,
  );
  const key =
    (await tintype(['key', 'create', 'who@example.test', '--name', 'test'], beside)).trim().split('\n').at(-1) ?? '';
  return { ...server, key };
}

const shot = (server: { url: string; key: string }, path: string, query = '') =>
  fetch(`${server.url}/v1/screenshot?url=${encodeURIComponent(site.url + path)}${query}`, {
    headers: { 'x-api-key': server.key },
  });

const descendants = (pid: number): number[] => descendantsOf(pid).map((each) => each.pid);

const alive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

describe.each([
  ['SIGTERM', 'process'],
  ['SIGINT', 'group'],
] as const)('%s to the %s', (signal, to) => {
  it('finishes running renders, refuses new ones, fails /readyz at once, and exits 0 without leftovers', async () => {
    const server = await withKey();
    try {
      const children = descendants(server.pid);
      expect(children.length).toBeGreaterThan(0);
      const before = site.hits('/slow');
      const running = shot(server, '/slow');
      await expect.poll(() => site.hits('/slow')).toBe(before + 1);
      server.signal(signal, to);
      // A terminal and npm both pass a signal on, so it comes twice: that is the same signal.
      await new Promise((done) => setTimeout(done, 100));
      server.signal(signal, to);
      await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);

      const refused = await shot(server, '/');
      expect([refused.status, refused.headers.get('connection'), (await errorOf(refused)).code]).toEqual([
        503,
        'close',
        'shutting_down',
      ]);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);

      answerSlow();

      const picture = await pictureOf(await running);
      expect(picture.at(600, 600)).toBe('#224466');
      expect(await server.exited).toBe(0);
      await expect.poll(() => children.filter(alive)).toEqual([]);
    } finally {
      await server.clean();
    }
  });
});

it('SIGKILL loses no account, no key and no cached result that was acknowledged, and the browser dies with the server', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tintype-kill-'));
  const first = await withKey({ DATA_DIR: dataDir });
  const children = descendants(first.pid);
  const bytes = Buffer.from(await (await shot(first, '/')).arrayBuffer());
  first.signal('SIGKILL');
  await first.exited;
  const second = await startServerProcess({ DATA_DIR: dataDir });
  try {
    const again = await shot({ url: second.url, key: first.key }, '/');
    expect([again.status, again.headers.get('x-cache')]).toEqual([200, 'HIT']);
    expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true);
    await expect.poll(() => children.filter(alive)).toEqual([]);
  } finally {
    second.signal('SIGTERM');
    expect(await second.exited).toBe(0);
    await Promise.all([first.clean(), second.clean()]);
    await rm(dataDir, { recursive: true, force: true });
  }
});

it('a request that a client sends on its open connection while the server stops gets a 503', async () => {
  const service = await startService();
  const { hostname, port } = new URL(service.url);
  const client = connect(Number(port), hostname);
  let answers = '';
  client.setEncoding('utf8').on('data', (text) => {
    answers += text;
  });
  client.on('error', () => {});
  client.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(() => answers).toContain('200 OK');
  const closed = once(client, 'close');
  const stopped = service.stop();
  setTimeout(() => client.write('GET /v1/usage HTTP/1.1\r\nhost: x\r\n\r\n'), 50);
  await Promise.all([stopped, closed]);
  expect(answers).toContain('503 Service Unavailable');
  expect(answers).toContain('shutting_down');
});

it('a stop does not wait for clients that do not read', async () => {
  const server = await startServerProcess({ SHUTDOWN_SECONDS: '60' });
  const { hostname, port } = new URL(server.url);
  const asked = 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(30);
  const clients = Array.from({ length: 20 }, () => connect(Number(port), hostname).pause());
  try {
    for (const client of clients) client.on('error', () => {}).write(asked);
    // One that reads has its first answer when all of them have been asked for some time.
    await fetch(`${server.url}/openapi.json`).then((response) => response.text());
    const began = performance.now();
    server.signal('SIGTERM');
    expect(await server.exited).toBe(0);
    const ms = performance.now() - began;
    // They were there: the buffers of the system are full.
    expect(ms).toBeGreaterThan(2500);
    expect(ms).toBeLessThan(40_000);
  } finally {
    for (const client of clients) client.destroy();
    await server.clean();
  }
});

it('a server goes on when its log cannot be written', async () => {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'tintype-full-'));
  // Every write to this device fails as on a full disk.
  const full = openSync('/dev/full', 'w');
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: String(port), DATA_DIR: dataDir };
  const server = spawn(join(import.meta.dirname, '../../bin/tintype'), ['serve'], {
    env,
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  let said = '';
  server.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  const statusOf = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  try {
    await expect.poll(() => statusOf('/healthz'), { timeout: 60_000 }).toBe(200);
    for (let i = 0; i < 20; i++) expect(await statusOf('/v1/nothing')).toBe(404);
    expect(said).toContain('The log cannot be written');
    server.kill('SIGTERM');
    expect(await exited).toBe(0);
  } finally {
    server.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
});

it('a second server on the same data folder says so and ends with 1, and leaves its database as it is', async () => {
  const server = await startServerProcess();
  const newest = (db: DatabaseSync) => db.prepare('select name from migrations order by name desc limit 1').get();
  try {
    // As if the second were of a newer version.
    using older = new DatabaseSync(join(server.dataDir, 'tintype.db'), { timeout: 10_000 });
    older.exec("drop table removed_templates; delete from migrations where name like '%removed%'");
    const before = newest(older);
    await expect(startServerProcess({ DATA_DIR: server.dataDir })).rejects.toThrow(
      /ended with 1:[\s\S]*Another Tintype server uses the data folder/,
    );
    expect(newest(older)).toEqual(before);
    server.signal('SIGKILL');
    await server.exited;
    const next = await startServerProcess({ DATA_DIR: server.dataDir });
    next.signal('SIGTERM');
    expect(await next.exited).toBe(0);
  } finally {
    await server.clean();
  }
});

it('a second server on the same port says so and ends with 1', async () => {
  const server = await startServerProcess();
  try {
    await expect(startServerProcess({ PORT: new URL(server.url).port })).rejects.toThrow(
      /ended with 1:[\s\S]*(in use|EADDRINUSE)/,
    );
  } finally {
    server.signal('SIGTERM');
    await server.exited;
    await server.clean();
  }
});
