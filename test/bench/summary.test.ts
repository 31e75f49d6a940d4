import { expect, it } from 'vitest';
import { goals } from '../../bench/goals.ts';
import { gotWorse, summary } from '../../bench/summary.ts';

it('says which figures got worse by more than 10 %, whichever direction is worse', () => {
  const last = { 'capture.small.png': 1, 'capture.small.jpg': 1, 'throughput.small': 1, 'throughput.heavy': 1 };
  const now = {
    'capture.small.png': 1.11,
    'capture.small.jpg': 1.09,
    'throughput.small': 0.89,
    'throughput.heavy': 1.2,
  };
  const [, below] = summary(now, last).split('Worse than the last result by more than 10 %:\n');
  expect(below?.split('\n')).toEqual([
    '  capture.small.png: small page, png',
    '  throughput.small: captures a second, small page',
  ]);
});

it('shows each figure beside its goal and the last result', () => {
  const text = summary({ 'capture.small.pdf': 1.3, 'hit.60KB': 0.9 }, { 'capture.small.pdf': 1.25, 'hit.304': 0.9 });
  expect(text).toMatch(/small page, PDF +\| +1\.30 × floor \| +≤ 1\.2 \| missed \| +1\.25 \| +\+4 % \|/);
  expect(text).toMatch(/hits of 60 KB +\| +0\.900 × bare node:http \| +≥ 0\.85 \| +met \|/);
  expect(text).toContain('Nothing got worse by more than 10 %.');
  expect(text).toContain('In the last result, but not measured now:\n  hit.304');
});

it('does not call a small change of a figure near zero worse', () => {
  const goal = goals['jobs.overhead'];
  expect(gotWorse(goal, 0.9, 0.1)).toBe(false);
  expect(gotWorse(goal, 1.2, 0.1)).toBe(true);
  expect(gotWorse(goal, 12, 10.5)).toBe(true);
});

it('compares with nothing where there is no result yet', () => {
  expect(summary({ 'card.time': 9 }, undefined)).not.toContain('worse');
});
