import type { Node } from '@takumi-rs/core';
import type { Template } from '../card-types.ts';
import { between, box, column, pill, row, sheet, spacer } from '../design/blocks.ts';
import { css } from '../design/color.ts';
import { colorVariables, description, logo, paletteOf, site } from '../design/common.ts';
import { lineSize } from '../design/fit.ts';
import type { Frame } from '../design/frame.ts';
import { icon } from '../design/icons.ts';
import { shownItems } from '../design/lists.ts';
import { type Palette, palette } from '../design/palette.ts';
import { brand } from '../design/people.ts';
import { leadText, scale, text } from '../design/type.ts';

type Panel = { readonly width: number; readonly height: number; readonly padding: number; readonly size: number };

const lineOf = ({ size }: Panel) => Math.round(size * 1.4) + 14;

/** What the plan includes, on a panel in the accent color. */
function features(items: readonly string[], panel: Panel, { compact }: Frame, colors: Palette): Node {
  const on = palette(colors.accent, colors.accent);
  const { width, height, padding, size } = panel;
  const room = Math.max(1, Math.floor((height - padding * 2 + 14) / lineOf(panel)));
  const { shown, more } = shownItems(items, room);
  return column(
    {
      width,
      height,
      padding,
      gap: 14,
      borderRadius: compact ? 16 : 28,
      backgroundColor: css(colors.accent),
      justifyContent: 'center',
      flexShrink: 0,
    },
    ...shown.map((feature) =>
      row(
        { gap: compact ? 12 : 20, height: Math.round(size * 1.4) },
        icon('check', size, on.ink, 2.5),
        text(feature, { size, weight: 500, color: on.ink, lines: 1, style: { minWidth: 0, flexShrink: 1 } }),
      ),
    ),
    more > 0 &&
      text(`+ ${more}`, { size, weight: 600, color: on.ink, style: { paddingLeft: size + (compact ? 12 : 20) } }),
  );
}

export default {
  name: 'pricing',
  description: 'A plan and its price on one side, what is in it on the other.',
  variables: {
    title: { type: 'text', doc: 'The name of the plan.', default: 'Simple pricing' },
    description,
    price: { type: 'text', doc: 'The price, shown as written, such as $29.' },
    period: { type: 'text', doc: 'What the price is for, such as a month.' },
    badge: { type: 'text', doc: 'A word or two in a pill, such as Popular.' },
    feature_items: { type: 'items', doc: 'What is in the plan, one a line.' },
    site,
    logo,
    ...colorVariables('#7c3aed', '#f5f3ff'),
  },
  example: {
    title: 'Pro',
    description: 'For teams that publish every day.',
    price: '$29',
    period: 'a month',
    badge: 'Popular',
    feature_items:
      'Open Graph images\nEvery device preset\nResults kept for 30 days\n300 renders a minute\nSigned links',
    site: 'Tintype',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const colors = paletteOf(draft);
    const items = draft.items('feature_items');
    const beside = shape === 'wide';
    const hasPanel = items.length > 0 && !(compact && beside);
    const gap = compact ? 20 : beside ? 56 : 40;
    const base = { padding: compact ? 20 : 44, size: compact ? 18 : beside ? 28 : 30 };
    const asked = items.length * lineOf({ ...base, width: 0, height: 0 }) + base.padding * 2;
    const panel: Panel = beside
      ? { ...base, width: inner.width * 0.5, height: inner.height }
      : { ...base, width: inner.width, height: Math.min(inner.height * 0.56, asked) };
    const width = beside && hasPanel ? inner.width - panel.width - gap : inner.width;
    const height = beside || !hasPanel ? inner.height : inner.height - panel.height - gap;

    const badge = compact ? '' : draft.text('badge');
    const price = draft.text('price');
    const period = draft.text('period');
    const head = between(!compact && brand(draft, colors), badge && pill(badge, colors.accent, colors.onAccent), {
      height: 44,
    });
    const lead = await draft.fit(compact || height < 360 ? '' : draft.text('description'), {
      ...leadText(frame, width),
      color: colors.muted,
    });
    const priceIn = (room: number) =>
      draft.fit(price, {
        width: room,
        height: compact ? 64 : 148,
        lines: 1,
        sizes: compact ? [56, 44, 36, 28] : [136, 120, 104, 88, 72, 60, 48, 40],
        weight: 700,
        tracking: -0.04,
        leading: 1,
        color: colors.ink,
        style: { width: undefined, maxWidth: room },
      });
    const termStyle = { size: compact ? 20 : scale.lead, color: colors.muted, lines: 1 };
    const term = await lineSize(draft, period, termStyle);
    const termGap = 16;
    const share = width * (period ? 0.7 : 1);
    const besideTerm = await priceIn(share);
    // A period that does not fit beside the price has a line of its own; on a compact card, which has no room for it, it
    // is cut.
    const fits = besideTerm.width < share && besideTerm.width + termGap + term.width <= width;
    const below = period !== '' && !compact && !fits;
    const cost = below ? await priceIn(width) : besideTerm;
    const costHeight = cost.height + (below ? term.height + 12 : 0);
    const name = await draft.fit(draft.text('title'), {
      width,
      height: height - (head ? 76 : 0) - (price ? costHeight + 24 : 0) - (lead.height > 0 ? lead.height + 20 : 0),
      sizes: price
        ? compact
          ? [36, 32, 28, 24, 20]
          : [56, 48, 44, 40, 36, 32, 28]
        : compact
          ? [56, 44, 36, 28]
          : [96, 84, 72, 60, 52, 44, 36],
      weight: 650,
      color: price ? colors.accentInk : colors.ink,
      balance: true,
    });
    const offer = column(
      { width, height, flexShrink: 0 },
      head,
      spacer(),
      name.node,
      price &&
        (below ? column : row)(
          {
            ...(below ? { gap: 12, alignItems: 'flex-start' } : { gap: termGap, alignItems: 'flex-end' }),
            marginTop: compact ? 12 : 24,
            flexShrink: 0,
          },
          cost.node,
          period &&
            text(period, {
              ...termStyle,
              style: { minWidth: 0, maxWidth: width, marginBottom: below ? 0 : Math.round(cost.size * 0.06) },
            }),
        ),
      lead.height > 0 && box({ marginTop: 20 }, lead.node),
      beside && spacer(),
    );
    return sheet(
      frame,
      { color: colors.ground },
      {},
      (beside ? row : column)({ gap, alignItems: 'stretch' }, offer, hasPanel && features(items, panel, frame, colors)),
    );
  },
} satisfies Template;
