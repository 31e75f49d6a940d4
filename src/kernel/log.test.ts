import { describe, expect, it } from 'vitest';
import { createLog, redact } from './log.ts';

describe('what is taken out of a text', () => {
  it.each([
    ['an API key anywhere', 'key sk_live_abcDEF123.', 'key sk_live_[redacted].'],
    ['a key with an escaped sign', '/v1/sk%5Flive_abcDEF123/x', '/v1/sk_live_[redacted]/x'],
    ['an escaped key', '/%73%6B%5f%6cive%5F%61bc%44EF%31%3223/x', '/sk_live_[redacted]/x'],
    ['a key that is escaped twice', '?u=sk%255Flive%25255Fabc%2544EF%2Fx', '?u=sk_live_[redacted]%2Fx'],
    ['an escape inside a key', 'sk_live_abc%44EF123 and sk_live_abc', 'sk_live_[redacted] and sk_live_[redacted]'],
    ['a key in a query', 'https://a/?api_key=hunter2&b=1', 'https://a/?api_key=[redacted]&b=1'],
    ['a signed link', '/v1/og?a=1&key_id=key_1&signature=0f0f', '/v1/og?a=1&key_id=[redacted]&signature=[redacted]'],
    ['a set-up link', 'http://a/setup?token=hunter2', 'http://a/setup?token=[redacted]'],
    [
      'a token of another site',
      'https://a/?X-Amz-Security-Token=hunter2#x',
      'https://a/?X-Amz-Security-Token=[redacted]#x',
    ],
    ['a fragment', 'https://a/#access_token=hunter2&x=1', 'https://a/#access_token=[redacted]&x=1'],
    [
      'a URL in a URL',
      'https://a/?url=https%3A%2F%2Fb%2F%3Fapi_key%3Dhunter2%26x%3D1',
      'https://a/?url=https%3A%2F%2Fb%2F%3Fapi_key%3D[redacted]%26x%3D1',
    ],
    ['one in it again', '?u=a%253Ftoken%253Dhunter2%2526x', '?u=a%253Ftoken%253D[redacted]%2526x'],
    ['a password with an escaped &', '?password=hunter%262&x=1', '?password=[redacted]&x=1'],
    ['user and password', 'postgres://tintype:hunter2@db:5432/x', 'postgres://[redacted]@db:5432/x'],
  ])('%s', (_, text, clean) => expect(redact(text)).toBe(clean));

  it.each([
    'https://a/?page=2&q=keys',
    'a=b',
    'width must be 1 to 9',
    '%3Fa%3D1',
    'sk%5Flive',
    '%73k_live_%2F',
    'me@example.com',
  ])('%s stays as it is', (text) => expect(redact(text)).toBe(text));
});

it('of an error the log has type, code, text and cause, and none of the fields that clients hang on it', () => {
  const lines: string[] = [];
  const refused = Object.assign(new Error('WRONGPASS'), { code: 'ERR', command: { name: 'auth', args: ['hunter2'] } });
  const error = Object.assign(new Error('Redis', { cause: refused }), { input: 'redis://:hunter2@host' });
  createLog('debug', (line) => void lines.push(line)).warn({ err: error }, 'x');
  expect(lines.join()).not.toContain('hunter2');
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
    message: 'Redis',
    cause: { message: 'WRONGPASS', code: 'ERR' },
  });
});
