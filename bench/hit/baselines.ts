// What a HIT is measured against: bare node:http in a process of its own, and nginx.
import { fork, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pino from 'pino';
import { sleep } from '../../src/kernel/deadline.ts';
import { freePort } from '../../test/harness/ports.ts';

export type Baseline = { url: string; pid: number; etag: string; close(): void };

const etagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('hex')}"`;

export async function startBare(bytes: Buffer): Promise<Baseline> {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-bare-'));
  await writeFile(join(folder, 'body'), bytes);
  const child = fork(import.meta.filename, ['bare', folder], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  // Read and thrown away, as Tintype's is.
  child.stdout?.resume();
  const url = await new Promise<string>((done) => child.once('message', (message) => done(String(message))));
  const close = () => {
    child.once('exit', () => void rm(folder, { recursive: true, force: true }));
    child.kill();
  };
  return { url, pid: child.pid ?? 0, etag: etagOf(bytes), close };
}

if (process.argv[1] === import.meta.filename && process.argv[2] === 'bare') await serveBare(process.argv[3] ?? '');

/**
 * What a HIT cannot do without: hash the key and read whose it is from a database on disk (a revoked key must fail at
 * once), read the query, hash it and read its entry, and send the bytes with the same headers. On /told it also tells
 * of it, as Tintype does: a log line, and a row for the account's list of requests, written once a second. No router,
 * no checks of parameters, no metrics, no rate.
 */
async function serveBare(folder: string): Promise<void> {
  const bytes = await readFile(join(folder, 'body'));
  const etag = etagOf(bytes);
  const database = new DatabaseSync(join(folder, 'bare.db'));
  database.exec(`pragma journal_mode = wal; pragma synchronous = normal;
    create table rows (id text primary key, hash text, size integer, meta text);
    create table requests (id text primary key, account text, key text, at integer, status integer, total real, query text);
    create index requests_account on requests (account, at)`);
  const read = database.prepare('select * from rows where id = ?');
  const insert = database.prepare('insert into rows values (?, ?, ?, ?)');
  const find = (id: string) => read.get(id) ?? insert.run(id, etag, bytes.length, '{"width":1200,"height":630}');
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');

  const log = pino({ base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ sync: false }));
  const write = database.prepare('insert into requests values (?, ?, ?, ?, ?, ?, ?)');
  let rows: SQLInputValue[][] = [];
  setInterval(() => {
    database.exec('begin');
    for (const row of rows) write.run(...row);
    database.exec('commit');
    rows = [];
  }, 1000);
  const tell = (id: string, key: string, query: URLSearchParams, status: number, ms: number) => {
    log.info(
      { requestId: id, method: 'GET', path: '/v1/og', status, ms, account: 'acc_bare', key, cache: 'HIT' },
      'request',
    );
    rows.push([id, 'acc_bare', key, Date.now(), status, ms, JSON.stringify(Object.fromEntries(query))]);
  };

  const server = createServer((incoming, response) => {
    const { url = '' } = incoming;
    if (url === '/constant') return void response.end(bytes);
    const startedAt = performance.now();
    const id = randomBytes(9).toString('base64url');
    const key = sha(String(incoming.headers['x-api-key']));
    find(key);
    const query = new URLSearchParams(url.split('?')[1]);
    find(sha(JSON.stringify([...query])));
    const same = incoming.headers['if-none-match'] === etag;
    response.writeHead(same ? 304 : 200, {
      'x-request-id': id,
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': '*',
      vary: 'Accept',
      'x-render-time': 12,
      'x-image-size': bytes.length,
      'x-cache': 'HIT',
      etag,
      'cache-control': 'private, max-age=604800',
      ...(!same && {
        'content-type': 'image/png',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'accept-ranges': 'bytes',
        'content-length': bytes.length,
      }),
      'x-ratelimit-limit': 600,
      'x-ratelimit-remaining': 600,
      'x-ratelimit-reset': 1_800_000_000,
      'ratelimit-policy': '"renders";q=600;w=60',
      ratelimit: '"renders";r=600;t=60',
    });
    response.end(same ? undefined : bytes);
    if (url.startsWith('/told'))
      response.once('close', () => tell(id, key, query, response.statusCode, performance.now() - startedAt));
  });
  server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  process.on('disconnect', () => process.exit());
}

/** Undefined where there is none on this machine. */
export async function startNginx(bytes: Buffer): Promise<Baseline | undefined> {
  const binary = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path));
  if (binary === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'tintype-nginx-'));
  // Its workers are not root.
  chmodSync(folder, 0o755);
  const port = await freePort();
  await writeFile(join(folder, 'file.png'), bytes, { mode: 0o644 });
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/errors;
     events { worker_connections 256; }
     http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=10;
       types { image/png png; }
       ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
       server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  );
  const child = spawn(binary, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 50; tries++) {
    if (
      await fetch(`${url}/file.png`).then(
        (answer) => answer.arrayBuffer().then(() => answer.ok),
        () => false,
      )
    )
      return {
        url,
        pid: child.pid ?? 0,
        etag: '',
        close() {
          child.once('exit', () => void rm(folder, { recursive: true, force: true }));
          child.kill('SIGTERM');
        },
      };
    await sleep(100);
  }
  child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
  return undefined;
}
