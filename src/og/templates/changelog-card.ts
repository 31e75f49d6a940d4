import { box, column, row, sheet, spacer } from '../design/blocks.ts';
import { color, css } from '../design/color.ts';
import { accent, author, avatar, bgColor, date, description, title } from '../design/common.ts';
import { palette } from '../design/palette.ts';
import { scale, text } from '../design/type.ts';
import type { Template } from '../og-types.ts';

export default {
  name: 'changelog-card',
  description: 'A release: the version, its date and what changed.',
  variables: {
    title: { ...title, default: 'Changelog' },
    description,
    version: { type: 'text', doc: 'The version, such as v2.4.0.' },
    date,
    change_items: { type: 'items', doc: 'What changed, one a line.' },
    author,
    avatar,
    accent: accent('#f97316'),
    bgColor: bgColor('#ffffff'),
  },
  example: {
    title: 'Faster cards, fewer surprises',
    version: 'v2.4.0',
    date: '3 June 2026',
    change_items:
      'Cards render four times faster\nSigned links for public pages\nRight-to-left text is clamped correctly\nTwelve new templates',
  },
  async picture(draft) {
    const { frame } = draft;
    const colors = palette(draft.color('bgColor') ?? color('#ffffff'), draft.color('accent') ?? color('#f97316'));
    const items = draft.items('change_items');
    const most = frame.compact ? 2 : frame.shape === 'wide' ? 5 : 12;
    const shown = items.length > most ? items.slice(0, most - 1) : items;
    const more = items.length - shown.length;
    return sheet(
      frame,
      { backgroundColor: css(colors.ground) },
      { gap: 24 },
      row(
        { gap: 20 },
        draft.text('version') &&
          box(
            { backgroundColor: css(colors.accent), borderRadius: 12, padding: '8px 20px' },
            text(draft.text('version'), {
              size: scale.body,
              font: 'mono',
              weight: 700,
              color: colors.onAccent,
              lines: 1,
            }),
          ),
        draft.text('date') && text(draft.text('date'), { size: scale.small, color: colors.muted }),
      ),
      text(draft.text('title'), { size: scale.h2, weight: 650, color: colors.ink, lines: 2 }),
      spacer(),
      column(
        { gap: 14 },
        ...shown.map((item) =>
          row(
            { gap: 20 },
            box({ width: 12, height: 12, borderRadius: 6, backgroundColor: css(colors.accent), flexShrink: 0 }),
            text(item, { size: scale.body, color: colors.ink, lines: 1 }),
          ),
        ),
        more > 0 && text(`+${more}`, { size: scale.body, color: colors.muted }),
      ),
    );
  },
} satisfies Template;
