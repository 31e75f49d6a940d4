// Cache hits over HTTP at a given rate, with a million other entries in the cache, beside a bare server that sends the same
// bytes from memory. Each request is timed from when it was due. `npm run bench:hit`
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startBare } from './hit/bare.ts';
import { type Load, startLoad } from './hit/load.ts';
import { loadNote, median, setting, table } from './measure.ts';
import { report } from './report.ts';
import { createKey, startOwnServer } from './sides.ts';

const rounds = setting('ROUNDS', 5);
const seconds = setting('SECONDS', 4);
const entries = setting('ENTRIES', 1_000_000);
const connections = 64;
const size = 60_000;
/** So many different requests are asked for in turn: one alone would always find everything in the processor's cache. */
const requests = 200;

const load = await startLoad(connections);
const server = await startOwnServer({ LOG_LEVEL: 'info' });
const bare = await startBare(size);
const database = new DatabaseSync(join(server.dataDir, 'tintype.db'), { timeout: 10_000 });
try {
  const headers = { 'x-api-key': await createKey(server.dataDir) };
  const queries = Array.from({ length: requests }, (_, i) => `/v1/og?template=default&width=200&height=105&title=${i}`);
  const ours = queries.map((query) => server.url + query);
  for (const url of ours) await (await fetch(url, { headers })).arrayBuffer();
  await storeBytes(randomBytes(size));
  fillCache(entries);
  const sides = [
    { name: 'Tintype', urls: ours, headers },
    { name: 'a bare server', urls: queries.map((query) => bare.url + query), headers: {} },
  ];
  const rows: string[][] = [];
  for (const perSecond of [500, 1000]) {
    const seen = new Map<string, Load[]>(sides.map(({ name }) => [name, []]));
    // The first round warms up: code is compiled, and the disk is still at work on the new rows.
    for (let round = -1; round < rounds; round++)
      for (const { name, urls, headers } of sides) {
        const result = await load.run(urls, headers, seconds, perSecond);
        if (result.failed > 0) throw new Error(`${name}: ${result.failed} requests failed`);
        if (round >= 0) seen.get(name)?.push(result);
      }
    const of = (name: string, pick: (one: Load) => number) => median((seen.get(name) ?? []).map(pick));
    for (const { name } of sides)
      rows.push([
        name,
        String(perSecond),
        of(name, ({ p50 }) => p50).toFixed(1),
        of(name, ({ p99 }) => p99).toFixed(1),
      ]);
    if (perSecond === 500)
      report(
        'hit.p99',
        of('Tintype', ({ p99 }) => p99),
        Object.fromEntries(sides.map(({ name }) => [name, of(name, ({ p99 }) => p99)])),
      );
  }
  const title = `Hits of ${size / 1000} KB among ${entries.toLocaleString('en')} entries (${rounds} rounds, ${loadNote()})`;
  console.log(table(title, ['side', 'requests/s', 'p50 ms', 'p99 ms'], rows));
} finally {
  load.close();
  bare.close();
  database.close();
  await server.clean();
}

/** Puts these bytes behind every request that was rendered above, as if they had been the result. */
async function storeBytes(bytes: Buffer): Promise<void> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const folder = join(server.dataDir, 'cache', hash.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, hash), bytes);
  database.prepare('update cache_entries set hash = ?, size = ?').run(hash, bytes.length);
}

/** In the order of every index: at random, a million rows would take eight times as long to write. */
function fillCache(count: number): void {
  database
    .prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < ?)
       insert into cache_entries (key, account_id, hash, size, type, meta, created_at, used_at, kept_until)
       select 'filled' || printf('%058x', i), 'acc_' || printf('%05d', i / 200), printf('%064x', i), 60, 'image/png',
              '{"width":1200,"height":630,"renderTime":12,"warnings":[]}', ?, ?, ? from n`,
    )
    .run(count - 1, Date.now(), Date.now(), Date.now() + 1e9);
}
