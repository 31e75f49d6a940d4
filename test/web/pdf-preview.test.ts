// A PDF is shown as its first page: in the playground, in captures and in lists.
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawFirstPage } from '../../src/http/dashboard/pdf-preview.ts';
import { Deadline } from '../../src/kernel/deadline.ts';
import { openWebHarness, password, type Visitor, type WebHarness } from './web-harness.ts';

let harness: WebHarness;
let visitor: Visitor;
beforeAll(async () => {
  harness = await openWebHarness();
  visitor = await harness.visitor();
  const wish = { name: '', email: 'reader@example.com', password };
  await harness.call(visitor.context, 'POST', '/api/sign-up', wish);
});
afterAll(() => harness?.close());

/** Of a picture as it is on the screen, once it is loaded: one point, by its share of the width and of the height. */
async function colourAt(picture: Locator, across: number, down: number): Promise<number[]> {
  await picture.scrollIntoViewIfNeeded();
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth), { timeout: 20_000 })
    .toBeGreaterThan(0);
  const { data, info } = await sharp(await picture.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (Math.round(down * (info.height - 1)) * info.width + Math.round(across * (info.width - 1))) * 3;
  return [...data.subarray(at, at + 3)];
}

const near = (colour: number[]) => colour.map((value) => expect.closeTo(value, -1));
const dark = near([0x0d, 0x11, 0x17]);

test('in the playground and in captures, with the colours of the page', async () => {
  const { page, faults } = visitor;
  await page.goto(`/playground?format=pdf&url=${encodeURIComponent(harness.target('/status'))}`);
  await page.getByRole('button', { name: 'Capture' }).click();
  const first = page.getByRole('img', { name: 'The first page of the PDF' });
  await first.waitFor();
  expect(await colourAt(first, 0.5, 0.03)).toEqual(dark);
  expect(await first.evaluate((image) => image.clientHeight / image.clientWidth)).toBeGreaterThan(1.2);
  await page.getByText(/^1 page, /).waitFor();

  await page.goto('/captures');
  const tile = page.getByRole('link', { name: 'Open All systems normal' });
  expect(await colourAt(tile.locator('img'), 0.5, 0.05)).toEqual(dark);
  await page.getByText('PDF, 1 page').waitFor();

  await page.goto('/usage');
  await page.getByRole('button', { name: /\/status/ }).click();
  expect(await colourAt(page.getByRole('img', { name: 'The result' }), 0.5, 0.1)).toEqual(dark);
  expect(faults).toEqual([]);
});

describe('a PDF that cannot be drawn', () => {
  const draw = (pdf: Buffer) =>
    drawFirstPage({ pdf, width: 100, mostHeight: 100 }, new Deadline(20_000, 'The preview'));

  test('gives no picture', async () => {
    expect(await draw(Buffer.from('%PDF-1.4 and nothing more'))).toBeUndefined();
  });

  // Ten forms that each draw the next one ten times.
  test('because it would take hours gives no picture, within 5 seconds and with 256 MB for PDFium', async () => {
    const before = process.memoryUsage.rss();
    let most = before;
    const looks = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 50);
    const started = performance.now();
    expect(await draw(nestedForms(10))).toBeUndefined();
    clearInterval(looks);
    expect(performance.now() - started).toBeLessThan(6000);
    // The thread itself takes some 40 MB.
    expect(most - before).toBeLessThan(256e6 + 64e6);
  });
});

function nestedForms(depth: number): Buffer {
  const stream = (head: string, body: string) => `<<${head}/Length ${body.length}>>stream\n${body}\nendstream`;
  const use = (object: number) => `/Resources<</XObject<</X ${object} 0 R>>>>`;
  const form = '/Type/XObject/Subtype/Form/BBox[0 0 100 100]';
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R${use(5)}>>`,
    stream('', '/X Do'),
    ...Array.from({ length: depth }, (_, i) => stream(form + use(6 + i), '/X Do '.repeat(10))),
    stream(form, '0 0 100 100 re f'),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${text}${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF`,
  );
}
