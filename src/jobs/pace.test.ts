import { expect, it } from 'vitest';
import { createPace } from './pace.ts';

const slots = 4;
function paceAt(cores: number) {
  const time = { now: 0 };
  const pace = createPace(cores, () => time.now);
  return { time, pace };
}

it('uses all slots but one where nobody waits for a render', () => {
  expect(paceAt(2).pace.capacity(slots)).toBe(3);
  expect(paceAt(1).pace.capacity(1)).toBe(1);
});

it('runs no job beside a render that somebody waits for, nor right after it; then one; then all', () => {
  const { time, pace } = paceAt(2);
  pace.begin(true)();
  const end = pace.begin(false);
  expect(pace.capacity(slots)).toBe(0);
  end();
  expect(pace.capacity(slots)).toBe(0);
  time.now = 1000;
  expect(pace.capacity(slots)).toBe(1);
  time.now = 30_000;
  expect(pace.capacity(slots)).toBe(3);
});

it('lets one job in after 40 renders or 15 seconds without a gap', () => {
  const { time, pace } = paceAt(2);
  pace.begin(true)();
  pace.begin(false);
  for (let i = 0; i < 39; i++) pace.begin(false)();
  expect(pace.capacity(slots)).toBe(0);
  pace.begin(false)();
  expect(pace.capacity(slots)).toBe(1);
  const end = pace.begin(true);
  time.now = 20_000;
  expect(pace.capacity(slots)).toBe(0);
  end();
  expect(pace.capacity(slots)).toBe(1);
});

it('uses the free cores of a large machine', () => {
  const { pace } = paceAt(16);
  pace.begin(true)();
  pace.begin(false);
  expect(pace.capacity(32)).toBe(6);
});
