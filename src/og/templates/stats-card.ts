import { box, column, row, rule, sheet, spacer } from '../design/blocks.ts';
import { css } from '../design/color.ts';
import { author, avatar, colorVariables, date, description, logo, paletteOf, site, title } from '../design/common.ts';
import { authorLine, brand } from '../design/people.ts';
import { scale, text } from '../design/type.ts';
import type { Draft, Template, Variable } from '../og-types.ts';

const figures = [1, 2, 3, 4] as const;
const figureSizes = [168, 152, 136, 120, 108, 96, 84, 72, 64, 56, 48, 40, 32, 24];

const figureVariables: Record<string, Variable> = Object.fromEntries(
  figures.flatMap((n): [string, Variable][] => [
    [`stat${n}_number`, { type: 'text', doc: `Figure ${n} as it should be read, such as 99.98% or 1.2M.` }],
    [`stat${n}_label`, { type: 'text', doc: `What figure ${n} counts.` }],
  ]),
);

const figuresOf = (draft: Draft) =>
  figures
    .map((n) => ({ number: draft.text(`stat${n}_number`), label: draft.text(`stat${n}_label`) }))
    .filter(({ number, label }) => number !== '' || label !== '');

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
    const shown = figuresOf(draft).slice(0, compact && shape === 'wide' ? 2 : 4);
    const columns = shape === 'wide' ? shown.length : shape === 'square' && shown.length === 4 ? 2 : 1;
    const gap = compact ? 32 : 56;
    const width = columns > 1 ? (inner.width - gap * (columns - 1)) / columns : inner.width;
    const rows = Math.ceil(shown.length / Math.max(1, columns));

    const description = compact ? '' : draft.text('description');
    const headline = await draft.fit(draft.text('title'), {
      width: inner.width,
      height: shown.length > 0 ? (compact ? 44 : 124) : inner.height * 0.6,
      sizes: shown.length > 0 ? (compact ? [32, 28, 24] : [48, 44, 40, 36]) : [104, 88, 72, 56, 44, 36],
      weight: 600,
      color: colors.ink,
      balance: true,
    });
    // All figures in the size of the widest: they are read against each other.
    const tallest = Math.min(180, (inner.height * 0.62) / Math.max(1, rows) - 88);
    const measured = await Promise.all(
      shown.map(({ number }) =>
        draft.fit(number || '–', {
          width,
          height: tallest,
          lines: 1,
          sizes: figureSizes,
          weight: 700,
          leading: 1,
          tracking: -0.035,
        }),
      ),
    );
    const size = Math.min(...measured.map((fitted) => fitted.size));
    const cells = shown.map(({ number, label }, i) =>
      row(
        { width: i % columns === 0 ? width : width + gap / 2, alignItems: 'stretch', flexShrink: 0 },
        i % columns !== 0 &&
          box({ width: 2, backgroundColor: css(colors.line), marginRight: gap / 2 - 2, flexShrink: 0 }),
        column(
          { gap: compact ? 8 : 16, minWidth: 0, flexGrow: 1 },
          text(number || '–', { size, weight: 700, leading: 1, tracking: -0.035, color: colors.accentInk, lines: 1 }),
          label &&
            text(label, { size: compact ? scale.small : scale.body, color: colors.muted, lines: 2, leading: 1.35 }),
        ),
      ),
    );
    const mark = !compact && brand(draft, colors, 36);
    const by =
      !compact &&
      (mark
        ? draft.text('date') && text(draft.text('date'), { size: scale.small, color: colors.muted, lines: 1 })
        : authorLine(draft, colors, 56));
    return sheet(
      frame,
      { color: colors.ground, image: `linear-gradient(180deg, ${css(colors.ground)} 40%, ${css(colors.glow)} 140%)` },
      {},
      column(
        { gap: 12 },
        headline.node,
        description && text(description, { size: scale.body, color: colors.muted, lines: 2 }),
      ),
      spacer(shape === 'wide' ? 1 : 0.6),
      shown.length > 0 &&
        row({ flexWrap: 'wrap', columnGap: gap / 2, rowGap: compact ? 24 : 56, alignItems: 'flex-start' }, ...cells),
      spacer(shape === 'wide' ? 1 : 1),
      (mark || by) &&
        column(
          { gap: 28 },
          rule(colors.line),
          row({ justifyContent: 'space-between', gap: 32, minHeight: 40 }, mark || by, mark && by),
        ),
    );
  },
} satisfies Template;
