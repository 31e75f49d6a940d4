import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openWebHarness } from './web-harness.ts';

test('a stop does not wait for connections that a browser opened in advance and never used', async () => {
  const harness = await openWebHarness();
  const unused = connect(Number(new URL(harness.url).port), '127.0.0.1');
  await new Promise((connected) => unused.once('connect', connected));
  const startedAt = Date.now();
  await harness.close();
  unused.destroy();
  // Without care it is the 60 s of Node's headersTimeout.
  expect(Date.now() - startedAt).toBeLessThan(15_000);
});
