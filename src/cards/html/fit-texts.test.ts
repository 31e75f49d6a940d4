// Finding the size of a text: the result is that of trying every size, with far fewer measurements of the card.
import type { Node } from '@takumi-rs/core';
import { beforeAll, expect, it } from 'vitest';
import { createPainter, type Painter } from '../painter.ts';
import { fitTexts } from './fit-texts.ts';

const sizes = [88, 80, 72, 64, 58, 52, 46, 40, 36, 32];
const texts = {
  words: 'How we made the build four times faster without buying a single machine',
  'hyphens and a line break':
    'State-of-the-art, end-to-end, low-latency\nedge-to-edge pipelines: a year-by-year look back',
  'a very long word': 'Donaudampfschifffahrtsgesellschaftskapitänsmütze und andere Wörter',
  Japanese: '大規模なリポジトリでの増分ビルドの手引き、正しいキャッシュと必要なときだけ走るテスト',
  Arabic: 'الترجمة الآلية في المستودعات الكبيرة مع ذاكرة مؤقتة صحيحة واختبارات سريعة',
  'too much for any size': 'and yet another sentence '.repeat(40),
};
const spacing = { none: {}, 'in pixels': { letterSpacing: '-2px' }, 'by its size': { letterSpacing: '0.05em' } };
const boxes = { 'two lines': { lines: 2 }, 'a low box': { lines: 12, height: 220 }, 'a wide line': { lines: 1 } };

let painter: Painter;
beforeAll(async () => {
  painter = await createPainter();
});

/** The size at which the text is set, undefined if it is cut; and how often the card was measured. */
async function setText(text: string, box: { lines: number; height?: number }, style: object, some: readonly number[]) {
  const node = { type: 'text', text, style: { ...style, fontFamily: 'Inter', minHeight: 0 } } as Node;
  const rest = { type: 'container', style: { flexShrink: 0, height: 630 - (box.height ?? 600) } } as Node;
  const column = { display: 'flex', flexDirection: 'column', width: 900, height: 630 } as never;
  const root: Node = { type: 'container', style: column, children: [node, rest] };
  let measurements = 0;
  await painter.loadFontsFor(text);
  await fitTexts(root, [{ node, sizes: some, lines: box.lines, group: '' }], () => {
    measurements++;
    return painter.measure(root, { han: undefined, direction: 'ltr' }, { width: 1200, height: 630 });
  });
  const set = node.style as { fontSize?: number; textOverflow?: string };
  const isCut = set.textOverflow !== undefined || (node as { text: string }).text !== text;
  return { size: isCut ? undefined : set.fontSize, measurements };
}

for (const [what, text] of Object.entries(texts))
  it(`a text is set at the largest size at which it fits: ${what}`, async () => {
    for (const box of Object.values(boxes))
      for (const style of Object.values(spacing)) {
        const each = await Promise.all(sizes.map(async (size) => (await setText(text, box, style, [size])).size));
        const { size, measurements } = await setText(text, box, style, sizes);
        expect(size, JSON.stringify({ box, style })).toBe(each.find((found) => found !== undefined));
        expect(measurements).toBeLessThanOrEqual(5);
      }
  });

it('a text that is too long for any size takes no room from another', async () => {
  const titleBeside = async (description: string) => {
    const title = { type: 'text', text: texts.words, style: { fontFamily: 'Inter', minHeight: 0 } } as Node;
    const other = { type: 'text', text: description, style: { fontFamily: 'Inter', flexShrink: 0 } } as Node;
    const column = { display: 'flex', flexDirection: 'column', width: 900, height: 400 } as never;
    const fits = [
      { node: title, sizes, lines: 6, group: '' },
      { node: other, sizes: [32, 28, 24], lines: 2, group: '' },
    ];
    const root: Node = { type: 'container', style: column, children: [title, other] };
    await fitTexts(root, fits, () =>
      painter.measure(root, { han: undefined, direction: 'ltr' }, { width: 1200, height: 630 }),
    );
    return (title.style as { fontSize?: number }).fontSize;
  };
  const beside = await titleBeside(
    'Two lines of a description that is set at its smallest size. '.repeat(3).slice(0, 150),
  );
  expect(beside).toBeGreaterThan(64);
  expect(await titleBeside('A description that goes on and on. '.repeat(30))).toBe(beside);
});

it('an emoji made of letters is no missing letter', async () => {
  for (const box of Object.values(boxes)) {
    const { size } = await setText('The 🚀 thing to know', box, {}, sizes);
    expect(size).toBeDefined();
    expect((await setText('The 1️⃣ thing to know', box, {}, sizes)).size).toBe(size);
  }
});
