import { expect, it } from 'vitest';
import { loadAuth } from '../../src/access/auth.ts';
// A server has loaded it before: the library needs the same driver of databases.
import '../../src/store/open.ts';
import { measureTurns } from '../harness/measure-turns.ts';

it('loads the sign-in library in parts: requests are served meanwhile', async () => {
  const { longest, all } = await measureTurns(loadAuth());
  expect(longest).toBeLessThan(all / 2);
});
