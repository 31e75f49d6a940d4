import type { Template } from '../card-types.ts';
import { box, column, disc, pill, row, sheet, spacer } from '../design/blocks.ts';
import { css, mix } from '../design/color.ts';
import { colorVariables, description, logo, paletteOf, site, title } from '../design/common.ts';
import { palette } from '../design/palette.ts';
import { brand } from '../design/people.ts';
import { headlineSizes, leadText } from '../design/type.ts';

export default {
  name: 'announcement',
  description: 'A poster for one piece of news: few words, centred, as large as they go.',
  variables: {
    title: { ...title, default: 'Big news' },
    description,
    badge: { type: 'text', doc: 'A word or two in a pill above the headline.' },
    site,
    logo,
    ...colorVariables('#fde047', '#4338ca'),
  },
  example: {
    title: 'Cards that speak every language',
    description: 'From Arabic to 中文, set the way readers expect.',
    badge: 'New in 2.4',
    site: 'Tintype',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact } = frame;
    const colors = paletteOf(draft);
    // Large discs slightly lighter or darker than the background; text on them must be readable too.
    const shade = mix(
      colors.ground,
      colors.isDark ? { r: 0, g: 0, b: 0, a: 1 } : { r: 255, g: 255, b: 255, a: 1 },
      0.1,
    );
    const onGround = palette(colors.ground, colors.accent);
    const badge = compact ? '' : draft.text('badge');
    const mark = !compact && brand(draft, colors);
    const lead = await draft.fit(compact ? '' : draft.text('description'), {
      ...leadText(frame),
      align: 'center',
      color: onGround.ink,
    });
    const leadGap = lead.height > 0 ? 28 : 0;
    const headline = await draft.fit(draft.text('title'), {
      width: inner.width,
      height: inner.height - (badge ? 84 : 0) - (mark ? 84 : 0) - lead.height - leadGap,
      sizes: headlineSizes(frame, 112),
      weight: 800,
      tracking: -0.028,
      leading: 1.04,
      color: onGround.ink,
      align: 'center',
      balance: true,
    });
    const radius = Math.max(inner.width, inner.height) * 0.5;
    return sheet(
      frame,
      {
        color: colors.ground,
        behind: [
          disc('0%', '100%', radius, { backgroundColor: css(shade) }),
          disc('100%', '0%', radius * 0.7, { backgroundColor: css(shade) }),
        ],
      },
      { alignItems: 'center' },
      spacer(),
      badge && row({ marginBottom: 36, maxWidth: '100%' }, pill(badge, colors.accent, colors.onAccent)),
      headline.node,
      lead.height > 0 && column({ marginTop: leadGap, alignItems: 'center' }, lead.node),
      spacer(),
      mark && box({ marginTop: 48, flexShrink: 0, maxWidth: '100%' }, mark),
    );
  },
} satisfies Template;
