// A bare server to compare a hit with: node:http in a process of its own, which sends the same bytes from memory. It knows no
// keys, reads no database and writes no log.
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function startBare(size: number): Promise<{ url: string; close(): void }> {
  const child = fork(import.meta.filename, ['bare', String(size)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const url = await new Promise<string>((done) => child.once('message', (message) => done(String(message))));
  return { url, close: () => void child.kill() };
}

if (process.argv[1] === import.meta.filename && process.argv[2] === 'bare') {
  const bytes = Buffer.alloc(Number(process.argv[3]), 1);
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length }).end(bytes),
  );
  server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  process.on('disconnect', () => process.exit());
}
