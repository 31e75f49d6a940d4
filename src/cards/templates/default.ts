import type { Template } from '../card-types.ts';
import { column, disc, row, rule, sheet, spacer } from '../design/blocks.ts';
import { css } from '../design/color.ts';
import { author, avatar, colorVariables, date, description, logo, paletteOf, site, title } from '../design/common.ts';
import { authorLine, brand, bylineHeight } from '../design/people.ts';
import { headlineSizes, leadText } from '../design/type.ts';

export default {
  name: 'default',
  description: 'A headline on a quiet dark ground with a glow of the accent. For any page.',
  variables: { title, description, author, date, avatar, site, logo, ...colorVariables('#6d5efc', '#0b0c10') },
  example: {
    title: 'Pictures of the web, on request',
    description: 'Screenshots, PDFs and Open Graph images from one service you run yourself.',
    site: 'Tintype',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const colors = paletteOf(draft);
    const by = !compact && authorLine(draft, colors);
    const description = await draft.fit(compact ? '' : draft.text('description'), {
      ...leadText(frame),
      color: colors.muted,
    });
    const gap = description.height > 0 ? 28 : 0;
    const headline = await draft.fit(draft.text('title'), {
      width: inner.width * (shape === 'wide' && !compact ? 0.94 : 1),
      height: inner.height - description.height - gap - (by ? bylineHeight + 48 : 0) - (compact ? 24 : 72),
      sizes: headlineSizes(frame, shape === 'wide' ? 88 : 112),
      weight: 650,
      color: colors.ink,
      balance: true,
    });
    const ring = (radius: number, strength: number) =>
      disc('100%', 0, radius, { border: `2px solid ${css(colors.accent, strength)}` });
    return sheet(
      frame,
      {
        color: colors.ground,
        image: `radial-gradient(circle at 100% 0%, ${css(colors.glow)} 0%, ${css(colors.ground)} 70%)`,
        behind: [ring(180, 0.3), ring(340, 0.18), ring(520, 0.1)],
      },
      {},
      (!compact && brand(draft, colors)) ||
        rule(colors.accent, { width: compact ? 40 : 64, height: compact ? 6 : 8, borderRadius: 4 }),
      spacer(),
      column({ gap }, headline.node, description.height > 0 && description.node),
      by && row({ paddingTop: 48 }, by),
    );
  },
} satisfies Template;
