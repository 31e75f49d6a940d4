import type { Template } from '../card-types.ts';
import { between, box, column, row, sheet, spacer } from '../design/blocks.ts';
import { css } from '../design/color.ts';
import { author, avatar, colorVariables, date, description, logo, paletteOf, site, title } from '../design/common.ts';
import { lineSize } from '../design/fit.ts';
import { roomiest, shownItems } from '../design/lists.ts';
import { brand, brandWidth, byline } from '../design/people.ts';
import { leadText, scale, text } from '../design/type.ts';

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

    const mark = !compact && brand(draft, colors, 36);
    const versionStyle = {
      size: compact ? 20 : 26,
      font: 'mono',
      weight: 700,
      color: colors.onAccent,
      lines: 1,
    } as const;
    const dateStyle = { size: scale.small, color: colors.muted, lines: 1 };
    const sides = compact ? 12 : 18;
    const pill =
      version &&
      row(
        {
          backgroundColor: css(colors.accent),
          borderRadius: 10,
          padding: `${compact ? 4 : 6}px ${sides}px`,
          flexShrink: 0,
          maxWidth: '100%',
        },
        text(version, { ...versionStyle, style: { minWidth: 0 } }),
      );
    const pillWidth = version ? (await lineSize(draft, version, versionStyle)).width + 2 * sides : 0;
    const day = await lineSize(draft, date, dateStyle);
    const markWidth = mark ? Math.min(await brandWidth(draft, 36), width * 0.42) + 32 : 0;
    // A date that does not fit between the version and the brand is on the line below.
    const below = date !== '' && version !== '' && pillWidth + 20 + day.width + markWidth > width;
    const release =
      (version || date) &&
      row({ gap: 20, minWidth: 0 }, pill, date && !below && text(date, { ...dateStyle, style: { minWidth: 0 } }));
    const head = between(release, mark, { height: compact ? 36 : 48 });
    const by = !compact && byline({ picture: draft.image('avatar'), name: draft.text('author') }, colors, 56);
    const leadOf = (lines: number) =>
      draft.fit(compact ? '' : draft.text('description'), {
        ...leadText(frame, width),
        lines,
        color: colors.muted,
      });
    const headlineOf = (share: number) =>
      draft.fit(draft.text('title'), {
        width,
        height: inner.height * share,
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
    const around = (head ? (compact ? 52 : 80) : 0) + (below ? day.height + 16 : 0) + (by ? 84 : 0);
    const layout = async (share: number, leadLines: number) => {
      const [headline, lead] = await Promise.all([headlineOf(share), leadOf(leadLines)]);
      const used = around + headline.height + (lead.height > 0 ? lead.height + 20 : 0);
      const room = Math.max(0, Math.floor((inner.height - used - (compact ? 12 : 32)) / (itemHeight + gap)));
      return { headline, lead, rows: [room], isCut: headline.isCut };
    };
    const { lines } = leadText(frame, width);
    const share = items.length > 0 ? (compact ? 0.55 : 0.32) : 0.6;
    // A long headline becomes smaller, and a long description shorter, until the items have room.
    const { headline, lead, rows } = await roomiest(
      [items.length],
      () => layout(share, lines),
      compact
        ? []
        : [
            () => layout(share * 0.8, lines),
            () => layout(share * 0.6, lines),
            () => layout(share * 0.8, 1),
            () => layout(share * 0.6, 1),
          ],
    );
    const { shown, more } = shownItems(items, rows[0] ?? 0, !compact);
    const list = column(
      { gap, marginTop: compact ? 12 : 32 },
      ...shown.map((item) =>
        row(
          { gap: compact ? 14 : 20, height: itemHeight },
          box({ width: 10, height: 10, borderRadius: 5, backgroundColor: css(colors.accent), flexShrink: 0 }),
          text(item, { size: itemSize, color: colors.ink, lines: 1, style: { flexShrink: 1, minWidth: 0 } }),
        ),
      ),
      more > 0 && text(`+ ${more}`, { size: itemSize, weight: 600, color: colors.muted, style: { paddingLeft: 30 } }),
    );
    const body = column(
      { width, height: inner.height, flexShrink: 0 },
      head && box({ marginBottom: compact ? 16 : 32, width }, head),
      below && text(date, { ...dateStyle, style: { marginTop: -16, marginBottom: 32 } }),
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
