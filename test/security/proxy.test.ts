// The browser's way out, with real sockets on loopback. The client is a raw socket: what a browser would never send
// must be survived too.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import type { Egress } from '../../src/egress/egress-types.ts';
import { call, get, hello, listening, loopback, openOutlet, undo, way, web } from './proxy-peers.ts';

describe('a plain request', () => {
  it('reaches its origin with the path and Host it names, and the answer comes back as it was sent', async () => {
    const port = await web((request, response) => {
      response.setHeader('X-Seen', JSON.stringify([request.method, request.url, request.headers]));
      response.end('hello');
    });
    const { outlet } = await openOutlet(way(loopback));
    const url = `http://127.0.0.1:${port}/a?b=c`;
    const answer = await call(outlet, get(url, 'Host: other.example', 'Proxy-Connection: keep-alive')).until('hello');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(JSON.parse(/X-Seen: (.*)\r\n/.exec(answer)?.[1] ?? '')).toEqual([
      'GET',
      '/a?b=c',
      { host: `127.0.0.1:${port}`, connection: 'keep-alive' },
    ]);
    expect(outlet.counts).toMatchObject({ requests: 1, connections: 1, bytes: answer.length });
  });

  it('is followed by others on the same connection, bodies included', async () => {
    const port = await web((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => response.end(`[${request.url} ${body.length}]`));
    });
    const { outlet } = await openOutlet(way(loopback));
    const size = 300_000;
    const post = (path: string) => `POST http://127.0.0.1:${port}${path} HTTP/1.1\r\nContent-Length: ${size}\r\n\r\n`;
    const { socket, until } = call(outlet, post('/one'));
    socket.write('x'.repeat(size));
    await until(`[/one ${size}]`);
    socket.write(post('/two') + 'y'.repeat(size));
    await until(`[/two ${size}]`);
    socket.write(get(`http://127.0.0.1:${port}/three`));
    await until('[/three 0]');
    expect(outlet.counts).toMatchObject({ requests: 3, connections: 1 });
  });

  it('for another host on the same connection is dropped: what one host sends can never be taken for the other', async () => {
    let asked = 0;
    const count = () => `[${++asked}]`;
    const port = await web((_, response) => response.end(count()));
    const other = await web((_, response) => response.end(count()));
    const egress = way(loopback, { 'other.test': ['127.0.0.1'] });
    const next = [get(`http://127.0.0.1:${other}/`), get(`http://other.test:${port}/`)];
    for (const text of [...next, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`]) {
      asked = 0;
      const { outlet } = await openOutlet(egress);
      const { socket, until, received } = call(outlet, get(`http://127.0.0.1:${port}/`));
      await until('[1]');
      socket.write(text);
      expect(await received).toMatch(/\[1\]$/);
      // Neither host got it, the first one least of all.
      expect([asked, outlet.counts.connections]).toEqual([1, 1]);
    }
  });

  it('whose answer ends with its connection ends for the browser too, and one cut short is a reset', async () => {
    const port = await listening(
      createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', (request) => {
          if (request.includes('/whole')) socket.end('HTTP/1.1 200 OK\r\n\r\nto the end');
          else socket.write('HTTP/1.1 200 OK\r\n\r\nnot to the', () => socket.resetAndDestroy());
        });
      }),
    );
    const { outlet } = await openOutlet(way(loopback));
    const whole = call(outlet, get(`http://127.0.0.1:${port}/whole`));
    const ended = once(whole.socket, 'end');
    expect(await whole.received).toContain('to the end');
    await ended;
    const cut = call(outlet, get(`http://127.0.0.1:${port}/cut`));
    const [error] = await once(cut.socket, 'error');
    expect((error as NodeJS.ErrnoException).code).toBe('ECONNRESET');
  });

  it('passes early hints and odd answers on as they are', async () => {
    const text =
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200\r\nodd header : x\r\nContent-Length: 2\r\n\r\nok';
    const port = await listening(createServer((socket) => socket.once('data', () => socket.end(text))));
    const { outlet } = await openOutlet(way(loopback));
    expect(await call(outlet, get(`http://127.0.0.1:${port}/`)).received).toBe(text);
  });
});

