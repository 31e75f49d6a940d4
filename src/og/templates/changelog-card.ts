import { box, column, row, sheet, spacer } from '../design/blocks.ts';
import { css } from '../design/color.ts';
import { author, avatar, colorVariables, date, description, logo, paletteOf, site, title } from '../design/common.ts';
import { authorLine, brand } from '../design/people.ts';
import { scale, text } from '../design/type.ts';
import type { Template } from '../og-types.ts';

export default {
  name: 'changelog-card',
  description: 'A release on a time line: the version, its date and what changed.',
  variables: {
    title: { ...title, default: "What's new" },
    description,
    version: { type: 'text', doc: 'The version, such as v2.4.0.' },
    date,
    change_items: { type: 'items', doc: 'What changed, one a line.' },
    author,
    avatar,
    site,
    logo,
    ...colorVariables('#ea580c', '#ffffff'),
  },
  example: {
    title: 'Faster cards, fewer surprises',
    version: 'v2.4.0',
    date: '3 June 2026',
    change_items:
      'Cards render four times faster\nSigned links for public pages\nText from right to left is cut where it should be\nTwelve new templates',
    site: 'Tintype',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const colors = paletteOf(draft);
    const version = draft.text('version');
    const date = compact ? '' : draft.text('date');
    const description = compact ? '' : draft.text('description');
    const rail = compact ? 0 : 72;
    const width = inner.width - rail;
    const mark = !compact && (brand(draft, colors, 36) || authorLine(draft, colors, 56));
    const items = draft.items('change_items');

    const headline = await draft.fit(draft.text('title'), {
      width,
      height: items.length > 0 ? inner.height * (compact ? 0.5 : 0.3) : inner.height * 0.55,
      sizes: compact
        ? [44, 36, 32, 28, 24]
        : items.length > 0
          ? [64, 58, 52, 46, 40, 36]
          : [96, 84, 72, 64, 56, 48, 40],
      weight: 650,
      color: colors.ink,
      balance: true,
    });
    const itemSize = shape === 'wide' ? 28 : 32;
    const itemHeight = Math.round(itemSize * 1.4) + 14;
    const room =
      inner.height - headline.height - (version || date ? 84 : 0) - (description ? 92 : 0) - (mark ? 104 : 0) - 24;
    const most = compact
      ? Math.max(0, Math.floor((inner.height - headline.height - 72) / 40))
      : Math.max(1, Math.floor(room / itemHeight));
    const shown = items.length > most ? items.slice(0, Math.max(0, most - 1)) : items;
    const more = items.length - shown.length;

    const node = (filled: boolean) =>
      box({
        width: 20,
        height: 20,
        borderRadius: 10,
        border: `4px solid ${css(colors.accent)}`,
        backgroundColor: css(filled ? colors.accent : colors.ground),
        flexShrink: 0,
      });
    const list = column(
      { gap: 14 },
      ...shown.map((item) =>
        row(
          { gap: 20, height: Math.round(itemSize * 1.4) },
          box({ width: 10, height: 10, borderRadius: 5, backgroundColor: css(colors.accent), flexShrink: 0 }),
          text(item, {
            size: compact ? scale.small : itemSize,
            color: colors.ink,
            lines: 1,
            style: { flexShrink: 1, minWidth: 0 },
          }),
        ),
      ),
      more > 0 &&
        !compact &&
        text(`+ ${more}`, { size: scale.body, weight: 600, color: colors.muted, style: { paddingLeft: 30 } }),
    );
    const body = column(
      { width, flexGrow: 1, minWidth: 0 },
      (version || date) &&
        row(
          { gap: 20, height: compact ? 36 : 52, marginBottom: compact ? 16 : 32 },
          version &&
            row(
              {
                backgroundColor: css(colors.accent),
                borderRadius: 10,
                padding: compact ? '4px 12px' : '6px 18px',
                maxWidth: width * 0.7,
              },
              text(version, { size: compact ? 20 : 26, font: 'mono', weight: 700, color: colors.onAccent, lines: 1 }),
            ),
          date && text(date, { size: scale.small, color: colors.muted, lines: 1 }),
        ),
      headline.node,
      description && text(description, { size: scale.body, color: colors.muted, lines: 2, style: { marginTop: 20 } }),
      items.length > 0 && box({ height: compact ? 16 : 36, flexShrink: 0 }),
      items.length > 0 && list,
      spacer(),
      mark && row({ height: 56 }, mark),
    );
    if (compact) return sheet(frame, { color: colors.ground }, {}, body);
    const timeline = column(
      { width: rail, alignItems: 'flex-start', position: 'relative' },
      box({
        position: 'absolute',
        left: 9,
        top: -frame.pad,
        bottom: -frame.pad,
        width: 2,
        backgroundColor: css(colors.line),
      }),
      box({ marginTop: 16 }, node(true)),
      spacer(),
    );
    return sheet(frame, { color: colors.ground }, {}, row({ alignItems: 'stretch', flexGrow: 1 }, timeline, body));
  },
} satisfies Template;
