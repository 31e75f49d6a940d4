import { expect, it } from 'vitest';
import { Cancelled } from '../kernel/deadline.ts';
import { type ErrorCode, Problem } from '../kernel/errors.ts';
import { countsAsRender } from './counting.ts';

it.each<[ErrorCode, boolean]>([
  ['invalid_parameter', true],
  ['target_refused', true],
  ['unsupported_content', true],
  ['target_unreachable', true],
  ['render_timeout', true],
  ['renderer_unavailable', false],
  ['overloaded', false],
  ['shutting_down', false],
  ['storage_unavailable', false],
  ['internal_error', false],
  ['capture_rejected', false],
])('a render that ends with %s counts: %s', (code, counts) => {
  expect(countsAsRender(new Problem(code), true)).toBe(counts);
  expect(countsAsRender(new Problem(code), false)).toBe(false);
});

it('a render that nobody waits for any more counts if it took a slot; a defect of ours does not', () => {
  expect(countsAsRender(new Cancelled(), true)).toBe(true);
  expect(countsAsRender(new Cancelled(), false)).toBe(false);
  expect(countsAsRender(new TypeError('a defect'), true)).toBe(false);
});
