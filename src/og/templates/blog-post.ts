import { box, column, cover, row, rule, sheet, spacer } from '../design/blocks.ts';
import { author, avatar, colorVariables, date, description, logo, paletteOf, site, title } from '../design/common.ts';
import { authorLine, brand, bylineHeight } from '../design/people.ts';
import { headlineSizes, scale, text } from '../design/type.ts';
import type { Template } from '../og-types.ts';

export default {
  name: 'blog-post',
  description: 'An article on warm paper: a serif headline, the author and the date, with or without a picture.',
  variables: {
    title,
    description,
    author,
    date,
    category: { type: 'text', doc: 'A word above the headline, such as the section.' },
    avatar,
    image: { type: 'image_url', doc: 'A picture beside the text; above it on square and tall cards.' },
    site,
    logo,
    ...colorVariables('#b4442e', '#faf7f1'),
  },
  example: {
    title: 'What we learned from rendering ten million pages',
    description: 'Three years of broken fonts, endless banners and one very patient queue.',
    author: 'Mara Lindqvist',
    date: '12 March 2026',
    category: 'Engineering',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape, pad } = frame;
    const colors = paletteOf(draft);
    const image = draft.image('image');
    const beside = image && shape === 'wide';
    const width = beside ? inner.width * 0.62 - 24 : inner.width;
    const imageHeight = image && !beside ? Math.round((inner.height + 2 * pad) * 0.4) : 0;
    const height = inner.height - imageHeight;

    const by = !compact && authorLine(draft, colors);
    const mark = !compact && brand(draft, colors, 36);
    const category = compact ? '' : draft.text('category');
    const description = await draft.fit(compact ? '' : draft.text('description'), {
      width: Math.min(width, 920),
      height: height * 0.28,
      sizes: [30, 26, 24],
      font: 'serif',
      color: colors.muted,
      balance: true,
    });
    const fixed =
      (by || mark ? bylineHeight + 72 : 0) +
      (category ? 60 : 0) +
      (description.height > 0 ? description.height + 28 : 0);
    const headline = await draft.fit(draft.text('title'), {
      width,
      height: height - fixed,
      sizes: headlineSizes(frame, shape === 'wide' ? 88 : 104),
      font: 'serif',
      weight: 600,
      tracking: -0.014,
      color: colors.ink,
      balance: true,
    });
    const footer =
      (by || mark) &&
      column(
        { gap: 32, flexShrink: 0 },
        rule(colors.line),
        row({ justifyContent: 'space-between', gap: 32, height: bylineHeight }, by || box({}), mark),
      );
    const article = column(
      { width, flexGrow: 1, justifyContent: footer ? 'flex-start' : 'center' },
      category &&
        row(
          { gap: 16, height: 32, marginBottom: 28 },
          rule(colors.accent, { width: 32, height: 4 }),
          text(category, { size: scale.small, weight: 600, color: colors.accentInk, lines: 1 }),
        ),
      headline.node,
      description.height > 0 && box({ marginTop: 28 }, description.node),
      footer && spacer(),
      footer,
    );
    if (!image) return sheet(frame, { color: colors.ground }, {}, article);
    const bleed = beside
      ? box(
          { position: 'absolute', top: -pad, right: -pad, bottom: -pad, width: inner.width * 0.38 + pad - 24 },
          cover(image, '100%', '100%'),
        )
      : box(
          { position: 'absolute', top: -pad, left: -pad, right: -pad, height: imageHeight + pad - 40 },
          cover(image, '100%', '100%'),
        );
    return sheet(frame, { color: colors.ground }, { paddingTop: imageHeight }, bleed, article);
  },
} satisfies Template;
