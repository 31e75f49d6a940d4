import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { paced } from './arrivals.ts';

let server: Server;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

async function start(handle: RequestListener): Promise<void> {
  server = createServer(paced(handle, (url) => url === '/healthz'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('requests that arrive together and take long do not share a turn of the event loop; one for the health goes first', async () => {
  const order: string[] = [];
  let turns = 0;
  let counting = true;
  const count = () => {
    turns++;
    if (counting) setImmediate(count);
  };
  await start(({ url = '' }, response) => {
    order.push(url);
    if (url === '/long') work(30);
    response.end();
  });
  const connections = await Promise.all(Array.from({ length: 21 }, open));
  // The server has accepted them all.
  for (const connection of connections) {
    connection.write(request('/first'));
    await once(connection, 'data');
  }
  const [health, ...clients] = connections as [Socket, ...Socket[]];
  order.length = 0;
  count();
  // All are in the server's buffers before it reads the first.
  for (const client of clients) client.write(request('/long'));
  health.write(request('/healthz'));
  await expect.poll(() => order.length, { timeout: 20_000 }).toBe(21);
  counting = false;
  expect(order.indexOf('/healthz')).toBeLessThan(10);
  expect(turns).toBeGreaterThanOrEqual(19);
});

it('a connection with many requests before the first answer is closed; others are not', async () => {
  let begun = 0;
  await start((_request, response) => {
    begun++;
    setImmediate(() => response.end());
  });
  const [hostile, other] = [await open(), await open()];
  hostile.write(request('/x').repeat(2000));
  await once(hostile.resume(), 'close');
  expect(begun).toBeLessThanOrEqual(32);
  other.write(request('/y'));
  expect(String((await once(other, 'data'))[0])).toContain('200 OK');
});

it('some requests ahead of their answers are all answered, in order', async () => {
  await start(({ url }, response) => void setImmediate(() => response.end(url)));
  const client = await open();
  let said = '';
  client.on('data', (data) => {
    said += data;
  });
  client.write([1, 2, 3, 4, 5].map((n) => request(`/number-${n}`)).join(''));
  await expect.poll(() => [...said.matchAll(/number-(\d)/g)].map(([, n]) => n)).toEqual(['1', '2', '3', '4', '5']);
});
