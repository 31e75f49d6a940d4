import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../kernel/errors.ts';
import { createGuard } from './guard.ts';
import { createNameCache } from './name-cache.ts';
import { checkTarget } from './target.ts';

const guardFor = (...allowPrivate: string[]) =>
  createGuard(
    allowPrivate,
    createNameCache(async () => [], 0),
    new Set(),
  );
const check = (text: string) => checkTarget(text, guardFor()).href;

describe('a target is refused in words that a person understands', () => {
  it.each([
    ['ftp://example.com/', 'url must be an http or https URL.'],
    ['example.com', 'url is not a complete URL with a valid host and port.'],
    ['http://example.com:99999/', 'url is not a complete URL with a valid host and port.'],
    ['http://exa\tmple.com/', 'url contains a control character; write it percent-encoded.'],
    ['http://example.com\\path', 'url contains a backslash; write / or %5C.'],
    ['http:\\\\example.com', 'url contains a backslash; write / or %5C.'],
    ['http://user@example.com/', 'url must not contain a user name or password.'],
    ['http://:pw@example.com/', 'url must not contain a user name or password.'],
    ['http://@example.com/', 'url must not contain a user name or password.'],
    [`http://example.com/${'x'.repeat(4096)}`, 'url is longer than 4096 characters.'],
    ['http://127.0.0.1/', 'url leads to 127.0.0.1, which is not public (loopback).'],
    ['http://[fd00::1]/', 'url leads to fd00::1, which is not public (private network).'],
    ['http://metadata.goog/', 'url leads to "metadata.goog", which is not public (cloud metadata).'],
    ['http://redis/', 'url leads to "redis", which is not a public host name: it has no dot.'],
    ['http://router.lan/', 'url leads to "router.lan", and names ending in .lan are not public.'],
    ['http://example.com:25/', 'url leads to port 25, which browsers do not open.'],
    ['http://a..example.com/', 'url does not name a valid host.'],
    [`http://${'a'.repeat(64)}.com/`, 'url does not name a valid host.'],
  ])('%s', (text, message) => {
    expect(() => check(text)).toThrow(message);
  });
});

describe('a target is let through', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://EXAMPLE.com:443/a?b#c', 'https://example.com/a?b#c'],
    ['https://example.com./', 'https://example.com/'],
    ['https://example.com/?path=C:\\x&mail=a@b', 'https://example.com/?path=C:\\x&mail=a@b'],
    ['https://example.com/@user/a', 'https://example.com/@user/a'],
    ['https://example.com/#a\\b@c', 'https://example.com/#a\\b@c'],
    ['https://under_score.example.com/', 'https://under_score.example.com/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ])('%s', (text, href) => {
    expect(check(text)).toBe(href);
  });
});

it('an exemption lets names of the own network through the rules for names, and no others', () => {
  const relaxed = guardFor('10.0.0.0/8');
  for (const text of ['http://app/', 'http://app.internal/', 'http://localhost:8080/', 'http://10.1.2.3/'])
    expect(checkTarget(text, relaxed).href).toBe(text);
  for (const text of ['http://127.0.0.1/', 'http://metadata/', 'http://metadata.google.internal/', 'http://app:25/'])
    expect(() => checkTarget(text, relaxed), text).toThrow(Problem);
});

it('whatever the text, the answer is a URL of a public-looking host or a target_refused', () => {
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.ipV6().map((ip) => `[${ip}]`),
    fc.string(),
  );
  const text = fc.tuple(fc.constantFrom('http://', 'https://', 'http:', 'HTTP:\\\\', 'ftp://', ''), host, fc.string());
  fc.assert(
    fc.property(text, (parts) => {
      try {
        const url = checkTarget(parts.join(''), guardFor());
        expect(url.protocol).toMatch(/^https?:$/);
        expect(url.username + url.password).toBe('');
        // Judged again by its own words it passes again: nothing was read in two ways.
        expect(check(url.href)).toBe(url.href);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        expect(error.code).toBe('target_refused');
      }
    }),
    { numRuns: 2000 },
  );
});
