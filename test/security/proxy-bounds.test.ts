// What one render may take through its outlet, and that nothing of it outlives the render.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { call, get, hello, listening, loopback, openOutlet, plenty, way, web } from './proxy-peers.ts';

describe('a budget', () => {
  let port: number;
  beforeEach(async () => {
    port = await web((request, response) =>
      response.end(request.url === '/big' ? Buffer.alloc(5e6) : `hello ${request.url}`),
    );
  });
  const url = (path: string) => `http://127.0.0.1:${port}${path}`;

  it('of requests: the next is dropped, what runs may finish', async () => {
    const { outlet } = await openOutlet(way(loopback), { requests: 2 });
    const kept = call(outlet, get(url('/')));
    await kept.until('hello');
    await call(outlet, get(url('/'))).until('hello');
    expect(await call(outlet, get(url('/'))).received).toBe('');
    expect(outlet.exhausted).toBe('requests');
    expect(kept.socket.destroyed).toBe(false);
  });

  it('of connections: the next is not made', async () => {
    const { outlet } = await openOutlet(way(loopback), { connections: 1 });
    const { socket, until } = call(outlet, get(url('/')));
    await until('hello');
    expect(await call(outlet, get(url('/'))).received).toBe('');
    expect(outlet.exhausted).toBe('connections');
    socket.write(get(url('/again')));
    await until('hello /again');
    expect(outlet.counts).toMatchObject({ requests: 3, connections: 1 });
  });

  it('of one response: that one is cut, others go on', async () => {
    const { outlet } = await openOutlet(way(loopback), { responseBytes: 1e6 });
    const other = call(outlet, get(url('/')));
    await other.until('hello');
    expect((await call(outlet, get(url('/big'))).received).length).toBeLessThan(2e6);
    expect(outlet.exhausted).toBe('responseBytes');
    other.socket.write(get(url('/again')));
    await other.until('hello /again');
    expect(other.socket.destroyed).toBe(false);
  });

  it('of one response begins anew with the next, on the same connection', async () => {
    const { outlet } = await openOutlet(way(loopback), { responseBytes: 15_000 });
    const path = (turn: number) => `/${turn}${'-'.repeat(8000)}`;
    const { socket, until } = call(outlet, get(url(path(1))));
    await until(`hello ${path(1)}`);
    socket.write(get(url(path(2))));
    await until(`hello ${path(2)}`);
    expect(outlet.exhausted).toBeUndefined();
  });

  it('of all bytes: everything is cut, and nothing more is let through', async () => {
    const { outlet } = await openOutlet(way(loopback), { bytes: 1e6 });
    const other = call(outlet, get(url('/')));
    await other.until('hello');
    const tunnel = call(outlet, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
    await tunnel.until('established');
    tunnel.socket.write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n');
    await tunnel.received;
    await expect.poll(() => other.socket.destroyed).toBe(true);
    expect(outlet.exhausted).toBe('bytes');
    expect(await call(outlet, get(url('/'))).received).toBe('');
  });

  it.each([
    [
      'the body of a request',
      (port: number) => `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nContent-Length: 9000000\r\n\r\n`,
    ],
    ['a tunnel, as https and WebSockets are', (port: number) => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`],
  ])('of what is sent: %s ends there, and everything is cut', async (_name, head) => {
    let arrived = 0;
    const sink = await listening(
      createServer((socket) => socket.on('data', (chunk) => (arrived += chunk.length)).on('error', () => {})),
    );
    const { outlet } = await openOutlet(way(loopback), { sentBytes: 1e6 });
    const other = call(outlet, get(url('/')));
    await other.until('hello');
    const { socket, received } = call(outlet, head(sink));
    await expect.poll(() => outlet.counts.connections).toBe(2);
    // More than the budget and all the buffers on the way together.
    for (let sent = 0; sent < 9e6 && !socket.destroyed; sent += 1e5) socket.write(Buffer.alloc(1e5));
    await received;
    await expect.poll(() => other.socket.destroyed).toBe(true);
    expect(outlet.exhausted).toBe('sentBytes');
    expect(arrived).toBeLessThan(1.5e6);
    expect(await call(outlet, get(url('/'))).received).toBe('');
  });
});

describe('an outlet belongs to one render', () => {
  it('hangs up before it is opened, and counts nothing', async () => {
    const port = await web(hello);
    const outlet = await way(loopback).createOutlet();
    expect(await call(outlet, get(`http://127.0.0.1:${port}/`)).received).toBe('');
    expect(outlet.counts).toEqual({ requests: 0, connections: 0, bytes: 0, sentBytes: 0 });
  });

  it('cuts every connection when the render is over: silent peers, half a head, a name server that hangs', async () => {
    const port = await listening(createServer(() => {}));
    const egress = way(loopback, () => new Promise<string[]>(() => {}));
    const { outlet, render } = await openOutlet(egress);
    const silent = call(outlet, get(`http://127.0.0.1:${port}/`));
    const tunnel = call(outlet, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
    const half = call(outlet, 'GET http://127.0.0.1');
    const hanging = call(outlet, get('http://hanging.test/'));
    await tunnel.until('established');
    render.abort();
    await Promise.all([silent.received, tunnel.received, half.received, hanging.received]);
    expect(await call(outlet, get(`http://127.0.0.1:${port}/`)).received).toBe('');
    expect(outlet.failures).toEqual([]);
  });

  it('whose render was over before it began serves nothing', async () => {
    const port = await web(hello);
    const outlet = await way(loopback).createOutlet();
    outlet.open(plenty, AbortSignal.abort());
    expect(await call(outlet, get(`http://127.0.0.1:${port}/`)).received).toBe('');
  });

  it('cannot be opened for a second one', async () => {
    const { outlet } = await openOutlet(way(loopback));
    expect(() => outlet.open(plenty, new AbortController().signal)).toThrow('one render');
  });

  it('is gone when it is closed, with all its connections', async () => {
    const port = await listening(createServer(() => {}));
    const { outlet } = await openOutlet(way(loopback));
    const { received } = call(outlet, get(`http://127.0.0.1:${port}/`));
    await expect.poll(() => outlet.counts.connections).toBe(1);
    await outlet.close();
    expect(await received).toBe('');
    const [error] = await once(connect(outlet.port, '127.0.0.1'), 'error');
    expect((error as NodeJS.ErrnoException).code).toBe('ECONNREFUSED');
    await outlet.close();
  });
});
