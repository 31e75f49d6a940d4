// What a HIT is measured against: bare node:http in a process of its own, and nginx.
import { fork, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sleep } from '../../src/kernel/deadline.ts';
import { freePort } from '../../test/harness/ports.ts';

export type Neighbour = { url: string; pid: number; etag: string; close(): void };

const etagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('hex')}"`;

export async function startBare(bytes: Buffer): Promise<Neighbour> {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-bare-'));
  await writeFile(join(folder, 'body'), bytes);
  const child = fork(import.meta.filename, ['bare', join(folder, 'body')]);
  const url = await new Promise<string>((done) => child.once('message', (message) => done(String(message))));
  await rm(folder, { recursive: true });
  return { url, pid: child.pid ?? 0, etag: etagOf(bytes), close: () => void child.kill() };
}

if (process.argv[1] === import.meta.filename && process.argv[2] === 'bare') await serveBare(process.argv[3] ?? '');

/**
 * What a HIT cannot do without: hash the key and read whose it is from a database (a revoked key must fail at once), read
 * the query, hash it and read its entry, and send the bytes with the same headers. No router, log, metrics or usage.
 */
async function serveBare(file: string): Promise<void> {
  const bytes = await readFile(file);
  const etag = etagOf(bytes);
  const database = new DatabaseSync(':memory:');
  database.exec('create table rows (id text primary key, hash text, size integer, meta text)');
  const read = database.prepare('select * from rows where id = ?');
  const insert = database.prepare('insert into rows values (?, ?, ?, ?)');
  const find = (id: string) => read.get(id) ?? insert.run(id, etag, bytes.length, '{"width":1200,"height":630}');
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  const server = createServer((incoming, response) => {
    if (incoming.url === '/constant') return void response.end(bytes);
    find(sha(String(incoming.headers['x-api-key'])));
    const query = new URLSearchParams((incoming.url ?? '').split('?')[1]);
    find(sha(JSON.stringify([...query])));
    const same = incoming.headers['if-none-match'] === etag;
    response.writeHead(same ? 304 : 200, {
      'x-request-id': 'q3Zk0b7yVxPA',
      'x-render-time': 12,
      'x-image-size': bytes.length,
      'x-cache': 'HIT',
      etag,
      'cache-control': 'private, max-age=604800',
      ...(!same && {
        'content-type': 'image/png',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        'content-length': bytes.length,
      }),
      'x-ratelimit-limit': 600,
      'x-ratelimit-remaining': 600,
      'x-ratelimit-reset': 1_800_000_000,
    });
    response.end(same ? undefined : bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  process.on('disconnect', () => process.exit());
}

/** Undefined where there is none on this machine. */
export async function startNginx(bytes: Buffer): Promise<Neighbour | undefined> {
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