describe('a tunnel', () => {
  it('joins the browser to its origin in both directions', async () => {
    const port = await listening(createServer((socket) => socket.pipe(socket)));
    const { outlet } = await openOutlet(way(loopback));
    const { socket, until } = call(outlet, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\nfirst bytes`);
    await until('first bytes');
    socket.write('and more');
    expect(await until('and more')).toBe('HTTP/1.1 200 Connection established\r\n\r\nfirst bytesand more');
  });

  it('carries megabytes whole', async () => {
    const megabytes = Buffer.alloc(20e6, 'tintype ');
    const port = await listening(createServer((socket) => socket.end(megabytes)));
    const { outlet } = await openOutlet(way(loopback));
    const answer = await call(outlet, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`).received;
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4) === megabytes.toString('latin1')).toBe(true);
    expect(outlet.counts.bytes).toBe(20e6);
  });

  it('tries the next checked address when the first does not answer', async () => {
    const port = await web(hello);
    // Nothing listens on 127.0.0.2 at this port.
    const { outlet } = await openOutlet(way(loopback, { 'two.test': ['127.0.0.2', '127.0.0.1'] }));
    await call(outlet, get(`http://two.test:${port}/`)).until('hello');
    expect(outlet.failures).toEqual([]);
  });
});

describe('what is refused', () => {
  const refusal = async (egress: Egress, text: string) => {
    const { outlet } = await openOutlet(egress);
    const received = await call(outlet, text).received;
    return { received, refusals: outlet.refusals, failures: outlet.failures, counts: outlet.counts };
  };

  it('is dropped without a byte, and the reason is kept', async () => {
    const port = await web(hello);
    const { received, refusals } = await refusal(way([]), get(`http://127.0.0.1:${port}/`));
    expect(received).toBe('');
    const reason = 'leads to 127.0.0.1, which is not public (loopback)';
    expect(refusals).toEqual([{ host: '127.0.0.1', port, reason }]);
  });

  it.each([
    ['http://10.0.0.1/', 'private network'],
    ['http://169.254.169.254/latest/meta-data/', 'cloud metadata'],
    ['http://[::ffff:7f00:1]/', 'an IPv4 address inside an IPv6 address'],
    ['http://0x7f000001/', 'loopback'],
    ['http://private.test/', 'private network'],
    ['http://mixed.test/', 'loopback'],
    ['http://router.lan/', 'names ending in .lan'],
    ['http://redis/', 'it has no dot'],
    ['http://localhost./', 'it has no dot'],
    ['http://public.test:25/', 'port 25'],
  ])('%s (%s), as request and as tunnel', async (url, reason) => {
    const answers = {
      'private.test': ['10.0.0.1'],
      'mixed.test': ['93.184.216.34', '127.0.0.1'],
      'public.test': ['8.8.8.8'],
    };
    const { hostname, port } = new URL(url);
    for (const text of [get(url), `CONNECT ${hostname}:${port || 443} HTTP/1.1\r\n\r\n`]) {
      const { received, refusals, counts } = await refusal(way([], answers), text);
      expect(received).toBe('');
      expect(refusals[0]?.reason).toContain(reason);
      expect(counts.connections).toBe(0);
    }
  });

  it('includes every listener of ours, even where loopback is allowed', async () => {
    const egress = way(loopback, { 'self.test': ['127.0.0.1'] });
    const other = await egress.createOutlet();
    const port = await web(hello);
    egress.protectPort(port);
    for (const url of [`http://127.0.0.1:${port}/`, `http://self.test:${port}/`, `http://127.0.0.9:${other.port}/`]) {
      const { received, refusals } = await refusal(egress, get(url));
      expect(received).toBe('');
      expect(refusals[0]?.reason).toContain('this server itself');
    }
    expect(() => egress.check(`http://127.0.0.1:${port}/`)).toThrow('this server itself');
  });

  it('includes cloud metadata by name and by address where private networks are allowed', async () => {
    const egress = way(['0.0.0.0/0', '::/0'], { 'metadata.test': ['169.254.169.254'] });
    for (const host of ['metadata.google.internal', '169.254.169.254', 'metadata.test', '[fd00:ec2::254]']) {
      const { received, refusals } = await refusal(egress, get(`http://${host}/`));
      expect(received).toBe('');
      expect(refusals[0]?.reason).toContain('cloud metadata');
    }
  });

  it('is not what only fails: a name without address, a port where nobody listens', async () => {
    const gone = createServer();
    const port = await listening(gone);
    gone.close();
    const noName = await refusal(way(loopback), get('http://nowhere.test/'));
    expect(noName).toMatchObject({ received: '', refusals: [] });
    expect(noName.failures).toEqual([{ host: 'nowhere.test', port: 80, reason: 'the host name was not found' }]);
    const closed = await refusal(way(loopback), get(`http://127.0.0.1:${port}/`));
    expect(closed.failures).toEqual([{ host: '127.0.0.1', port, reason: 'the connection was refused' }]);
  });

  it('is anything a browser does not send to a proxy', async () => {
    const port = await web(hello);
    const self = `http://127.0.0.1:${port}/`;
    for (const text of ['GET / HTTP/1.1\r\n\r\n', 'nonsense\r\n\r\n', get(self, 'Transfer-Encoding: chunked')])
      expect(await refusal(way(loopback), text)).toMatchObject({ received: '', counts: { connections: 0 } });
    const endless = await refusal(way(loopback), `GET ${self} HTTP/1.1\r\nA: ${'x'.repeat(300_000)}`);
    expect(endless).toMatchObject({ received: '', counts: { requests: 0 } });
  });
});

