import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff, withContext } from '../../web/src/pages/templates/line-diff.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '<p>', ''), { maxLength: 30 });

test('a difference has all of both texts, in order', () => {
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      const diff = lineDiff(old.join('\n'), now.join('\n'));
      const of = (left: string) => diff.filter(({ kind }) => kind !== left).map(({ text }) => text);
      expect(of('added').join('\n')).toBe(old.join('\n'));
      expect(of('removed').join('\n')).toBe(now.join('\n'));
    }),
  );
});

test('only what changed is marked, with three lines around it', () => {
  const old = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  const diff = lineDiff(old.join('\n'), old.with(10, 'changed').join('\n'));
  expect(diff.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: 'line 10' },
    { kind: 'added', text: 'changed' },
  ]);
  const shown = withContext(diff).map((line) => line?.text ?? null);
  expect(shown).toEqual([
    null,
    'line 7',
    'line 8',
    'line 9',
    'line 10',
    'changed',
    'line 11',
    'line 12',
    'line 13',
    null,
  ]);
});

test('two long texts without a common line are compared at once', () => {
  const long = (word: string) => `${word}\n`.repeat(30_000);
  expect(lineDiff(long('a'), long('b'))).toHaveLength(60_001);
});
