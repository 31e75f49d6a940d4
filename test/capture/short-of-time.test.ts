// A picture with more pixels than there is time for. It takes its whole time: `npm run test:long`.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness();
});
afterAll(() => harness.close());

const band = (i: number) => `<p style="margin:0;height:100px;background:${i % 2 ? '#204060' : '#a0c0e0'}"></p>`;

it('a full page with more pixels than there is time for is the part there was time for, and says so', async () => {
  const html = `<body style="margin:0">${Array.from({ length: 340 }, (_, i) => band(i)).join('')}`;
  // 391 megapixels, and twice as much again to put them together.
  const query = { fullPage: true, width: 1280, deviceScale: 3, timeout: 12_000 };
  const captured = await harness.capture(harness.site.page(html), query);
  expect(captured.verdict.codes).toContain('cut');
  expect(captured.warnings.join()).toMatch(/no time to capture the page below \d+ px/);
  const picture = await pixels(captured.bytes);
  expect(picture.height).toBe(captured.height);
  expect(picture.height).toBeLessThan(102_000);
  for (let y = 150; y < picture.height; y += 300)
    expect(picture.at(1000, y)).toBe(Math.floor(y / 300) % 2 ? '#204060' : '#a0c0e0');
});
