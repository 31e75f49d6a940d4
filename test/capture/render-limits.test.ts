// Limits of a render that docs/security-model.md states, each reached by a page. The requests, the bytes and the memory of
// processes are in fleet.test.ts.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CaptureHarness, openCaptureHarness } from './capture-harness.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness();
});
afterAll(() => harness.close());

it('a page opens at most 1,000 connections; it is captured with a warning', async () => {
  let connections = 0;
  // Each answer ends its connection, so that the next request needs another one.
  const server = createServer((_, response) =>
    response.writeHead(204, { connection: 'close', 'access-control-allow-origin': '*' }).end(),
  ).on('connection', () => connections++);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const script = `const ask = async () => { for (let i = 0; i < 120; i++) await fetch('${origin}/?' + Math.random()).catch(() => {}) };
      Promise.all(Array.from({ length: 12 }, ask)).then(() => { document.body.id = 'done' })`;
    const { warnings } = await harness.capture(harness.site.page(`<h1>x</h1><script>${script}</script>`), {
      waitForSelector: '#done',
      timeout: 60_000,
    });
    expect(warnings.join()).toContain('limit of 1,000 connections');
    expect(connections).toBeGreaterThan(900);
    expect(connections).toBeLessThanOrEqual(1000);
  } finally {
    server.close();
  }
}, 120_000);

it('a page has 512 MB of JavaScript heap: with 240 MB it is captured, with 720 it is a 502', async () => {
  // Arrays of numbers are in the heap, 8 MB each; typed arrays would not be.
  const filled = (megabytes: number) => `<h1>x</h1><script>const all = [];
    for (let i = 0; i < ${megabytes / 8}; i++) all.push(new Array(1e6).fill(i + 0.5)); document.title = 'filled'</script>`;
  const few = await harness.capture(harness.site.page(filled(240)), { timeout: 60_000 });
  expect(few.page.title).toBe('filled');
  await expect(harness.capture(harness.site.page(filled(720)), { timeout: 60_000 })).rejects.toMatchObject({
    status: 502,
    code: 'renderer_unavailable',
  });
}, 180_000);
