import { expect, it } from 'vitest';
import { createRemovals } from './removals.ts';

it('a removal concerns its subject, those of an account all of its subjects, and that of all everybody', async () => {
  const removals = createRemovals();
  const seen = () =>
    Promise.all([removals.last('a', 'x'), removals.last('a', 'y'), removals.last('a', null), removals.last('b', 'x')]);
  const changed = async (...removal: string[]) => {
    const before = await seen();
    await removals.note(...removal);
    return (await seen()).map((last, at) => last !== before[at]);
  };
  expect(await seen()).toEqual(['', '', '', '']);
  for (let times = 0; times < 2; times++) {
    expect(await changed('a', 'x')).toEqual([true, false, false, false]);
    expect(await changed('a')).toEqual([true, true, true, false]);
    expect(await changed()).toEqual([true, true, true, true]);
  }
});

it('is forgotten after ten minutes, and where there are ten thousand of them', async () => {
  let now = 0;
  const removals = createRemovals(() => now);
  await removals.note('a', 'x');
  now += 11 * 60_000;
  await removals.note('a', 'y');
  expect(await removals.last('a', 'x')).toBe('');
  expect(await removals.last('a', 'y')).not.toBe('');
  for (let i = 0; i < 10_000; i++) await removals.note('b', String(i));
  expect(await removals.last('a', 'y')).toBe('');
  expect(await removals.last('b', '0')).not.toBe('');
});
