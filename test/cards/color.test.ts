import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Color, contrast, hex, luminance, mix, over, parseColor, white } from '../../src/cards/color.ts';
import { readableRatio, withContrast } from '../../src/cards/html/contrast-color.ts';

const opaque = (r: number, g: number, b: number): Color => ({ r, g, b, a: 1 });

describe('a color is read', () => {
  it.each<[string, Color]>([
    ['#f80', opaque(255, 136, 0)],
    ['#F80', opaque(255, 136, 0)],
    ['rebeccapurple', opaque(102, 51, 153)],
    ['White', opaque(255, 255, 255)],
    ['f80', opaque(255, 136, 0)],
    ['#ff8800', opaque(255, 136, 0)],
    ['#f808', { r: 255, g: 136, b: 0, a: 136 / 255 }],
    ['#ff880080', { r: 255, g: 136, b: 0, a: 128 / 255 }],
    ['rgb(255, 136, 0)', opaque(255, 136, 0)],
    ['rgb(255,136,0)', opaque(255, 136, 0)],
    ['rgb(255 136 0)', opaque(255, 136, 0)],
    ['rgb(100%, 50%, 0%)', opaque(255, 128, 0)],
    ['rgba(255, 136, 0, 0.5)', { r: 255, g: 136, b: 0, a: 0.5 }],
    ['rgb(255 136 0 / 50%)', { r: 255, g: 136, b: 0, a: 0.5 }],
    ['rgba(255 136 0 / .5)', { r: 255, g: 136, b: 0, a: 0.5 }],
    ['rgb(300 -20 0)', opaque(255, 0, 0)],
    ['hsl(0, 100%, 50%)', opaque(255, 0, 0)],
    ['hsl(120 100% 50%)', opaque(0, 255, 0)],
    ['hsl(240deg 100% 50%)', opaque(0, 0, 255)],
    ['hsl(-120 100% 50%)', opaque(0, 0, 255)],
    ['hsla(0, 100%, 50%, 0.25)', { r: 255, g: 0, b: 0, a: 0.25 }],
    ['HSL(480 100% 50% / 100%)', opaque(0, 255, 0)],
  ])('%s', (text, color) => {
    const parsed = parseColor(text);
    expect(parsed).toMatchObject({ r: color.r, g: color.g, b: color.b });
    expect(parsed?.a).toBeCloseTo(color.a, 5);
  });

  it.each([
    'reddish',
    'constructor',
    'transparent',
    'currentColor',
    '#ff',
    '#fffff',
    '#ggg',
    'rgb(1,2)',
    'rgb(1,2,3,4,5)',
    'rgb(1 2, 3)',
    'rgb(1,2,3 / 4)',
    'rgb(50%,2,3)',
    'rgb(1deg,2,3)',
    'hsl(1,2,3)',
    'hsl(10% 50% 50%)',
    'hsl(0 100% 50%',
    'hwb(0 0% 0%)',
    'lab(50% 0 0)',
    'color(srgb 1 0 0)',
    'var(--x)',
    'url(https://example.com)',
    '#fff; background: url(x)',
    'rgb(1e2,0,0)',
    'rgb(NaN,0,0)',
    ' #fff',
    '#fff ',
    '',
  ])('but not %j', (text) => {
    expect(parseColor(text)).toBeUndefined();
  });
});

