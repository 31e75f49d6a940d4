// A cache HIT over HTTP: Tintype against bare node:http that does the same work (see hit/baselines.ts: with the log
// line and the row of usage, and without them), one that only sends a constant buffer, and nginx with the file; then with
// a full cache and a full table of keys, which must make no difference. `npm run bench:hit -- [--flat] [--short]`
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startBare, startNginx } from './hit/baselines.ts';
import { type Load, startLoad } from './hit/load.ts';
import { isShort, loadNote, median, setting, shuffled, table } from './measure.ts';
import { usageOf } from './processes.ts';
import { report } from './report.ts';
import { createKey, startOwnServer } from './sides.ts';

const rounds = setting('ROUNDS', 3);
const seconds = setting('SECONDS', 3);
/** The sides take turns this often, because a machine may change its speed every few seconds; ratios are of neighbours in time. */
const turnSeconds = 0.5;
const turns = Math.ceil((rounds * seconds) / turnSeconds);
const connections = 64;
/** So many different requests are asked for in turn: one alone would always find everything in the processor's cache. */
const requests = 200;

const warmUp = setting('WARM_UP', 20_000);
const warmed = new Map<string, number>();

type Target = { name: string; pid: number; urls: string[]; headers: Record<string, string> };

const load = await startLoad(connections);
const server = await startOwnServer({ LOG_LEVEL: 'info' });
const key = await createKey(server.dataDir);
const database = new DatabaseSync(join(server.dataDir, 'tintype.db'), { timeout: 10_000 });
const headers = { 'x-api-key': key };
const queries = Array.from({ length: requests }, (_, i) => `/v1/og?template=default&width=200&height=105&title=${i}`);
const ours = queries.map((query) => server.url + query);
for (const url of ours) await (await fetch(url, { headers })).arrayBuffer();

try {
  if (!process.argv.includes('--flat')) {
    await compareSizes(60_000);
    await compareSizes(1_000_000);
    await comparePaced();
  }
  await compareFilled();
} finally {
  load.close();
  database.close();
  await server.clean();
}

async function compareSizes(size: 60_000 | 1_000_000): Promise<void> {
  const bytes = randomBytes(size);
  const etag = `"${await storeBytes(bytes)}"`;
  const bare = await startBare(bytes);
  const nginx = isShort ? undefined : await startNginx(bytes);
  const told = toldBy(bare);
  const same = { name: 'bare node:http, the same work', pid: bare.pid, urls: told, headers };
  const tintype = { name: 'Tintype', pid: server.pid, urls: ours, headers };
  const less: Target[] = [
    {
      name: 'bare node:http, and tells nobody',
      pid: bare.pid,
      urls: queries.map((query) => bare.url + query),
      headers,
    },
    { name: 'bare node:http, a constant', pid: bare.pid, urls: [`${bare.url}/constant`], headers: {} },
    ...(nginx ? [{ name: 'nginx, the file', pid: nginx.pid, urls: [`${nginx.url}/file.png`], headers: {} }] : []),
  ];
  const same304 = { ...same, name: 'bare node:http, 304', headers: { ...headers, 'if-none-match': bare.etag } };
  const tintype304 = { ...tintype, name: 'Tintype, 304', headers: { ...headers, 'if-none-match': etag } };
  // A 304 has no body, whatever the size.
  const answers304 = size === 60_000 ? [same304, tintype304] : [];
  try {
    await compare(`${size / 1000} KB`, [same, ...(isShort ? [] : less), tintype, ...answers304]);
  } finally {
    bare.close();
    nginx?.close();
  }
}

/** The same requests, of the bare server that also tells of them. */
function toldBy({ url }: { url: string }): string[] {
  return queries.map((query) => `${url}/told${query}`);
}

/**
 * As fast as they go, 64 connections only measure the queue that they make themselves (64 divided by the rate). So also
 * at a rate that leaves the server half idle, timed from when each request was due.
 */
async function comparePaced(): Promise<void> {
  const bytes = randomBytes(60_000);
  await storeBytes(bytes);
  const bare = await startBare(bytes);
  const sides = [
    { name: 'bare node:http, the same work', urls: toldBy(bare) },
    { name: 'Tintype', urls: ours },
  ];
  const rows: string[][] = [];
  for (const perSecond of isShort ? [1000] : [500, 1000])
    for (const { name, urls } of sides) {
      const seen: Load[] = [];
      for (let round = 0; round < rounds; round++) seen.push(await load.run(urls, headers, seconds, perSecond));
      const middle = (pick: (one: Load) => number) => median(seen.map(pick)).toFixed(1);
      rows.push([name, String(perSecond), middle(({ p50 }) => p50), middle(({ p99 }) => p99)]);
      if (name === 'Tintype' && perSecond === 1000) report('hit.p99', median(seen.map(({ p99 }) => p99)));
    }
  bare.close();
  const head = ['60 KB', 'requests/s', 'p50 ms', 'p99 ms'];
  console.log(table(`HIT at a given rate, ${connections} connections (${loadNote()})`, head, rows));
}

