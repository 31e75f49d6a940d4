import { describe, expect, it } from 'vitest';
import { parseRequestHead } from './request-head.ts';

const head = (...lines: string[]) => lines.join('\r\n');

describe('the head of a request to the proxy', () => {
  it('is rewritten for the origin: path only, its own Host, no word about the proxy', () => {
    const parsed = parseRequestHead(
      head(
        'GET http://example.com:8080/a/../b?c=%20#d HTTP/1.1',
        'Host: 169.254.169.254',
        'Proxy-Connection: keep-alive',
        'Proxy-Authorization: Basic eDp5',
        'Connection: x-secret',
        'X-Secret: 1',
        'Accept: */*',
        'Cookie: a=b',
        'Upgrade: h2c',
        'TE: trailers',
      ),
    );
    expect(parsed).toEqual({
      kind: 'forward',
      host: 'example.com',
      port: 8080,
      bodyLength: 0,
      text: head(
        'GET /a/../b?c=%20#d HTTP/1.1',
        'Host: example.com:8080',
        'Connection: keep-alive',
        'Accept: */*',
        'Cookie: a=b',
        '',
        '',
      ),
    });
  });

  it('knows how long the body is, and keeps its length even if Connection names it', () => {
    const parsed = parseRequestHead(
      head('POST http://a.test HTTP/1.1', 'Content-Length: 12', 'Connection: content-length'),
    );
    expect(parsed).toMatchObject({ kind: 'forward', port: 80, bodyLength: 12 });
    expect(parsed).toHaveProperty('text', expect.stringContaining('POST / HTTP/1.1\r\nHost: a.test\r\n'));
    expect(parsed).toHaveProperty('text', expect.stringContaining('Content-Length: 12\r\n'));
  });

  it.each([
    ['CONNECT example.com:443 HTTP/1.1', 'example.com', 443],
    ['CONNECT [2606:4700::1]:443 HTTP/1.1', '[2606:4700::1]', 443],
    ['CONNECT 0x7f.1:80 HTTP/1.1', '127.0.0.1', 80],
    ['CONNECT LOCALHOST.:80 HTTP/1.1', 'localhost.', 80],
  ])('%s names its place as the browser writes it', (line, host, port) => {
    expect(parseRequestHead(line)).toEqual({ kind: 'tunnel', host, port });
  });

  it.each([
    'GET / HTTP/1.1',
    'GET https://example.com/ HTTP/1.1',
    'GET ftp://example.com/ HTTP/1.1',
    'GET file:///etc/passwd HTTP/1.1',
    'GET http://user@example.com/ HTTP/1.1',
    'GET http://exa\\mple.com/ HTTP/1.1',
    'GET http://example.com/ HTTP/1.0',
    'GET http://example.com/ HTTP/2',
    'GET  http://example.com/ HTTP/1.1',
    'GET http://example.com:123456/ HTTP/1.1',
    'GET http://example.com:99999/ HTTP/1.1',
    'GET http:///path HTTP/1.1',
    'GET http://[::1/ HTTP/1.1',
    'CONNECT example.com HTTP/1.1',
    'CONNECT http://example.com:443 HTTP/1.1',
    'CONNECT example.com:443/ HTTP/1.1',
    'CONNECT :443 HTTP/1.1',
    '',
    head('POST http://a.test/ HTTP/1.1', 'Transfer-Encoding: chunked'),
    head('POST http://a.test/ HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2'),
    head('POST http://a.test/ HTTP/1.1', 'Content-Length: -1'),
    head('POST http://a.test/ HTTP/1.1', 'Content-Length: 1, 2'),
    head('GET http://a.test/ HTTP/1.1', 'A: b\nHost: evil'),
    head('GET http://a.test/ HTTP/1.1', 'A: b', ' folded'),
    head('GET http://a.test/ HTTP/1.1', 'A : b'),
    head('GET http://a.test/ HTTP/1.1', 'no colon'),
  ])('is dropped if a browser would not send it: %j', (text) => {
    expect(parseRequestHead(text)).toBeUndefined();
  });
});

it('is read in linear time, also where a header is a long run of blanks with a lone CR', () => {
  // Quadratic, this would be 20 billion steps.
  const text = head('GET http://a.test/ HTTP/1.1', `A:${' '.repeat(200_000)}\rb`);
  expect(parseRequestHead(text)).toBeUndefined();
});
