// Images of cards, fetched over real TLS from servers on loopback.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createEgress } from '../../src/egress/egress.ts';
import type { Resolver } from '../../src/egress/egress-types.ts';
import { selfSigned } from './certificate.ts';

const trusted = selfSigned('images.test', 'other.test');
const usual = getCACertificates();
beforeAll(() => setDefaultCACertificates([...usual, trusted.cert]));
afterAll(() => setDefaultCACertificates(usual));

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(answer: Answer, identity = trusted): Promise<number> {
  const server = createServer(identity, answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

type Options = {
  allowPrivate?: string[];
  bytes?: number;
  redirects?: number;
  signal?: AbortSignal;
  resolver?: Resolver;
};

async function fetchImage(url: string, options: Options = {}) {
  const places: Record<string, string[]> = {
    'images.test': ['127.0.0.1'],
    'other.test': ['127.0.0.1'],
    'private.test': ['10.0.0.1'],
  };
  const egress = createEgress({
    allowPrivate: options.allowPrivate ?? ['127.0.0.0/8'],
    resolver: options.resolver ?? (async (host) => places[host] ?? []),
  });
  undo.push(() => egress.stop());
  const limits = { bytes: options.bytes ?? 1e6, redirects: options.redirects ?? 3, parameter: 'avatar' };
  return egress.fetchImage(url, limits, options.signal ?? new AbortController().signal);
}

const picture: Answer = (_, response) => response.setHeader('Content-Type', 'image/png').end('picture');

it('gives the bytes and their type, asked for without compression', async () => {
  const port = await serve((request, response) => {
    const { 'accept-encoding': encoding, accept, host } = request.headers;
    response.setHeader('Content-Type', 'image/png').end(JSON.stringify({ encoding, accept, host, url: request.url }));
  });
  const { bytes, type } = await fetchImage(`https://images.test:${port}/a%20b?c#d`);
  expect(type).toBe('image/png');
  const seen = { encoding: 'identity', accept: 'image/*', host: `images.test:${port}`, url: '/a%20b?c' };
  expect(JSON.parse(bytes.toString())).toEqual(seen);
});

it('follows redirects, each checked like the first, and not for ever', async () => {
  const port = await serve((request, response) => {
    const hop = Number(request.url?.slice(1));
    if (hop === 0) return picture(request, response);
    const host = hop % 2 === 0 ? 'images.test' : 'other.test';
    response.writeHead(302, { Location: `https://${host}:${port}/${hop - 1}` }).end();
  });
  expect((await fetchImage(`https://images.test:${port}/3`)).bytes.toString()).toBe('picture');
  await expect(fetchImage(`https://images.test:${port}/4`)).rejects.toThrow('redirects more than 3 times');
});

describe('what is refused', () => {
  const redirecting = (location: string) =>
    serve((_, response) => response.writeHead(301, { Location: location }).end());

  it.each([
    'http://images.test/',
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/',
    'https://[::1]/',
    'https://localhost/',
    'https://user:pw@images.test/',
    'https://images.test:25/',
    'https://private.test/',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    'nonsense',
  ])('%s', async (url) => {
    const fetched = fetchImage(url, { allowPrivate: [] });
    await expect(fetched).rejects.toMatchObject({ code: 'target_refused', status: 400, parameter: 'avatar' });
    await expect(fetched).rejects.toThrow(/^avatar /);
  });

  it.each([
    'http://images.test/',
    'https://10.0.0.1/',
    'https://private.test/',
    'https://169.254.169.254/',
    'file:///etc/passwd',
  ])('a redirect to %s', async (location) => {
    const port = await redirecting(location);
    const fetched = fetchImage(`https://images.test:${port}/`);
    await expect(fetched).rejects.toMatchObject({ code: 'target_refused', parameter: 'avatar' });
  });

  it('a name that answers with a private address only when it is dialled', async () => {
    // Whatever was said before, the connection's own lookup is what is judged and dialled.
    const port = await serve(picture);
    const fetched = fetchImage(`https://images.test:${port}/`, {
      allowPrivate: [],
      resolver: async () => ['127.0.0.1'],
    });
    await expect(fetched).rejects.toMatchObject({ code: 'target_refused' });
  });
});

describe('an image that cannot be fetched is a 400 that names the parameter and the reason', () => {
  it.each<[string, Answer, string]>([
    ['a page that is not there', (_, response) => response.writeHead(404).end(), 'the server answered 404'],
    ['a compressed answer', (_, response) => response.setHeader('Content-Encoding', 'br').end('x'), 'compressed'],
    ['an announced size over the limit', (_, response) => response.end(Buffer.alloc(2e6)), 'larger than 1 MB'],
    [
      'a size over the limit that is not announced',
      (_, response) => {
        response.write(Buffer.alloc(900_000));
        response.write(Buffer.alloc(900_000));
      },
      'larger than 1 MB',
    ],
    [
      'a broken connection',
      (_, response) => {
        response.writeHead(200, { 'Content-Length': 100 }).write('part');
        response.socket?.end();
      },
      'broke before its end',
    ],
    ['a redirect without a place', (_, response) => response.writeHead(302).end(), 'redirects to nowhere'],
  ])('%s', async (_, answer, text) => {
    const port = await serve(answer);
    const fetched = fetchImage(`https://images.test:${port}/`);
    await expect(fetched).rejects.toMatchObject({ code: 'invalid_parameter', status: 400, parameter: 'avatar' });
    await expect(fetched).rejects.toThrow(text);
  });

  it('a certificate that is not trusted or not its own', async () => {
    const stranger = await serve(picture, selfSigned('images.test'));
    await expect(fetchImage(`https://images.test:${stranger}/`)).rejects.toThrow('certificate');
    const port = await serve(picture);
    await expect(fetchImage(`https://127.0.0.1:${port}/`)).rejects.toThrow('certificate');
  });

  it('a name without an address, a port where nobody listens', async () => {
    await expect(fetchImage('https://nowhere.test/')).rejects.toThrow(
      'nowhere.test could not be fetched: the host name was not found',
    );
    const port = await serve(picture);
    await undo.pop()?.();
    await expect(fetchImage(`https://images.test:${port}/`)).rejects.toThrow('the connection was refused');
  });
});

it('stops when nobody waits for it any more', async () => {
  const port = await serve((_, response) => response.write('a little'));
  const over = new AbortController();
  const fetched = fetchImage(`https://images.test:${port}/`, { signal: over.signal });
  over.abort(new Error('over'));
  await expect(fetched).rejects.toThrow('over');
});
