import { byline, column, row, rule, sheet, spacer } from '../design/blocks.ts';
import { color, css } from '../design/color.ts';
import { accent, author, avatar, bgColor, date, description, title } from '../design/common.ts';
import { palette } from '../design/palette.ts';
import { scale, text } from '../design/type.ts';
import type { Template, Variable } from '../og-types.ts';

const numbers = [1, 2, 3, 4] as const;
const stats: Record<string, Variable> = Object.fromEntries(
  numbers.flatMap((n) => [
    [`stat${n}_number`, { type: 'text', doc: `Figure ${n}, as it should be read: 99.98 %, 1.2M.` } as Variable],
    [`stat${n}_label`, { type: 'text', doc: `What figure ${n} counts.` } as Variable],
  ]),
);

export default {
  name: 'stats-card',
  description: 'One to four figures, large. For reports, milestones and years in review.',
  variables: {
    title: { ...title, default: 'In numbers' },
    description,
    ...stats,
    author,
    date,
    avatar,
    accent: accent('#5eead4'),
    bgColor: bgColor('#06231f'),
  },
  example: {
    title: 'The year in numbers',
    stat1_number: '48.2M',
    stat1_label: 'pages rendered',
    stat2_number: '99.98%',
    stat2_label: 'of the time',
    stat3_number: '31 ms',
    stat3_label: 'for a card, at the median',
    author: 'Tintype',
    date: '2026',
  },
  async picture(draft) {
    const { frame } = draft;
    const colors = palette(draft.color('bgColor') ?? color('#06231f'), draft.color('accent') ?? color('#5eead4'));
    const shown = numbers
      .map((n) => ({ number: draft.text(`stat${n}_number`), label: draft.text(`stat${n}_label`) }))
      .filter(({ number, label }) => number !== '' || label !== '');
    const stacked = frame.shape === 'tall';
    const width = stacked
      ? frame.inner.width
      : (frame.inner.width - 48 * (shown.length - 1)) / Math.max(1, shown.length);
    const figures = await Promise.all(
      shown.map(async ({ number, label }) => {
        const fitted = await draft.fit(number || '–', {
          width,
          height: 180,
          lines: 1,
          sizes: [152, 136, 120, 104, 92, 80, 68, 56, 48, 40, 32, 24],
          weight: 700,
          tracking: -0.04,
          leading: 1,
          color: colors.accentInk,
          tabular: true,
        });
        return column(
          { width, gap: 16 },
          fitted.node,
          label && text(label, { size: scale.body, color: colors.muted, lines: 2 }),
        );
      }),
    );
    const by = frame.compact
      ? undefined
      : byline({ picture: draft.image('avatar'), name: draft.text('author'), detail: draft.text('date') }, colors, 56);
    return sheet(
      frame,
      { backgroundColor: css(colors.ground) },
      {},
      text(draft.text('title'), { size: scale.h3, weight: 600, color: colors.ink, lines: 2 }),
      spacer(),
      (stacked ? column : row)({ gap: 48, alignItems: 'flex-end' }, ...figures),
      spacer(),
      by && column({}, rule(colors.line, { marginBottom: 24 }), by),
    );
  },
} satisfies Template;
