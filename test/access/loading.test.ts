import { expect, it } from 'vitest';
import { loadAuth } from '../../src/access/auth.ts';
// A server has loaded the store before, and with it Kysely, which the library needs, too.
import '../../src/store/open.ts';
import { measureTurns } from '../harness/measure-turns.ts';

it('loads the sign-in library in parts: requests are served meanwhile', async () => {
  const { longest, all } = await measureTurns(loadAuth());
  expect(longest).toBeLessThan(all / 2);
});
