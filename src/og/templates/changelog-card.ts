import { between, box, column, row, sheet, spacer } from '../design/blocks.ts';
import { css } from '../design/color.ts';
import { author, avatar, colorVariables, date, description, logo, paletteOf, site, title } from '../design/common.ts';
import { brand, byline } from '../design/people.ts';
import { leadText, scale, text } from '../design/type.ts';
import type { Template } from '../og-types.ts';

export default {
  name: 'changelog-card',
  description: 'A release on a time line: the version, its date and what changed.',
  variables: {
    title: { ...title, default: 'What’s new' },
    description,
    version: { type: 'text', doc: 'The version, such as v2.4.0.' },
    date,
    change_items: { type: 'items', doc: 'What changed, one a line.' },
    author,
    avatar,
    site,
    logo,
    ...colorVariables('#c2410c', '#ffffff'),
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
    const { inner, compact, shape, pad } = frame;
    const colors = paletteOf(draft);
    const version = draft.text('version');
    const date = compact ? '' : draft.text('date');
    const items = draft.items('change_items');
    const rail = compact ? 0 : 72;
    const width = inner.width - rail;

    const release =
      (version || date) &&
      row(
        { gap: 20, minWidth: 0 },
        version &&
          row(
            {
              backgroundColor: css(colors.accent),
              borderRadius: 10,
              padding: compact ? '4px 12px' : '6px 18px',
              minWidth: 0,
            },
            text(version, { size: compact ? 20 : 26, font: 'mono', weight: 700, color: colors.onAccent, lines: 1 }),
          ),
        date && text(date, { size: scale.small, color: colors.muted, lines: 1, style: { minWidth: 0 } }),
      );
    const head = between(release, !compact && brand(draft, colors, 36), { height: compact ? 36 : 48 });
    const by = !compact && byline({ picture: draft.image('avatar'), name: draft.text('author') }, colors, 56);
    const lead = await draft.fit(compact ? '' : draft.text('description'), {
      ...leadText(frame, width),
      color: colors.muted,
    });
    const headline = await draft.fit(draft.text('title'), {
      width,
      height: inner.height * (items.length > 0 ? (compact ? 0.55 : 0.32) : 0.6),
      sizes: compact
        ? [44, 36, 32, 28, 24]
        : items.length > 0
          ? [68, 62, 56, 50, 44, 40, 36]
          : [96, 84, 72, 64, 56, 48, 40],
      weight: 650,
      color: colors.ink,
      balance: true,
    });

    const itemSize = compact ? 20 : { wide: 28, square: 30, tall: 32 }[shape];
    const itemHeight = Math.round(itemSize * 1.4);
    const gap = compact ? 8 : 14;
    const used =
      (head ? (compact ? 52 : 80) : 0) + headline.height + (lead.height > 0 ? lead.height + 20 : 0) + (by ? 84 : 0);
    const room = Math.max(0, Math.floor((inner.height - used - (compact ? 12 : 32)) / (itemHeight + gap)));
    const shown = items.length > room ? items.slice(0, Math.max(0, room - (compact ? 0 : 1))) : items;
    const more = items.length - shown.length;
    const list = column(
      { gap, marginTop: compact ? 12 : 32 },
      ...shown.map((item) =>
        row(
          { gap: compact ? 14 : 20, height: itemHeight },
          box({ width: 10, height: 10, borderRadius: 5, backgroundColor: css(colors.accent), flexShrink: 0 }),
          text(item, { size: itemSize, color: colors.ink, lines: 1, style: { flexShrink: 1, minWidth: 0 } }),
        ),
      ),
      more > 0 &&
        !compact &&
        text(`+ ${more}`, { size: itemSize, weight: 600, color: colors.muted, style: { paddingLeft: 30 } }),
    );
    const body = column(
      { width, height: inner.height, flexShrink: 0 },
      head && box({ marginBottom: compact ? 16 : 32, width }, head),
      items.length === 0 && !head && spacer(),
      headline.node,
      lead.height > 0 && box({ marginTop: 20 }, lead.node),
      items.length > 0 && list,
      spacer(),
      by,
    );
    if (compact) return sheet(frame, { color: colors.ground }, {}, body);
    const stop = head ? 15 : inner.height / 2 - 9;
    const timeline = column(
      { width: rail, position: 'relative', flexShrink: 0 },
      box({ position: 'absolute', left: 8, top: -pad, bottom: -pad, width: 2, backgroundColor: css(colors.line) }),
      box({
        marginTop: stop,
        width: 18,
        height: 18,
        borderRadius: 9,
        backgroundColor: css(colors.accent),
        position: 'relative',
      }),
    );
    return sheet(frame, { color: colors.ground }, {}, row({ alignItems: 'stretch', flexGrow: 1 }, timeline, body));
  },
} satisfies Template;
