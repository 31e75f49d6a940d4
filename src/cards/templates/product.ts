import type { Template } from '../card-types.ts';
import { between, box, column, cover, pill, row, sheet, spacer } from '../design/blocks.ts';
import { css } from '../design/color.ts';
import { colorVariables, description, logo, paletteOf, site, title } from '../design/common.ts';
import { brand } from '../design/people.ts';
import { headlineSizes, leadText, scale, text } from '../design/type.ts';

export default {
  name: 'product',
  description: 'A thing for sale: its name, what it is, its price and its picture.',
  variables: {
    title: { ...title, default: 'New arrival' },
    description,
    price: { type: 'text', doc: 'The price, shown as written, such as €49.' },
    old_price: { type: 'text', doc: 'The price before, shown struck through.' },
    badge: { type: 'text', doc: 'A word or two in a pill, such as New.' },
    image: { type: 'image_url', doc: 'The picture of the product, to the edge of the card.' },
    site,
    logo,
    ...colorVariables('#1d4ed8', '#f4f4f2'),
  },
  example: {
    title: 'Field Notebook No. 7',
    description: 'Ninety-six dotted pages, sewn so that they lie flat. Made to be filled.',
    price: '€18',
    old_price: '€24',
    badge: 'New',
    site: 'Papier & Co.',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape, pad } = frame;
    const colors = paletteOf(draft);
    const image = draft.image('image');
    const beside = shape === 'wide';
    const width = image && beside ? inner.width * 0.56 : inner.width;
    const imageHeight = image && !beside ? Math.round(inner.height * 0.46) : 0;
    const height = inner.height - imageHeight;
    const price = draft.text('price');
    const badge = compact ? '' : draft.text('badge');
    const head = between(!compact && brand(draft, colors, 36), badge && pill(badge, colors.accent, colors.onAccent), {
      height: 44,
    });
    const lead = await draft.fit(compact || height < 400 ? '' : draft.text('description'), {
      ...leadText(frame, width),
      color: colors.muted,
    });
    const leadGap = lead.height > 0 ? 24 : 0;
    const headline = await draft.fit(draft.text('title'), {
      width,
      height: height - (head ? 76 : 0) - (price ? (compact ? 60 : 104) : 0) - lead.height - leadGap,
      sizes: headlineSizes(frame, shape === 'wide' ? 88 : 104),
      weight: 700,
      tracking: -0.03,
      color: colors.ink,
      balance: true,
    });
    const before = compact ? '' : draft.text('old_price');
    const offer =
      price &&
      row(
        { gap: 20, marginTop: compact ? 16 : 32, alignItems: 'baseline', flexShrink: 0 },
        text(price, {
          size: compact ? 40 : 64,
          weight: 700,
          leading: 1.1,
          color: colors.accentInk,
          lines: 1,
          style: { minWidth: 0 },
        }),
        before &&
          text(before, {
            size: scale.lead,
            color: colors.muted,
            lines: 1,
            style: { textDecoration: 'line-through', minWidth: 0 },
          }),
      );
    const body = column(
      { width, height, flexShrink: 0 },
      head,
      spacer(),
      headline.node,
      lead.height > 0 && box({ marginTop: leadGap }, lead.node),
      offer,
    );
    if (!image) {
      const foot = { position: 'absolute', left: 0, right: 0, bottom: 0, height: compact ? 8 : 16 };
      const behind = [box({ ...foot, backgroundColor: css(colors.accent) })];
      return sheet(frame, { color: colors.ground, behind }, {}, body);
    }
    const bleed = beside
      ? { top: -pad, bottom: -pad, right: -pad, width: inner.width * 0.44 + pad - 56 }
      : { top: -pad, left: -pad, right: -pad, height: imageHeight + pad - 48 };
    const picture = box({ position: 'absolute', ...bleed }, cover(image, '100%', '100%'));
    return sheet(frame, { color: colors.ground }, { paddingTop: imageHeight }, picture, body);
  },
} satisfies Template;
