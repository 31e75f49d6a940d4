// What the styles of HTML templates look like on the card.
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { createHtmlPainter } from '../../src/cards/html/html-painter.ts';
import { readTemplate } from '../../src/cards/html/read-html.ts';
import { describe as about } from '../../src/cards/template-document.ts';
import { Deadline } from '../../src/kernel/deadline.ts';
import { createLog } from '../../src/kernel/log.ts';

const painter = createHtmlPainter(createLog('silent'), 1);
const deadline = new Deadline(60_000);
afterAll(async () => {
  deadline.done();
  await painter.stop();
});

async function paint(source: string, width = 1200, height = 630): Promise<Buffer> {
  const { variables } = about(readTemplate(source).variables, {});
  const canvas = { width, height, format: 'png', quality: 80 } as const;
  return (await painter.paint({ source, variables, files: [], values: {}, pictures: [], canvas }, deadline)).bytes;
}

/** Grey levels, row by row. */
const greys = (png: Buffer, size = { width: 1200, height: 630 }): Promise<Buffer> =>
  sharp(png).resize(size).greyscale().raw().toBuffer();

it("gradients by Tailwind's older name are painted like those by the newer one", async () => {
  const card = (name: string) => paint(`<div class="w-full h-full ${name} from-black to-white"></div>`);
  const older = await card('bg-gradient-to-r');
  expect(older).toEqual(await card('bg-linear-to-r'));
  const row = (await greys(older)).subarray(0, 1200);
  expect(row[10]).toBeLessThan(20);
  expect(row[1190]).toBeGreaterThan(235);
});

it('code is set in letters of one width', async () => {
  const widthOf = async (word: string) => {
    const row = await sharp(await paint(`<code>|${word}|</code>`))
      .greyscale()
      .trim()
      .toBuffer({ resolveWithObject: true });
    return row.info.width;
  };
  expect(await widthOf('iiiiiiii')).toBe(await widthOf('MMMMMMMM'));
});

it('a small card is the large one, made smaller', async () => {
  const html = `<div class="flex flex-col w-full h-full p-[72px] bg-white justify-between"><h1 class="text-[88px] font-bold">Pictures</h1><div class="w-[300px] h-[120px] bg-black"></div></div>`;
  const size = { width: 200, height: 105 };
  const [small, large] = [await greys(await paint(html, 200, 105), size), await greys(await paint(html), size)];
  const difference = small.reduce((sum, grey, i) => sum + Math.abs(grey - (large[i] ?? 0)), 0) / small.length;
  expect(difference).toBeLessThan(4);
});

it('a drawing has gradients and clip paths, also put together from blocks', async () => {
  const drawing = `<svg width="1200" height="630" viewBox="0 0 1200 630"><defs>
    <linearGradient id="g"><stop stop-color="#000"/><stop offset="1" stop-color="#fff"/></linearGradient>
    <clipPath id="c"><rect width="1200" height="300"/></clipPath></defs>
    <rect width="1200" height="630" fill="url(#g)" clip-path="url(#c)"/></svg>`;
  for (const html of [drawing, drawing.replace('</svg>', '{{#if x}}<g/>{{/if}}</svg>')]) {
    const grey = await greys(await paint(html));
    const at = (x: number, y: number) => grey[y * 1200 + x] ?? 0;
    expect(at(10, 100)).toBeLessThan(20);
    expect(at(600, 100)).toBeGreaterThan(100);
    expect(at(600, 100)).toBeLessThan(155);
    expect(at(10, 500)).toBe(255);
  }
});

it.each([
  ['attributes', '<svg width="300" height="150" viewBox="0 0 10 10">'],
  ['a class', '<svg class="w-[300px] h-[150px]" viewBox="0 0 10 10">'],
  ['a stylesheet', '<style>.d { width: 300px; height: 150px }</style><svg viewBox="0 0 10 10" class="d">'],
  ['its style', `<svg style='width: 300px; height: 150px; fill: {{ink}}' viewBox="0 0 10 10">`],
])('a drawing has the size that %s give it, and keeps its proportions', async (_, start) => {
  const grey = await greys(await paint(`${start}<rect width="10" height="10"/></svg>`));
  const row = grey.subarray(75 * 1200, 76 * 1200);
  const inked = [...row.keys()].filter((x) => (row[x] ?? 255) < 100);
  expect([inked[0], inked.at(-1), inked.length]).toEqual([75, 224, 150]);
  expect(grey[160 * 1200 + 150]).toBe(255);
});

