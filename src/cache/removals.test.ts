import { expect, it } from 'vitest';
import { createRemovals } from './removals.ts';

it('a removal concerns its subject, those of an account all of its subjects, and that of all everybody', () => {
  const removals = createRemovals();
  const seen = () => [
    removals.last('a', 'x'),
    removals.last('a', 'y'),
    removals.last('a', null),
    removals.last('b', 'x'),
  ];
  const changed = (remove: () => unknown) => {
    const before = seen();
    remove();
    return seen().map((id, at) => id !== before[at]);
  };
  expect(seen()).toEqual(['', '', '', '']);
  expect(changed(() => removals.make('a', 'x'))).toEqual([true, false, false, false]);
  expect(changed(() => removals.make('a'))).toEqual([true, true, true, false]);
  expect(changed(() => removals.make())).toEqual([true, true, true, true]);
});

it('a removal is the same on another machine, also if it is told twice', () => {
  const [here, there] = [createRemovals(), createRemovals()];
  const removal = JSON.parse(JSON.stringify(here.make('a', 'x')));
  for (const machine of [here, there, there]) machine.note(removal);
  expect(there.last('a', 'x')).toBe(here.last('a', 'x'));
  expect(there.last('a', 'x')).not.toBe('');
});

it('is forgotten after ten minutes, and where there are ten thousand of them', () => {
  let now = 0;
  const removals = createRemovals(() => now);
  removals.make('a', 'x');
  now += 11 * 60_000;
  removals.make('a', 'y');
  expect(removals.last('a', 'x')).toBe('');
  expect(removals.last('a', 'y')).not.toBe('');
  for (let i = 0; i < 10_000; i++) removals.make('b', String(i));
  expect(removals.last('a', 'y')).toBe('');
  expect(removals.last('b', '0')).not.toBe('');
});
