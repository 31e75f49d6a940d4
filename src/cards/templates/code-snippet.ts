import type { Node } from '@takumi-rs/core';
import type { Template } from '../card-types.ts';
import { box, column, row, sheet, spacer } from '../design/blocks.ts';
import { advance, codeLines, codeRuns, codeWidth, type Ink, wrapCode } from '../design/code.ts';
import { type Color, color, css, mix } from '../design/color.ts';
import { colorVariables, logo, paletteOf, site } from '../design/common.ts';
import { type Palette, palette, readable } from '../design/palette.ts';
import { brand } from '../design/people.ts';
import { text } from '../design/type.ts';

const leading = 1.55;

const inksOf = (colors: Palette): Record<Ink, Color> => ({
  plain: colors.ink,
  comment: colors.muted,
  string: readable(color(colors.isDark ? '#86efac' : '#15803d'), colors.ground),
  number: readable(color(colors.isDark ? '#fdba74' : '#c2410c'), colors.ground),
  word: colors.accentInk,
});

const example = `import { createHmac } from 'node:crypto';

// The signature replaces the key.
export function sign(path, secret) {
  const hmac = createHmac('sha256', secret);
  return path + '&signature=' + hmac.update(path).digest('hex');
}`;

export default {
  name: 'code-snippet',
  description: 'A few lines of code in an editor window. For snippets, gists and tutorials.',
  variables: {
    code: {
      type: 'text',
      doc: 'The code, with line breaks (%0A). Long code is set in a smaller size.',
      default: 'Hello, world',
    },
    title: { type: 'text', doc: 'A sentence above the window.' },
    filename: { type: 'text', doc: 'The name of the file, in the title bar.' },
    site,
    logo,
    ...colorVariables('#a78bfa', '#2e1065'),
  },
  example: { code: example, filename: 'sign.js', title: 'Sign a link in five lines' },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const ground = paletteOf(draft);
    const window = palette(color(ground.isDark ? '#0f1018' : '#ffffff'), ground.accent);
    const inks = inksOf(window);
    const head = await draft.fit(compact ? '' : draft.text('title'), {
      width: inner.width,
      height: inner.height * 0.22,
      sizes: shape === 'wide' ? [44, 40, 36, 32] : [64, 56, 48, 40, 36],
      weight: 650,
      color: ground.ink,
      balance: true,
    });
    const foot = !compact && brand(draft, ground);
    const bar = compact ? 36 : 60;
    const padding = compact ? 20 : 32;
    const height = inner.height - (head.height > 0 ? head.height + 28 : 0) - (foot ? 68 : 0);

    const lines = codeLines(draft.text('code'));
    const gutter = lines.length > 1 && !compact ? 2.2 : 0;
    const room = { width: inner.width - padding * 2, height: height - bar - padding - 16 };
    const longest = Math.max(8, ...lines.map(codeWidth));
    // The size follows from the longest line and the number of lines; below the smallest size, lines are wrapped.
    const wanted = Math.min(room.width / (longest * advance + gutter), room.height / (lines.length * leading));
    const size = Math.max(compact ? 18 : 20, Math.min(compact ? 28 : 34, Math.floor(wanted)));
    const lineHeight = Math.floor(size * leading);
    const columns = Math.max(8, Math.floor((room.width / size - gutter) / advance));
    const rows = lines.flatMap((line, i) => wrapCode(line, columns, i + 1));
    const capacity = Math.max(1, Math.floor(room.height / lineHeight));
    const isCut = rows.length > capacity;
    const shown = rows.slice(0, isCut ? Math.max(1, capacity - 1) : capacity);

    const letter = { size, font: 'mono', leading, pre: true } as const;
    const codeLine = ({ number, text: line }: { number: number | undefined; text: string }): Node =>
      row(
        { height: lineHeight },
        gutter > 0 &&
          text(number === undefined ? '' : String(number), {
            ...letter,
            color: window.muted,
            align: 'right',
            style: { width: size * 1.3, marginRight: size * (gutter - 1.3), flexShrink: 0 },
          }),
        // Code runs from left to right, also in a comment in Arabic.
        ...codeRuns(line).map((run) => ({
          ...text(run.text, { ...letter, color: inks[run.ink], style: { flexShrink: 0 } }),
          dir: 'ltr' as const,
        })),
      );
    const ellipsis = row(
      { height: lineHeight, paddingLeft: size * gutter },
      text('…', { ...letter, color: window.muted }),
    );
    const dot = compact ? 10 : 16;
    const light = (tint: string) =>
      box({ width: dot, height: dot, borderRadius: dot, backgroundColor: css(color(tint)), flexShrink: 0 });
    const filename = compact ? '' : draft.text('filename');
    const pane = column(
      {
        width: inner.width,
        borderRadius: compact ? 12 : 20,
        backgroundColor: css(window.ground),
        border: `2px solid ${css(mix(window.ground, window.ink, 0.14))}`,
        overflow: 'hidden',
        flexShrink: 0,
      },
      row(
        { height: bar, paddingLeft: padding - 8, paddingRight: padding - 8, gap: compact ? 8 : 12, flexShrink: 0 },
        light('#ff5f57'),
        light('#febc2e'),
        light('#28c840'),
        filename &&
          text(filename, {
            size: 22,
            font: 'mono',
            color: window.muted,
            lines: 1,
            style: { marginLeft: 16, minWidth: 0 },
          }),
      ),
      {
        ...column(
          { paddingLeft: padding, paddingRight: padding, paddingTop: 8, paddingBottom: padding - 8 },
          ...shown.map(codeLine),
          isCut && capacity > 1 && ellipsis,
        ),
        dir: 'ltr',
      },
    );
    return sheet(
      frame,
      { color: ground.ground, image: `linear-gradient(135deg, ${css(ground.ground)} 35%, ${css(ground.glow)} 100%)` },
      {},
      spacer(),
      head.height > 0 && box({ marginBottom: 28 }, head.node),
      pane,
      spacer(),
      foot && row({ height: 40, flexShrink: 0 }, foot),
    );
  },
} satisfies Template;
