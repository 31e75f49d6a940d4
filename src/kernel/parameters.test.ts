import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from './errors.ts';
import { choice, flag, float, int, rect } from './kinds.ts';
import { cacheFields, nearestName, parse, readQuery, type Table } from './parameters.ts';

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
