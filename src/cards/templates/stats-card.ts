import type { Node } from '@takumi-rs/core';
import type { Draft, Template, Variable } from '../card-types.ts';
import { between, box, column, row, rule, sheet, spacer } from '../design/blocks.ts';
import { css } from '../design/color.ts';
import { author, avatar, colorVariables, date, description, logo, paletteOf, site, title } from '../design/common.ts';
import type { Palette } from '../design/palette.ts';
import { authorLine, brand } from '../design/people.ts';
import { scale, text } from '../design/type.ts';

const most = [1, 2, 3, 4] as const;
const numeral = { weight: 700, leading: 1, tracking: -0.026 };
const numeralSizes = [200, 176, 152, 136, 120, 108, 96, 84, 72, 64, 56, 48, 40, 32, 24];

const figureVariables: Record<string, Variable> = Object.fromEntries(
  most.flatMap((n): [string, Variable][] => [
    [`stat${n}_number`, { type: 'text', doc: `Figure ${n}, shown as written, such as 99.98% or 1.2M.` }],
    [`stat${n}_label`, { type: 'text', doc: `What figure ${n} counts.` }],
  ]),
);

type Figure = { readonly number: string; readonly label: string };

const figuresOf = (draft: Draft): Figure[] =>
  most
    .map((n) => ({ number: draft.text(`stat${n}_number`), label: draft.text(`stat${n}_label`) }))
    .filter(({ number, label }) => number !== '' || label !== '');

/** The figures in rows and columns that fill the space. */
async function grid(draft: Draft, figures: readonly Figure[], height: number, colors: Palette): Promise<Node> {
  const { inner, compact, shape } = draft.frame;
  const columns = shape === 'wide' ? figures.length : figures.length === 4 ? 2 : 1;
  const rows = Math.ceil(figures.length / columns);
  const gap = compact ? 24 : 40;
  const width = (inner.width - (columns - 1) * (gap * 2 + 2)) / columns;
  const labelSize = compact ? 20 : shape === 'wide' ? scale.body : 30;
  const labels = await Promise.all(
    figures.map(({ label }) =>
      draft.fit(label, {
        width,
        height,
        lines: shape === 'wide' ? 2 : 1,
        sizes: [labelSize],
        leading: 1.35,
        color: colors.muted,
      }),
    ),
  );
  const labelHeight = Math.max(...labels.map((label) => label.height));
  const cell = (height - (rows - 1) * gap) / rows;
  const tallest = Math.max(24, cell - labelHeight - 16);
  const fitted = await Promise.all(
    figures.map(({ number }) =>
      draft.fit(number || '–', { ...numeral, width, height: tallest, lines: 1, sizes: numeralSizes }),
    ),
  );
  // All in the size that fits the widest one, so that they can be compared.
  const size = Math.min(...fitted.map((figure) => figure.size));
  const cells = figures.map(({ number, label }, i) =>
    column(
      { width, gap: compact ? 8 : 16, flexShrink: 0 },
      text(number || '–', { ...numeral, size, color: colors.accentInk, lines: 1 }),
      label && labels[i]?.node,
    ),
  );
  const line = box({ width: 2, alignSelf: 'stretch', backgroundColor: css(colors.line), flexShrink: 0 });
  const rowOf = (i: number) =>
    row(
      { gap, alignItems: 'flex-start' },
      ...cells.slice(i * columns, (i + 1) * columns).flatMap((part, n) => (n === 0 ? [part] : [line, part])),
    );
  return column({ gap }, ...Array.from({ length: rows }, (_, i) => rowOf(i)));
}

export default {
  name: 'stats-card',
  description: 'One to four figures, large. For reports, milestones and years in review.',
  variables: {
    title: { ...title, default: 'In numbers' },
    description,
    ...figureVariables,
    author,
    date,
    avatar,
    site,
    logo,
    ...colorVariables('#4ade80', '#07201a'),
  },
  example: {
    title: 'The year in numbers',
    stat1_number: '48.2M',
    stat1_label: 'pages rendered',
    stat2_number: '99.98%',
    stat2_label: 'of them at the first try',
    stat3_number: '31 ms',
    stat3_label: 'for a card, at the median',
    site: 'Tintype',
    date: '2026',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const colors = paletteOf(draft);
    const figures = figuresOf(draft).slice(0, compact ? 2 : 4);
    const date = draft.text('date');
    const signed = draft.text('author') !== '' || draft.image('avatar') !== undefined;
    const when = date && text(date, { size: scale.small, color: colors.muted, lines: 1 });
    const mark = brand(draft, colors);
    const footer =
      !compact &&
      (signed ? between(authorLine(draft, colors, 56), mark, { height: 64 }) : between(mark, when, { height: 40 }));
    const description = compact ? '' : draft.text('description');
    const headline = await draft.fit(draft.text('title'), {
      width: inner.width,
      height: figures.length > 0 ? inner.height * (compact ? 0.3 : 0.26) : inner.height * 0.6,
      sizes: figures.length > 0 ? (compact ? [32, 28, 24, 20] : [48, 44, 40, 36, 32]) : [104, 88, 72, 56, 44, 36, 28],
      weight: 600,
      color: colors.ink,
      balance: true,
    });
    const used = headline.height + (description ? 88 : 0) + (footer ? (signed ? 94 : 70) : 0) + (compact ? 24 : 72);
    return sheet(
      frame,
      { color: colors.ground, image: `linear-gradient(180deg, ${css(colors.ground)} 40%, ${css(colors.glow)} 140%)` },
      {},
      figures.length === 0 && spacer(),
      headline.node,
      description &&
        text(description, { size: scale.body, color: colors.muted, lines: 2, style: { marginTop: 12, maxWidth: 900 } }),
      spacer(shape === 'wide' ? 1 : 0.6),
      figures.length > 0 && (await grid(draft, figures, inner.height - used, colors)),
      spacer(),
      footer && column({ gap: 28, flexShrink: 0 }, rule(colors.line), footer),
    );
  },
} satisfies Template;
