import { byline, column, row, rule, sheet, spacer } from '../design/blocks.ts';
import { color, css } from '../design/color.ts';
import { accent, author, avatar, bgColor, date, description, title } from '../design/common.ts';
import { palette } from '../design/palette.ts';
import { headlineSizes, scale, text } from '../design/type.ts';
import type { Template } from '../og-types.ts';

export default {
  name: 'blog-post',
  description: 'An article on warm paper: a serif headline, the author and the date.',
  variables: {
    title: { ...title, default: 'Untitled' },
    description,
    author,
    date,
    category: { type: 'text', doc: 'A word above the headline, such as the section.' },
    avatar,
    accent: accent('#b4442e'),
    bgColor: bgColor('#faf7f1'),
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
    const colors = palette(draft.color('bgColor') ?? color('#faf7f1'), draft.color('accent') ?? color('#b4442e'));
    const description = frame.compact ? '' : draft.text('description');
    const by = frame.compact
      ? undefined
      : byline({ picture: draft.image('avatar'), name: draft.text('author'), detail: draft.text('date') }, colors);
    const category = frame.compact ? '' : draft.text('category');
    const headline = await draft.fit(draft.text('title'), {
      width: frame.inner.width,
      height: frame.inner.height - (description ? 112 : 0) - (by ? 128 : 0) - (category ? 56 : 0),
      lines: frame.shape === 'wide' ? 4 : 7,
      sizes: headlineSizes,
      font: 'serif',
      weight: 600,
      tracking: -0.012,
      color: colors.ink,
      balance: true,
    });
    return sheet(
      frame,
      { backgroundColor: css(colors.ground) },
      {},
      category &&
        row(
          { gap: 16, paddingBottom: 24 },
          rule(colors.accent, { width: 32, height: 4 }),
          text(category, { size: scale.small, weight: 600, color: colors.accentInk, lines: 1 }),
        ),
      headline.node,
      description &&
        text(description, {
          size: 30,
          font: 'serif',
          color: colors.muted,
          lines: frame.shape === 'wide' ? 2 : 5,
          style: { paddingTop: 24, maxWidth: 960 },
        }),
      spacer(),
      by && column({}, rule(colors.line, { marginBottom: 32 }), by),
    );
  },
} satisfies Template;