/** The same requests while the tables behind them grow; each time against the bare server, whose work does not. */
async function compareFilled(): Promise<void> {
  const bytes = randomBytes(60_000);
  await storeBytes(bytes);
  const bare = await startBare(bytes);
  const targets: Target[] = [
    { name: 'bare node:http, the same work', pid: bare.pid, urls: toldBy(bare), headers },
    { name: 'Tintype', pid: server.pid, urls: ours, headers },
  ];
  const rows: string[][] = [];
  const sizes: [number, number][] = [
    [requests, 10],
    [100_000, 10],
    [1_000_000, 10],
    [1_000_000, 100_000],
  ];
  for (const [entries, keys] of isShort ? sizes.slice(2, 3) : sizes) {
    fillCache(entries);
    fillKeys(keys);
    // Not measured: the database and the disk are still at work on the new rows.
    for (const { urls } of targets) await load.run(urls, headers, seconds);
    const seen = await measure(targets);
    const [same, tintype] = targets.map(({ name }) => seen.get(name) ?? []);
    rows.push([
      `${entries.toLocaleString('en')} entries, ${keys.toLocaleString('en')} keys`,
      ratio(tintype, same).toFixed(2),
      cpu(tintype).toFixed(0),
      median((tintype ?? []).map(({ p99 }) => p99)).toFixed(1),
    ]);
  }
  bare.close();
  const head = ['60 KB', '× same work', 'CPU µs', 'p99 ms'];
  console.log(table(`HIT with full tables, ${connections} connections (${loadNote()})`, head, rows));
}

type Seen = Load & { cpu: number };

async function measure(targets: readonly Target[]): Promise<Map<string, Seen[]>> {
  const seen = new Map<string, Seen[]>();
  for (const target of targets) await warm(target);
  for (let turn = 0; turn < turns; turn++)
    for (const target of shuffled(targets)) {
      const before = usageOf(target.pid).nodeMs;
      const result = await load.run(target.urls, target.headers, turnSeconds);
      const cpu = ((usageOf(target.pid).nodeMs - before) * 1000) / result.count;
      seen.set(target.name, [...(seen.get(target.name) ?? []), { ...result, cpu }]);
    }
  return seen;
}

/** By number, not by time: the more code a server has, the more requests it takes until all of it is compiled. */
async function warm({ name, urls, headers: given }: Target): Promise<void> {
  while ((warmed.get(name) ?? 0) < warmUp)
    warmed.set(name, (warmed.get(name) ?? 0) + (await load.run(urls, given, turnSeconds)).count);
}

function rate(all: readonly Seen[] = []): number {
  return median(all.map((one) => one.rate));
}

/** Of the turns of two sides that were neighbours in time. */
function ratio(some: readonly Seen[] = [], others: readonly Seen[] = []): number {
  return median(some.map((one, turn) => one.rate / (others[turn]?.rate ?? Number.NaN)));
}

function cpu(all: readonly Seen[] = []): number {
  return median(all.map((one) => one.cpu));
}

/** Prints the table; returns what was seen of each side. */
async function compare(title: string, targets: readonly Target[]): Promise<Map<string, Seen[]>> {
  const seen = await measure(targets);
  const first = seen.get(targets[0]?.name ?? '');
  const rows = targets.map(({ name }) => {
    const all = seen.get(name) ?? [];
    return [
      name,
      rate(all).toFixed(0),
      ratio(all, first).toFixed(2),
      cpu(all).toFixed(0),
      median(all.map(({ p50 }) => p50)).toFixed(1),
      median(all.map(({ p99 }) => p99)).toFixed(1),
      all.reduce((sum, { failed }) => sum + failed, 0),
    ];
  });
  const head = ['side', 'requests/s', '× same work', 'CPU µs', 'p50 ms', 'p99 ms', 'failed'];
  console.log(table(`Cache HIT, ${title}, ${connections} connections (${loadNote()})`, head, rows));
  return seen;
}

/** Puts these bytes behind every request that was rendered above, as if they had been the result. */
async function storeBytes(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const folder = join(server.dataDir, 'cache', hash.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, hash), bytes);
  database.prepare("update cache_entries set hash = ?, size = ? where key not like 'filled%'").run(hash, bytes.length);
  return hash;
}

/** In the order of every index: at random, a million rows would take eight times as long to write. */
function fillCache(count: number): void {
  const { have } = database.prepare('select count(*) as have from cache_entries').get() as { have: number };
  database
    .prepare(
      `with recursive n(i) as (select ? union all select i + 1 from n where i < ?)
       insert into cache_entries (key, account_id, hash, size, type, meta, created_at, used_at, kept_until)
       select 'filled' || printf('%058x', i), 'acc_' || printf('%05d', i / 200), printf('%064x', i), 60, 'image/png',
              '{"width":1200,"height":630,"renderTime":12,"warnings":[]}', ?, ?, ? from n where i < ?`,
    )
    .run(have, count, Date.now(), Date.now(), Date.now() + 1e9, count);
}

function fillKeys(count: number): void {
  const { have } = database.prepare('select count(*) as have from api_keys').get() as { have: number };
  database
    .prepare(
      `with recursive n(i) as (select ? union all select i + 1 from n where i < ?)
       insert into api_keys (id, account_id, name, hash, first, last, signing_secret, created_at)
       select 'key_' || lower(hex(randomblob(8))), (select id from accounts limit 1), 'filled', lower(hex(randomblob(32))),
              '', '', '', ? from n where i < ?`,
    )
    .run(have, count, Date.now(), count);
}
