// Whatever a caller sends is read in time that grows with its length and no faster. Told apart by a factor of a thousand and
// not by a clock: at 400 KB a linear reader takes milliseconds, a quadratic one minutes.
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { expressionsOf } from './expressions.ts';

/** For one reader and one text, on a machine however busy. */
const patienceMs = 20_000;

it("every reader of a caller's words and every regular expression of ours takes 400 KB of any character at once", async () => {
  const thread = new Worker(new URL('./reading-thread.ts', import.meta.url), { execArgv: [] });
  let last = 'the start';
  let cases = 0;
  const end = await new Promise<string>((resolve) => {
    const tooLong = () => resolve(`held up by ${last}`);
    let timer = setTimeout(tooLong, 2 * patienceMs);
    thread.on('message', (text: string) => {
      clearTimeout(timer);
      if (text === 'done') return resolve('done');
      last = text;
      cases++;
      timer = setTimeout(tooLong, patienceMs);
    });
    thread.on('error', (error) => resolve(`${last}: ${error.stack}`));
  });
  await thread.terminate();
  expect(end).toBe('done');
  expect(cases).toBeGreaterThan(2000);
}, 180_000);

it('the expressions are really found', async () => {
  const found = (await expressionsOf()).map(({ place, expression }) => `${place} ${expression}`);
  expect(found.length).toBeGreaterThan(60);
  expect(found).toContain('src/access/keys.ts /^sk_live_[A-Za-z0-9]{32}$/');
});
