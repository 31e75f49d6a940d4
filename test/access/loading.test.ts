import { expect, it } from 'vitest';
import { loadAuth } from '../../src/access/auth.ts';
import { measureTurns } from '../harness/measure-turns.ts';

it('loads the sign-in library in parts: requests are served meanwhile', async () => {
  const { longest, all } = await measureTurns(loadAuth());
  expect(longest).toBeLessThan(all / 2);
});
