import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from './errors.ts';
import { choice, flag, float, int, rect } from './kinds.ts';
import { nearestName } from './nearest-name.ts';
import { cacheFields, findInQuery, parse, readQuery, type Table, warnOfUnknown } from './parameters.ts';

const table = {
  size: { kind: int(1, 100), default: 10, cache: 'always', stage: 'capture', doc: '' },
  ratio: { kind: float(1, 3), default: 1, cache: 'changed', stage: 'capture', doc: '' },
  dark: { kind: flag(), default: false, cache: 'changed', stage: 'capture', doc: '' },
  area: { kind: rect(1000, 1000), cache: 'always', stage: 'capture', doc: '' },
  form: { kind: choice(['png', 'pdf']), default: 'png', cache: 'always', stage: 'capture', doc: '' },
} as const satisfies Table;

describe('reading a query', () => {
  it('gives back every pair that was encoded, whatever the characters', () => {
    const value = fc.string({ unit: 'grapheme', maxLength: 40 });
    const pairs = fc.uniqueArray(fc.tuple(value.filter(Boolean), value), { selector: ([name]) => name, maxLength: 8 });
    fc.assert(
      fc.property(pairs, (list) => {
        const raw = list.map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`).join('&');
        expect([...readQuery(raw)]).toEqual(list);
      }),
    );
  });

  it('throws a 400 or reads it, for any text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (raw) => {
        try {
          parse(readQuery(raw), table);
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
          expect((error as Problem).status).toBe(400);
        }
      }),
    );
  });
});

describe('numbers', () => {
  it('are read as written or refused, never guessed at', () => {
    const { kind } = table.size;
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 6 }), fc.integer().map(String), fc.double().map(String)), (text) => {
        const value = kind.parse(text);
        if (value !== undefined) {
          expect(text).toMatch(/^\d+$/);
          expect(value).toBe(Number(text));
          expect(value >= 1 && value <= 100).toBe(true);
        }
      }),
    );
  });
});

describe('the fields of the cache key', () => {
  const values = fc.record({
    size: fc.integer({ min: 1, max: 100 }),
    ratio: fc.constantFrom(1, 1.5, 3),
    dark: fc.boolean(),
    form: fc.constantFrom('png', 'pdf'),
  });
  const fieldsOf = (query: Record<string, unknown>) =>
    JSON.stringify(
      cacheFields(
        table,
        parse(new Map(Object.entries(query).map(([name, value]) => [name, String(value)])), table).values,
      ),
    );

  it('are equal for equal requests and differ for different ones', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(fieldsOf(a) === fieldsOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  it('do not depend on the order of the query', () => {
    expect(fieldsOf({ size: 5, dark: true })).toBe(fieldsOf({ dark: true, size: 5 }));
  });
});

it('the nearest name is found for a slip and not for a stranger', () => {
  const names = ['fullPage', 'deviceScale', 'width', 'blockAds'];
  expect(nearestName('fullpage', names)).toBe('fullPage');
  expect(nearestName('full_page', names)).toBe('fullPage');
  expect(nearestName('widht', names)).toBe('width');
  expect(nearestName('zebra', names)).toBeUndefined();
});

describe('the bounds of a request', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, i) => `p${i}=1`).join('&');

  it('200 parameters are read, 201 are a 400 without one to blame', () => {
    expect(readQuery(numbered(200)).size).toBe(200);
    expect(() => readQuery(numbered(201))).toThrow('A request has at most 200 parameters.');
  });

  it('a name has 200 characters at most, however it is written', () => {
    expect(readQuery(`${'%61'.repeat(200)}=1`).get('a'.repeat(200))).toBe('1');
    for (const raw of [`${'a'.repeat(201)}=1`, '%61'.repeat(201)])
      expect(() => readQuery(raw)).toThrow('at most 200 characters');
  });

  it('holds for values that did not come in a query, too', () => {
    expect(() => parse(new Map(Array.from({ length: 201 }, (_, i) => [`p${i}`, ''])), table)).toThrow(
      'at most 200 parameters',
    );
    expect(() => parse(new Map([['a'.repeat(201), '']]), table)).toThrow('at most 200 characters');
  });

  it('of many unknown names twenty are told of, and how many are left', () => {
    const names = Array.from({ length: 150 }, (_, i) => `p${i}`);
    const told = warnOfUnknown(names, (name) => `${name}: unknown`);
    expect([told.length, told[19], told[20]]).toEqual([21, 'p19: unknown', '130 more unknown parameters']);
    expect(warnOfUnknown(['a'], (name) => name)).toEqual(['a']);
  });
});

describe('finding some names in a query', () => {
  const find = (raw: string) => Object.fromEntries(findInQuery(raw, ['api_key', 'signature']));

  it('finds them as URLSearchParams does, wherever they stand and however they are escaped', () => {
    for (const raw of [
      'api_key=a',
      '&&a=b&api_key=x%20y+z&c',
      'api%5Fkey=1',
      '%61%70%69%5f%6b%65%79=1',
      'api_key',
      'xapi_key=1&api_keyx=2',
      'API_KEY=1',
      'a=api_key=1',
      'signature=1&api_key==2',
      '%zz&%&api_key=%zz',
    ]) {
      const expected = new URLSearchParams(raw);
      for (const name of ['api_key', 'signature'])
        expect([raw, find(raw)[name]?.[0] ?? null]).toEqual([raw, expected.get(name)]);
    }
  });

  it('tells that one is given twice', () => {
    expect(find('api_key=1&x=2&api_key=3&api_key=4')).toEqual({ api_key: ['1', '3'] });
  });
});
