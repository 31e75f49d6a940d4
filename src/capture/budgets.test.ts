import { expect, it } from 'vitest';
import { captureWeight } from './budgets.ts';

const view = { width: 1280, height: 800, deviceScale: 1, fullPage: false, format: 'png' };

it.each([
  [{}, 1],
  [{ width: 3840, height: 3840, deviceScale: 3 }, 9],
  [{ format: 'pdf' }, 2],
  [{ fullPage: true }, 1],
  [{ format: 'avif' }, 1],
  [{ format: 'avif', deviceScale: 2 }, 2],
  [{ format: 'avif', fullPage: true }, 3],
  [{ format: 'avif', width: 3840, height: 3840 }, 4],
])('a capture with %o counts as %i', (more, weight) => {
  expect(captureWeight({ ...view, ...more })).toBe(weight);
});
