import { expect, it } from 'vitest';
import { goals } from '../../bench/goals.ts';
import { gotWorse, summary } from '../../bench/summary.ts';

it('says which figures got worse by more than 10 %, whichever direction is worse', () => {
  const all = (of: Record<string, number>) =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [name, { value }]));
  const last = { 'capture.small.view': 1, 'capture.small.full': 1, 'batch.idle': 1, 'batch.beside': 1 };
  const now = { 'capture.small.view': 1.11, 'capture.small.full': 1.09, 'batch.idle': 0.89, 'batch.beside': 1.2 };
  const [, below] = summary(all(now), all(last)).split('Worse than the last result by more than 10 %:\n');
  expect(below?.split('\n')).toEqual([
    '  capture.small.view: small page without scripts: viewport, png',
    '  batch.idle: a batch on an idle machine',
  ]);
});

it('shows each figure beside its goal and the last result', () => {
  const text = summary(
    { 'capture.small.pdf': { value: 1.3 }, 'card.vercel': { value: 3.5 } },
    { 'capture.small.pdf': { value: 1.25 }, 'hit.p99': { value: 9 } },
  );
  expect(text).toMatch(/without scripts: PDF +\| +1\.30 × playwright-core \| +≤ 1\.1 \| missed \| +1\.25 \| +\+4 % \|/);
  expect(text).toMatch(/png card over HTTP +\| +3\.50 × as fast as @vercel\/og \| +≥ 2\.5 \| +met \|/);
  expect(text).toContain('Nothing got worse by more than 10 %.');
  expect(text).toContain('In the last result, but not measured now:\n  hit.p99');
});

it('does not call a small change of a figure near zero worse', () => {
  const goal = goals['cluster.render'];
  expect(gotWorse(goal, 0.9, 0.1)).toBe(false);
  expect(gotWorse(goal, 1.2, 0.1)).toBe(true);
  expect(gotWorse(goal, 12, 10.5)).toBe(true);
});

it('compares with nothing where there is no result yet', () => {
  expect(summary({ 'card.time': { value: 9 } }, undefined)).not.toContain('worse');
});
