import { describe, expect, it } from 'vitest';
import { storedParameters, storedWarnings } from './usage-texts.ts';

const bytes = (text: string) => Buffer.byteLength(text);

describe('what is stored of a request', () => {
  it.each(['a', 'ü', '\u0000', '👩‍👩‍👧', '"'])(
    'is 8 KB at most, whatever 200 parameters and 200 warnings of %j are',
    (unit) => {
      const query = new Map(Array.from({ length: 200 }, (_, i) => [`${i}${unit.repeat(90)}`, unit.repeat(60_000)]));
      query.set('url', 'https://example.com/');
      const parameters = storedParameters(query);
      const warnings = storedWarnings([...query.values()]);
      expect(bytes(parameters) + bytes(warnings)).toBeLessThanOrEqual(8192);
      const shown = JSON.parse(parameters);
      expect(shown.url).toBe('https://example.com/');
      expect(Number.parseInt(shown['…'], 10)).toBe(201 - (Object.keys(shown).length - 1));
      const told = JSON.parse(warnings) as string[];
      expect(told.at(-1)).toBe(`… ${201 - (told.length - 1)} more warnings`);
    },
  );

  it('is whole where it is short, and marked where it was cut', () => {
    const query = new Map([
      ['width', '800'],
      ['customCSS', 'x'.repeat(501)],
      ['api_key', 'secret'],
      ['signature', 'f'],
    ]);
    expect(JSON.parse(storedParameters(query))).toEqual({ width: '800', customCSS: `${'x'.repeat(500)}…` });
    expect(storedWarnings([])).toBe('[]');
    expect(storedWarnings(['blank page'])).toBe('["blank page"]');
  });

  it('has no headers, cookies and passwords, even under a misspelt name', () => {
    const names = ['headers', 'cookies', 'basicAuth', 'header', 'Cookie', 'authorization', 'basic_auth', 'password'];
    const query = new Map([...names.map((name) => [name, 'canary'] as const), ['headerTemplate', 'x'] as const]);
    expect(storedParameters(query)).toBe('{"headerTemplate":"x"}');
  });

  it('has no secret of a captured address, even one that the cut goes through', () => {
    const url = `https://a/?${'x'.repeat(480)}&api_key=hunter2hunter2hunter2`;
    expect(storedParameters(new Map([['url', url]]))).not.toContain('hunter2');
  });
});