describe('whatever is written where a color belongs', () => {
  const channel = fc.integer({ min: 0, max: 255 });
  const alpha = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);

  it('is a valid color or refused, and is read quickly', () => {
    const near = fc
      .array(fc.constantFrom('rgb', 'rgba', 'hsl', '(', ')', ',', ' ', '/', '%', 'deg', '.', '-', '#', '0', '9', 'f'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), near), (text) => {
        const color = parseColor(text);
        if (color === undefined) return;
        for (const value of [color.r, color.g, color.b]) expect(value >= 0 && value <= 255, text).toBe(true);
        expect(color.a >= 0 && color.a <= 1, text).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('is the same color in every form', () => {
    const hex = (value: number) => value.toString(16).padStart(2, '0');
    fc.assert(
      fc.property(channel, channel, channel, alpha, (r, g, b, a) => {
        expect(parseColor(`#${hex(r)}${hex(g)}${hex(b)}`)).toEqual(opaque(r, g, b));
        for (const text of [
          `rgba(${r}, ${g}, ${b}, ${a})`,
          `rgb(${r} ${g} ${b} / ${a})`,
          `RGB( ${r},${g},${b} , ${a} )`,
        ])
          expect(parseColor(text), text).toEqual({ r, g, b, a });
      }),
    );
  });
});

/** The colour, made darker or mixed with white until it has about this luminance. */
function scaledTo(from: Color, wanted: number): Color {
  const end = luminance(from) > wanted ? opaque(0, 0, 0) : opaque(255, 255, 255);
  let [near, far] = [0, 1];
  for (let step = 0; step < 12; step++) {
    const middle = (near + far) / 2;
    if (luminance(from) > wanted === luminance(mix(from, end, middle)) > wanted) near = middle;
    else far = middle;
  }
  const { r, g, b } = mix(from, end, far);
  return opaque(Math.round(r), Math.round(g), Math.round(b));
}

describe('whatever colors a caller picks', () => {
  const channel = fc.integer({ min: 0, max: 255 });
  const anyColor = fc.record({ r: channel, g: channel, b: channel, a: fc.constantFrom(0, 0.3, 0.7, 1) });
  // The hard ones: black and white can be read on them alike, so that a breath of the accent turns the scale.
  const undecided = fc
    .tuple(channel, channel, channel)
    .map(([r, g, b]) => scaledTo(opaque(r, g, b), Math.sqrt(1.05 * 0.05) - 0.05));
  const computed = (css: string): Color => {
    const color = parseColor(withContrast(css));
    if (!color) throw new Error(`${css} gives ${withContrast(css)}.`);
    return color;
  };

  it('text is legible on its background', () => {
    fc.assert(
      fc.property(fc.oneof(anyColor, undecided), anyColor, (first, second) => {
        const [ground, accent] = [hex(first), hex(second)];
        const seen = over(first, white);
        const pairs: [string, Color][] = [
          ['contrast-color', computed(`contrast-color(${ground})`)],
          ['readable-color', computed(`readable-color(${accent}, ${ground})`)],
          [
            'of a mixture',
            computed(`readable-color(color-mix(in srgb, contrast-color(${ground}) 64%, ${ground}), ${ground})`),
          ],
        ];
        for (const [what, ink] of pairs) expect(contrast(ink, seen), what).toBeGreaterThanOrEqual(readableRatio);
        expect(contrast(computed(`sign-color(${ground})`), seen)).toBeGreaterThanOrEqual(3);
      }),
      { numRuns: 3000, examples: [[opaque(218, 1, 172), opaque(218, 243, 42)]] },
    );
  });

  it('text on two backgrounds is legible on both, where any color is', () => {
    fc.assert(
      fc.property(anyColor, anyColor, (first, second) => {
        const [ground, glow] = [over(first, white), mix(over(first, white), over(second, white), 0.1)];
        const both = `${hex(ground)}, ${hex(glow)}`;
        for (const ink of [computed(`contrast-color(${both})`), computed(`readable-color(#ff0000, ${both})`)])
          expect(Math.min(contrast(ink, ground), contrast(ink, glow))).toBeGreaterThanOrEqual(
            Math.min(
              readableRatio,
              0.98 *
                Math.max(
                  ...['#000', '#fff'].map((end) =>
                    Math.min(...[ground, glow].map((each) => contrast(computedHex(end), each))),
                  ),
                ),
            ),
          );
      }),
      { numRuns: 1000 },
    );
  });
});

const computedHex = (text: string): Color => parseColor(text) ?? white;

describe('a mixture', () => {
  it.each([
    ['color-mix(in srgb, #000000, #ffffff)', '#808080ff'],
    ['color-mix(in srgb, #ff0000 25%, #0000ff)', '#4000bfff'],
    ['color-mix(in srgb, #ff0000, #0000ff 25%)', '#bf0040ff'],
    // Colors weigh as much as they are opaque.
    ['color-mix(in srgb, #ff0000, #0000ff00)', '#ff000080'],
  ])('%s', (css, mixed) => {
    expect(withContrast(css)).toBe(mixed);
  });

  it.each([
    'color-mix(in oklch, #000000, #ffffff)',
    'color-mix(in srgb, #000000, transparent)',
    'contrast-color(var(--x))',
  ])('%s is left to the engine', (css) => expect(withContrast(css)).toBe(css));
});
