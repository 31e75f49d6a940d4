// A cache HIT over HTTP: Tintype against bare node:http that does the same work (hash the key, look it up, send the
// bytes with the same headers) and against one that only sends a constant buffer. `npm run bench:hit`

import { fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startService } from '../test/harness/service.ts';
import { quantile, table } from './measure.ts';

const connections = 64;
const seconds = Number(process.env.BENCH_SECONDS ?? 3);

if (process.argv[2] === 'load') await load();
else await compare();

/** The load generator, a process of its own: it must not share the server's event loop. */
async function load(): Promise<void> {
  process.on('message', async ({ url, headers }: { url: string; headers: Record<string, string> }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const times: number[] = [];
    let failed = 0;
    const until = performance.now() + seconds * 1000;
    const once = () =>
      new Promise<void>((done) => {
        const started = performance.now();
        request(url, { agent, headers }, (response) => {
          if (response.statusCode !== 200 && response.statusCode !== 304) failed++;
          response.resume();
          response.on('end', () => {
            times.push(performance.now() - started);
            done();
          });
        }).end();
      });
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() < until) await once();
      }),
    );
    agent.destroy();
    process.send?.({ rate: times.length / seconds, p99: quantile(times, 0.99), failed });
  });
}

type Load = { rate: number; p99: number; failed: number };

async function compare(): Promise<void> {
  const generator = fork(import.meta.filename, ['load']);
  const measure = (url: string, headers: Record<string, string> = {}) =>
    new Promise<Load>((done) => {
      generator.once('message', (answer) => done(answer as Load));
      generator.send({ url, headers });
    });
  const service = await startService({ LOG_LEVEL: 'info' });
  const { account, key } = await service.customer('business');
  const rows: (string | number)[][] = [];
  for (const size of [60_000, 1_000_000]) {
    const bytes = randomBytes(size);
    const hit = await seed(service, account.id, key, bytes);
    const bare = await startBare(bytes);
    const sides = [
      ['bare node:http, the same work', `${bare.url}/v1/og?${hit.query}`, { 'x-api-key': key }],
      ['bare node:http, a constant', `${bare.url}/constant`, {}],
      ['Tintype', `${service.url}/v1/og?${hit.query}`, { 'x-api-key': key }],
      ['Tintype, 304', `${service.url}/v1/og?${hit.query}`, { 'x-api-key': key, 'if-none-match': hit.etag }],
    ] as const;
    const seen = new Map<string, Load[]>();
    for (let round = 0; round < 3; round++)
      for (const [name, url, headers] of sides)
        seen.set(name, [...(seen.get(name) ?? []), await measure(url, headers)]);
    const best = (name: string) =>
      quantile(
        (seen.get(name) ?? []).map(({ rate }) => rate),
        0.5,
      );
    for (const [name] of sides) {
      const all = seen.get(name) ?? [];
      rows.push([
        `${size / 1000} KB  ${name}`,
        best(name).toFixed(0),
        (best(name) / best(sides[0][0])).toFixed(2),
        quantile(
          all.map(({ p99 }) => p99),
          0.5,
        ).toFixed(1),
        all.reduce((sum, { failed }) => sum + failed, 0),
      ]);
    }
    bare.close();
  }
  console.log(
    table(`Cache HIT, ${connections} connections`, ['side', 'requests/s', '× same work', 'p99 ms', 'failed'], rows),
  );
  generator.kill();
  await service.stop();
}

type Seeded = { query: string; etag: string };

/** Puts bytes behind a request by rendering it once and replacing what was stored. */
async function seed(
  service: Awaited<ReturnType<typeof startService>>,
  accountId: string,
  key: string,
  bytes: Buffer,
): Promise<Seeded> {
  const query = `template=default&title=${bytes.length}`;
  await service.get(`/v1/og?${query}`, key);
  const [entry] = await service.store.cache.ofAccount(accountId, 1);
  if (entry === undefined) throw new Error('nothing was cached');
  const hash = createHash('sha256').update(bytes).digest('hex');
  await mkdir(`${service.dataDir}/cache/${hash.slice(0, 2)}`, { recursive: true });
  await writeFile(`${service.dataDir}/cache/${hash.slice(0, 2)}/${hash}`, bytes);
  await service.store.cache.put({ ...entry, hash, size: bytes.length });
  return { query: `${query}`, etag: `"${hash}"` };
}

async function startBare(bytes: Buffer): Promise<{ url: string; close(): void }> {
  const keys = new Map([[createHash('sha256').update('x').digest('hex'), 1]]);
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  const server = createServer((incoming, response) => {
    if (incoming.url === '/constant') return void response.end(bytes);
    keys.get(createHash('sha256').update(String(incoming.headers['x-api-key'])).digest('hex'));
    const query = new URLSearchParams((incoming.url ?? '').split('?')[1]);
    createHash('sha256')
      .update(JSON.stringify([...query]))
      .digest('hex');
    response.writeHead(200, {
      'content-type': 'image/png',
      'content-length': bytes.length,
      etag,
      'cache-control': 'private, max-age=604800',
      'x-cache': 'HIT',
      'x-render-time': 12,
      'x-image-size': bytes.length,
    });
    response.end(bytes);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
