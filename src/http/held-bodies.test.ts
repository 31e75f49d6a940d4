import { expect, it } from 'vitest';
import { createHeldBodies } from './held-bodies.ts';

const mb = 1024 * 1024;

it('an account holds 64 MB of bodies, and can send more when some are let go', () => {
  const { hold } = createHeldBodies();
  const first = hold('a', 40 * mb);
  expect(() => hold('a', 40 * mb)).toThrow('Too many large requests');
  first();
  hold('a', 40 * mb);
});

it('small bodies of an account are taken even if others hold all that there is', () => {
  const { hold } = createHeldBodies();
  for (let i = 0; i < 8; i++) hold(`large ${i}`, 64 * mb);
  expect(() => hold('other', 4 * mb)).toThrow('Too many large requests');
  hold('other', 100_000);
});
