import type { Template } from '../card-types.ts';
import { between, box, column, cover, row, rule, sheet, spacer } from '../design/blocks.ts';
import { author, avatar, colorVariables, date, description, logo, paletteOf, site, title } from '../design/common.ts';
import { authorLine, brand, bylineHeight } from '../design/people.ts';
import { headlineSizes, leadText, scale, text } from '../design/type.ts';

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
    author: 'Editorial team',
    date: '12 March 2026',
    category: 'Engineering',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape, pad } = frame;
    const colors = paletteOf(draft);
    const image = draft.image('image');
    const beside = shape === 'wide';
    const width = image && beside ? inner.width * 0.6 : inner.width;
    const imageHeight = image && !beside ? Math.round(inner.height * 0.4) : 0;
    const height = inner.height - imageHeight;
    const cramped = compact || height < 440;

    const footer = !compact && between(authorLine(draft, colors), brand(draft, colors, 36), { height: bylineHeight });
    const category = compact ? '' : draft.text('category');
    const lead = await draft.fit(cramped ? '' : draft.text('description'), {
      ...leadText(frame, width),
      font: 'serif',
      color: colors.muted,
    });
    const leadGap = lead.height > 0 ? 24 : 0;
    const headline = await draft.fit(draft.text('title'), {
      width,
      height: height - lead.height - leadGap - (footer ? bylineHeight + 66 : 0) - (category ? 60 : 0),
      sizes: headlineSizes(frame, shape === 'wide' ? 88 : 104),
      font: 'serif',
      weight: 600,
      tracking: -0.014,
      color: colors.ink,
      balance: true,
    });
    const article = column(
      { width, height, justifyContent: footer ? 'flex-start' : 'center', flexShrink: 0 },
      category &&
        row(
          { gap: 16, height: 32, marginBottom: 28, flexShrink: 0 },
          rule(colors.accent, { width: 32, height: 4 }),
          text(category, { size: scale.small, weight: 600, color: colors.accentInk, lines: 1 }),
        ),
      headline.node,
      lead.height > 0 && box({ marginTop: leadGap }, lead.node),
      footer && spacer(),
      footer && column({ gap: 32, flexShrink: 0 }, rule(colors.line), footer),
    );
    if (!image) return sheet(frame, { color: colors.ground }, {}, article);
    const bleed = beside
      ? { top: -pad, right: -pad, bottom: -pad, width: inner.width * 0.4 + pad - 56 }
      : { top: -pad, left: -pad, right: -pad, height: imageHeight + pad - 48 };
    const picture = box({ position: 'absolute', ...bleed }, cover(image, '100%', '100%'));
    return sheet(frame, { color: colors.ground }, { paddingTop: imageHeight }, picture, article);
  },
} satisfies Template;