it('the style of a drawing places it on the card once, and its parts inherit strokes and fills', async () => {
  const grey = await greys(
    await paint(`<div class="relative w-full h-full"><svg width="100" height="100" viewBox="0 0 10 10"
      style="position: absolute; right: 0; bottom: 0; opacity: 0.5; fill: black"><rect width="10" height="10"/></svg></div>`),
  );
  expect(grey[0]).toBe(255);
  expect(grey[600 * 1200 + 1150]).toBeGreaterThan(120);
  expect(grey[600 * 1200 + 1150]).toBeLessThan(135);
});

it.each([
  ['its class', '<body class="bg-black p-[100px]">'],
  ['its style', '<html><head><title>{{title}}</title></head><body style="background: black; padding: 100px">'],
  ['a stylesheet', '<style>html, body { margin: 0 } body { background: #000; padding: 100px }</style>'],
  ['blocks in it', '<style>{{#unless x}}body { background: #000; padding: 100px }{{/unless}}</style>'],
])('the body has the style that %s give it, and shows no title', async (_, start) => {
  const grey = await greys(await paint(`${start}<div class="w-full h-full bg-white"></div>`));
  const at = (x: number, y: number) => grey[y * 1200 + x];
  expect([at(50, 300), at(1150, 300), at(600, 50), at(600, 600)]).toEqual([0, 0, 0, 0]);
  expect([at(110, 110), at(1090, 110), at(110, 520), at(1090, 520)]).toEqual([255, 255, 255, 255]);
});

it('the margin of the body is on all sides', async () => {
  const grey = await greys(await paint('<body style="margin: 40px; background: black">'));
  const at = (x: number, y: number) => grey[y * 1200 + x];
  expect([at(20, 300), at(1180, 300), at(600, 20), at(600, 610)]).toEqual([255, 255, 255, 255]);
  expect([at(45, 45), at(1155, 585)]).toEqual([0, 0]);
});

it('rules of :root hold for the whole card', async () => {
  const grey = await greys(await paint('<style>:root { --ground: #000; background: var(--ground) }</style><p></p>'));
  expect([grey[0], grey.at(-1)]).toEqual([0, 0]);
});

it('an empty ::before or ::after is painted, and leaves its text where it is', async () => {
  const box = 'position: relative; width: 400px; padding: 40px; font-size: 40px; line-height: 40px';
  const html = (content: string) => `<style>.a { ${box} }
    .a::after { content: ${content}; position: absolute; inset: 0; border: 10px solid black }
    .b::before { content: ''; display: block; height: 60px; background: black }</style>
    <p class="a">text</p><p class="b"></p>`;
  for (const content of [`''`, '""']) {
    const grey = await greys(await paint(html(content)));
    const at = (x: number, y: number) => grey[y * 1200 + x];
    expect([at(5, 60), at(395, 60), at(200, 5), at(200, 115), at(600, 125)]).toEqual([0, 0, 0, 0, 0]);
    expect([at(405, 60), at(200, 100), at(600, 185)]).toEqual([255, 255, 255]);
    const inside = [
      ...grey.subarray(45 * 1200 + 40, 45 * 1200 + 200),
      ...grey.subarray(60 * 1200 + 40, 60 * 1200 + 200),
    ];
    expect(Math.min(...inside)).toBeLessThan(60);
  }
});

it.each([
  ['a class', '<span class="inline-block mx-[20px] p-[10px] leading-none bg-black">Two words</span>'],
  [
    'its style',
    '<span style="display: inline-block; margin: 0 20px; padding: 10px; background: #000">Two words</span>',
  ],
  [
    'a stylesheet',
    '<style>.t { background: #000; padding: 10px; display:inline-block; margin-left: 20px }</style><span class="t">Two words</span>',
  ],
])('the words of an inline-block with margins that %s give it stay on one line', async (_, html) => {
  const grey = await greys(await paint(`<div>${html}</div>`));
  const rows = Array.from({ length: 630 }, (_, y) => grey[y * 1200 + 25] ?? 255).filter((value) => value < 20);
  const columns = [...grey.subarray(3 * 1200, 4 * 1200)].filter((value) => value < 20);
  expect(rows.length).toBeLessThan(70);
  expect(columns.length).toBeGreaterThan(140);
  expect(grey[3 * 1200 + 15]).toBe(255);
});