describe('a name that changes its answer', () => {
  it('is dialled only at an address that was itself checked, and asked once for a connection', async () => {
    const port = await web(hello);
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const egress = way(loopback, async () => answers[asked++] ?? ['10.0.0.1']);
    const { outlet } = await openOutlet(egress);
    await egress.resolve(new URL(`http://rebind.test:${port}/`), new AbortController().signal);
    await call(outlet, get(`http://rebind.test:${port}/`)).until('hello');
    expect(asked).toBe(1);
  });

  it('is refused on the next connection after the answer of a few seconds ago is forgotten', async () => {
    const port = await web((_, response) => response.setHeader('Connection', 'close').end('hello'));
    let answer = ['127.0.0.1'];
    vi.useFakeTimers({ toFake: ['performance'] });
    undo.push(() => vi.useRealTimers());
    const { outlet } = await openOutlet(way(loopback, async () => answer));
    await call(outlet, get(`http://rebind.test:${port}/`)).received;
    answer = ['10.0.0.1'];
    expect(await call(outlet, get(`http://rebind.test:${port}/`)).received).toContain('hello');
    vi.advanceTimersByTime(3001);
    expect(await call(outlet, get(`http://rebind.test:${port}/`)).received).toBe('');
    expect(outlet.refusals[0]?.reason).toBe('leads to rebind.test, whose address is not public (private network)');
  });
});

describe("an operator's exemption", () => {
  it('lets names of the own network through, judged by their addresses', async () => {
    const port = await web(hello);
    const egress = way(loopback, { app: ['127.0.0.1'], 'app.internal': ['127.0.0.1'], 'db.internal': ['10.0.0.1'] });
    const { outlet } = await openOutlet(egress);
    for (const host of ['app', 'app.internal']) {
      expect(egress.check(`http://${host}:${port}/`).hostname).toBe(host);
      await call(outlet, get(`http://${host}:${port}/`)).until('hello');
    }
    expect(await call(outlet, get('http://db.internal/')).received).toBe('');
    expect(outlet.refusals).toHaveLength(1);
  });
});
