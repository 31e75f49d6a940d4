// `omitBackground`: transparent where the page paints nothing, in every shape and format that can be transparent.
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { effectiveRequest } from '../../src/capture/capture-request.ts';
import { encode, isOneColor } from '../../src/capture/image.ts';
import { screenshotParameters } from '../../src/capture/parameters.ts';
import { parse } from '../../src/kernel/parameters.ts';
import { type CaptureHarness, openCaptureHarness } from './capture-harness.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness();
});
afterAll(() => harness.close());

/** Colour and opacity of a pixel as #rrggbbaa. */
async function decoded(bytes: Buffer) {
  const { data, info } = await sharp(bytes, { limitInputPixels: false })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) =>
    `#${data.toString('hex', (y * info.width + x) * 4, (y * info.width + x) * 4 + 4)}`;
  return { width: info.width, height: info.height, at };
}

const empty = '#00000000';
const boxes = `<!doctype html><body style="margin:0"><div id=e style="position:absolute;left:100px;top:100px;width:200px;height:100px;background:linear-gradient(#0000ff,#0000ff) 50px 0/100px no-repeat"></div>
  <div style="position:absolute;left:0;top:1900px;width:100px;height:100px;background:#ff000080"></div><p style="height:2000px;margin:0">`;

const capture = async (query: Record<string, string | number | boolean>, html = boxes) =>
  harness.capture(harness.site.page(html), { omitBackground: true, ...query });
const picture = async (query: Record<string, string | number | boolean>, html = boxes) =>
  decoded((await capture(query, html)).bytes);

describe('a page without a background is transparent', () => {
  it.each(['png', 'webp'])('as %s', async (format) => {
    const view = await picture({ format, quality: 100 });
    expect(view.at(5, 5).slice(7)).toBe('00');
    expect(view.at(200, 150).slice(5)).toMatch(/^f[cdef]ff$/);
  });

  it('in a clip, an element with padding and a full page', async () => {
    const clip = await picture({ clip: '100,100,200,100' });
    expect([clip.at(0, 0), clip.at(49, 50), clip.at(50, 50), clip.at(150, 50)]).toEqual([
      empty,
      empty,
      '#0000ffff',
      empty,
    ]);
    const element = await picture({ selector: '#e', padding: 10 });
    expect([element.width, element.height]).toEqual([220, 120]);
    expect([element.at(0, 0), element.at(110, 60), element.at(219, 119)]).toEqual([empty, '#0000ffff', empty]);
    const full = await picture({ fullPage: true });
    expect([full.height, full.at(500, 1990), full.at(50, 1950).slice(7)]).toEqual([2000, empty, '80']);
  });

  it('where a picture is cut to whole pixels', async () => {
    const element = await picture({ selector: '#e', padding: 9, deviceScale: 2.625 });
    expect([element.at(0, 0), element.at(element.width - 1, element.height - 1)]).toEqual([empty, empty]);
    expect(element.at(element.width >> 1, element.height >> 1)).toBe('#0000ffff');
  });

  it('in dark mode and on a phone', async () => {
    expect((await picture({ darkMode: true })).at(5, 5)).toBe(empty);
    expect((await picture({ device: 'iphone-14' })).at(5, 5)).toBe(empty);
  });
});

describe('what the page paints', () => {
  it('stays as it is', async () => {
    expect((await picture({}, '<body style="background:#ffffff">x')).at(300, 300)).toBe('#ffffffff');
    expect((await picture({}, '<html style="background:#00aa00">x')).at(300, 300)).toBe('#00aa00ff');
  });

  it('is on white without omitBackground', async () => {
    expect((await picture({ omitBackground: false })).at(5, 5)).toBe('#ffffffff');
  });

  it('in black is not taken for a blank page', async () => {
    const captured = await capture(
      {},
      '<body style="color:#000"><svg width=50 height=50><rect width=20 height=20 /></svg>',
    );
    expect(captured.verdict).toEqual({ ok: true, codes: [] });
    const blank = await capture({}, '<body>');
    expect(blank.verdict.codes).toEqual(['blank']);
  });
});

describe('alpha', () => {
  const piece = (height: number, alpha: number) =>
    sharp({ create: { width: 10, height, channels: 4, background: { r: 0, g: 0, b: 255, alpha } } })
      .png()
      .toBuffer();

  it.each([
    ['even', [30, 30, 10]],
    ['uneven', [30, 50, 20]],
  ])('survives the joining of %s pieces, in png and webp', async (_what, heights) => {
    const pieces = await Promise.all(heights.map((height, i) => piece(height, i === 1 ? 0 : 1)));
    const height = heights.reduce((sum, rows) => sum + rows, 0);
    for (const format of ['png', 'webp'])
      for (const omitBackground of ['true', 'false']) {
        const words = new Map(Object.entries({ url: 'https://example.com', format, omitBackground }));
        const request = effectiveRequest(parse(words, screenshotParameters));
        const joined = await decoded(await encode({ kind: 'image', pieces, width: 10, height }, request, 10_000));
        const alphas = [0, heights[0] ?? 0, height - 1].map((y) => joined.at(5, y).slice(7));
        expect(alphas).toEqual(omitBackground === 'true' ? ['ff', '00', 'ff'] : ['ff', 'ff', 'ff']);
      }
  });

  it('counts when a picture is of one colour', async () => {
    const black = { r: 0, g: 0, b: 0 };
    const ground = sharp({ create: { width: 200, height: 200, channels: 4, background: { ...black, alpha: 0 } } });
    const spot = await sharp({ create: { width: 20, height: 20, channels: 4, background: { ...black, alpha: 1 } } })
      .png()
      .toBuffer();
    expect(await isOneColor(await ground.clone().png().toBuffer())).toBe(true);
    const spotted = ground.composite([{ input: spot, left: 50, top: 50 }]);
    expect(await isOneColor(await spotted.png().toBuffer())).toBe(false);
  });
});
