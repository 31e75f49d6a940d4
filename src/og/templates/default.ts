import { byline, column, rule, sheet, spacer } from '../design/blocks.ts';
import { color, css } from '../design/color.ts';
import { accent, author, avatar, bgColor, date, description, title } from '../design/common.ts';
import { palette } from '../design/palette.ts';
import { headlineSizes, scale, text } from '../design/type.ts';
import type { Template } from '../og-types.ts';

export default {
  name: 'default',
  description: 'A headline on a quiet dark ground with a glow of the accent. For any page.',
  variables: {
    title: { ...title, default: 'Untitled' },
    description,
    author,
    date,
    avatar,
    accent: accent('#6d5efc'),
    bgColor: bgColor('#0b0c10'),
  },
  example: {
    title: 'Pictures of the web, on request',
    description: 'Screenshots, PDFs and Open Graph images from one service you run yourself.',
    author: 'Tintype',
    date: 'tintype.example',
  },
  async picture(draft) {
    const { frame } = draft;
    const colors = palette(draft.color('bgColor') ?? color('#0b0c10'), draft.color('accent') ?? color('#6d5efc'));
    const description = frame.compact ? '' : draft.text('description');
    const by = frame.compact
      ? undefined
      : byline({ picture: draft.image('avatar'), name: draft.text('author'), detail: draft.text('date') }, colors);
    const below = (description ? 136 : 0) + (by ? 112 : 0);
    const headline = await draft.fit(draft.text('title'), {
      width: frame.inner.width * (frame.shape === 'wide' ? 0.92 : 1),
      height: frame.inner.height - below - 56,
      lines: frame.shape === 'wide' ? 4 : 7,
      sizes: headlineSizes,
      weight: 650,
      color: colors.ink,
      balance: true,
    });
    return sheet(
      frame,
      {
        backgroundColor: css(colors.ground),
        backgroundImage: `radial-gradient(circle at 88% -10%, ${css(colors.glow)} 0%, ${css(colors.ground)} 62%)`,
      },
      {},
      rule(colors.accent, { width: 72, height: 8, borderRadius: 4 }),
      spacer(),
      column(
        { gap: 24 },
        headline.node,
        description &&
          text(description, {
            size: scale.lead,
            color: colors.muted,
            lines: frame.shape === 'wide' ? 2 : 5,
            style: { maxWidth: 920 },
          }),
      ),
      by && column({ paddingTop: 48 }, by),
    );
  },
} satisfies Template;
