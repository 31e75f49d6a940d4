import { beforeAll, describe, expect, it } from 'vitest';
import { fitText } from '../../src/cards/design/fit.ts';
import { kit } from '../../src/cards/design/kit.ts';
import { createPainter, type Painter } from '../../src/cards/painter.ts';

let painter: Painter;
beforeAll(async () => {
  painter = await createPainter();
});

const setting = { han: undefined, direction: 'ltr' } as const;
const place = (text: string, box: Parameters<typeof fitText>[1]) =>
  fitText(text, box, { measure: (node) => painter.measure(node, setting), ruler: painter.ruler });

const sizes = [104, 96, 88, 80, 72, 64, 58, 52, 46, 40, 36];
const words =
  'How we rebuilt the whole rendering pipeline, taught the cards to read from right to left — and made each of them four times faster. Très «élégant» & 99.98% sûr!'.split(
    ' ',
  );

describe('a text takes the largest size at which it fits', () => {
  const styles = [
    { weight: 650 },
    { weight: 400 },
    { weight: 800, tracking: -0.035 },
    { font: 'serif', weight: 600, tracking: -0.014 },
    { font: 'serif', italic: true, weight: 400, leading: 1.18 },
    { font: 'mono', weight: 400 },
  ] as const;

  it.each(styles)('and reports its true height: %o', async (style) => {
    for (let count = 1; count <= words.length; count += 2)
      for (const [width, height] of [
        [1056, 300],
        [592, 500],
        [420, 200],
      ] as const) {
        const fitted = await place(words.slice(0, count).join(' '), { ...style, width, height, sizes });
        const { children } = await painter.measure(kit.column({ alignItems: 'flex-start' }, fitted.node), setting);
        const real = children[0]?.height ?? 0;
        // Never higher than it said, and at most a line lower: widths are estimated on the safe side.
        expect(real, `${count} words in ${width} × ${height}`).toBeLessThanOrEqual(fitted.height + 1);
        expect(fitted.height).toBeLessThanOrEqual(height + 1);
        expect(fitted.height - real).toBeLessThan(fitted.size * 1.6);
      }
  });

  it('small type too, which is drawn wider', async () => {
    const lead = { width: 800, height: 400, lines: 4, sizes: [30, 28, 26, 24], leading: 1.38 };
    for (let count = 4; count <= words.length; count += 2) {
      const fitted = await place(words.slice(0, count).join(' '), lead);
      const { children } = await painter.measure(kit.column({ alignItems: 'flex-start' }, fitted.node), setting);
      expect(children[0]?.height).toBeLessThanOrEqual(fitted.height + 1);
    }
  });

  it('one word of one line is as large as it can be', async () => {
    expect((await place('Hello', { width: 1000, height: 300, sizes })).size).toBe(104);
    expect((await place('Hello', { width: 1000, height: 70, sizes })).size).toBe(64);
    expect((await place('Hello', { width: 200, height: 300, sizes })).size).toBeLessThan(96);
  });

  it('a word is made smaller rather than broken, as long as a size is left', async () => {
    const { size } = await place('Donaudampfschifffahrt', { width: 800, height: 600, sizes, weight: 700 });
    expect(size).toBeGreaterThan(46);
    expect(size).toBeLessThan(88);
  });

  it('what fits at no size is cut to the lines there are', async () => {
    const { node, size, height } = await place('word '.repeat(400), { width: 1000, height: 150, sizes, weight: 600 });
    expect(size).toBe(36);
    expect(height).toBeLessThanOrEqual(151);
    expect(node.style).toMatchObject({ lineClamp: 3, textOverflow: 'ellipsis' });
    const { children } = await painter.measure(kit.column({ alignItems: 'flex-start' }, node), setting);
    expect(children[0]?.height).toBeLessThanOrEqual(151);
  });

  it('an empty text has no height', async () => {
    expect(await place('', { width: 1000, height: 150, sizes })).toMatchObject({ size: 0, height: 0 });
  });
});
