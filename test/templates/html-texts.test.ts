// What HTML templates do with texts and colors beside showing them: data-fit, initials, contrast-color(), readable-color(), text from right to left.
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

/** Grey levels of a card of 1200 × 630, row by row. */
async function paint(source: string, values: Record<string, string> = {}) {
  const { variables } = about(readTemplate(source).variables, {});
  const canvas = { width: 1200, height: 630, format: 'png', quality: 80 } as const;
  const { bytes } = await painter.paint({ source, variables, files: [], values, pictures: [], canvas }, deadline);
  const { data } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  return {
    at: (x: number, y: number) => data[y * 1200 + x] ?? 0,
    /** The part of the card from x on, as bytes. */
    from: (x: number) =>
      Buffer.concat(Array.from({ length: 630 }, (_, y) => data.subarray(y * 1200 + x, (y + 1) * 1200))),
    inkedRows: () =>
      Array.from({ length: 630 }, (_, y) => y).filter((y) =>
        data.subarray(y * 1200, (y + 1) * 1200).some((v) => v < 100),
      ),
  };
}

it('contrast-color() is light on dark and dark on light, in stylesheets, classes and style attributes', async () => {
  const html = `<style>.a { background: contrast-color({{ground}}) }</style>
    <div class="a w-full h-[210px]"></div>
    <div class="w-full h-[210px] bg-[contrast-color({{ground}})]"></div>
    <div class="w-full h-[210px]" style="background: contrast-color({{ground}})"></div>`;
  const onDark = await paint(html, { ground: '#1c1917' });
  const onLight = await paint(html, { ground: '#fde047' });
  for (const y of [100, 310, 520]) {
    expect(onDark.at(600, y)).toBeGreaterThan(240);
    expect(onLight.at(600, y)).toBeLessThan(20);
  }
});

it('data-fit with min-h-0 makes a text smaller until it leaves room for the rest of its column', async () => {
  const html = `<div class="flex flex-col w-full h-full"><h1 data-fit="120 80 40" data-lines="12" class="min-h-0 leading-tight">{{title}}</h1><div class="shrink-0 h-[400px]"></div></div>`;
  const rows = (await paint(html, { title: 'word '.repeat(30) })).inkedRows();
  expect(rows.length).toBeGreaterThan(20);
  expect(Math.max(...rows)).toBeLessThan(230);
});

it('data-fit does not break a word that fits in a smaller size', async () => {
  const html = `<div class="w-[500px]"><h1 data-fit="120 60" data-lines="3" class="leading-none">{{title}}</h1></div>`;
  const whole = (await paint(html, { title: 'Internationalize' })).inkedRows();
  expect(Math.max(...whole)).toBeLessThan(80);
});

it('data-initials shows the first letters', async () => {
  const [initials, same] = await Promise.all([
    paint('<b data-initials>{{author}}</b>', { author: 'Ada King Lovelace' }),
    paint('<b>{{author}}</b>', { author: 'AL' }),
  ]);
  expect(initials.from(0).equals(same.from(0))).toBe(true);
});

it('a text from right to left is cut at its end, not at its beginning', async () => {
  const html = '<div class="flex w-full"><p class="w-[400px] truncate text-[40px]">{{title}}</p></div>';
  const words = 'كيف أعدنا بناء خط إنتاج الصور بالكامل وجعلناه أسرع';
  const cut = await paint(html, { title: words });
  const whole = await paint(html.replace('truncate', '').replace('w-[400px]', 'w-full'), { title: words });
  // The first word is at the right edge of both.
  expect(cut.from(1140).equals(whole.from(1140))).toBe(true);
  expect(cut.from(1140).some((value) => value < 100)).toBe(true);
});

it('readable-color() is the color itself where it can be read, and darker or lighter where it cannot', async () => {
  const html = `<style>.a { background: readable-color({{accent}}, {{ground}}) }</style>
    <div class="a w-full h-[150px]"></div>
    <div class="w-full h-[150px] bg-[readable-color({{accent}}, {{ground}})]"></div>
    <div class="w-full h-[150px]" style="background: readable-color({{accent}}, {{ground}})"></div>
    <svg width="1200" height="150"><rect width="1200" height="150" fill="readable-color({{accent}}, {{ground}})"/></svg>`;
  const [itself, darker, lighter] = await Promise.all([
    paint(html, { accent: '#b4442e', ground: '#ffffff' }),
    paint(html, { accent: '#fde047', ground: '#ffffff' }),
    paint(html, { accent: '#1c1917', ground: '#1c1917' }),
  ]);
  const plain = await paint('<div class="w-full h-full bg-[#b4442e]"></div>');
  for (const y of [75, 225, 375, 525]) {
    expect(itself.at(600, y)).toBe(plain.at(600, y));
    // 4.5:1 on white is grey level 118, on #1c1917 it is 134.
    expect(darker.at(600, y)).toBeLessThan(119);
    expect(darker.at(600, y)).toBeGreaterThan(80);
    expect(lighter.at(600, y)).toBeGreaterThan(133);
    expect(lighter.at(600, y)).toBeLessThan(170);
  }
});

it.each(['contrast-color(nothing)', 'readable-color(nothing, #ffffff)', 'readable-color(#ffffff)'])(
  '%s is a mistake with its line and column',
  async (color) => {
    await expect(paint(`<div></div>\n<p style="color: ${color}">x</p>`)).rejects.toThrow('Line 2, column 1');
  },
);

it.each([
  ['a class', '<p class="whitespace-pre-line leading-tight">{{title}}</p>'],
  ['its style', '<p style="white-space: pre-wrap">{{title}}</p>'],
  ['a stylesheet', '<style>.lines { white-space: pre-line }</style><p class="lines">{{title}}</p>'],
  ['<pre>', '<pre>\n{{title}}\n</pre>'],
])('lines of a text stay lines where %s says so', async (_, html) => {
  const lines = async (title: string) => {
    const rows = (await paint(html, { title })).inkedRows();
    return rows.filter((row, i) => i === 0 || row - (rows[i - 1] ?? 0) > 5).length;
  };
  expect(await lines('xxx\nxxx\nxxx')).toBe(3);
  expect(await lines('xxx xxx xxx')).toBe(1);
});

it('without that, a text is one paragraph, and <pre> keeps the indentation of its first line', async () => {
  const plain = await paint('<p>{{title}}</p>', { title: 'xxx\nxxx' });
  expect(plain.from(0).equals((await paint('<p>xxx   xxx</p>')).from(0))).toBe(true);
  const indented = await paint('<pre>\n    x\n</pre>');
  const inMargin = Array.from({ length: 60 }, (_, y) => indented.at(10, y));
  expect(Math.min(...inMargin)).toBe(255);
});
