import type { Template } from '../card-types.ts';
import { between, box, column, cover, row, sheet, spacer } from '../design/blocks.ts';
import { color, css } from '../design/color.ts';
import { colorVariables, logo, paletteOf, site, title } from '../design/common.ts';
import { icon } from '../design/icons.ts';
import { palette } from '../design/palette.ts';
import { brand } from '../design/people.ts';
import { headlineSizes, scale, text } from '../design/type.ts';

/**
 * Black over a picture of unknown colours. White text needs 4.5:1 on what is left of pure white, which is so from
 * 54 % black on: the name at the top has 62 % and more under it, the title 78 %.
 */
const scrim =
  'linear-gradient(180deg, rgba(8,8,12,0.68) 0%, rgba(8,8,12,0.62) 20%, rgba(8,8,12,0.36) 36%, rgba(8,8,12,0.8) 60%, rgba(8,8,12,0.92) 100%)';

export default {
  name: 'video',
  description: 'A film or a talk: its picture to the edges, a play button, the title and the length.',
  variables: {
    title: { ...title, default: 'Watch now' },
    author: { type: 'text', doc: 'Whose it is, under the title.' },
    duration: { type: 'text', doc: 'The length, such as 12:40.' },
    image: {
      type: 'image_url',
      doc: 'A still, to the edges of the card. It is darkened so that the title can be read.',
    },
    site,
    logo,
    ...colorVariables('#ef4444', '#15151d'),
  },
  example: { title: 'How a card is made, frame by frame', author: 'Tintype Talks', duration: '12:40' },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const image = draft.image('image');
    const ground = paletteOf(draft);
    const colors = image ? palette(color('#0c0c10'), ground.accent) : ground;
    const inks = image ? { ...colors, muted: color('#e4e4e7') } : colors;
    const author = compact ? '' : draft.text('author');
    const duration = compact ? '' : draft.text('duration');
    const button = compact ? 64 : shape === 'wide' ? 112 : 144;
    const headline = await draft.fit(draft.text('title'), {
      width: inner.width,
      height: inner.height * (compact ? 0.56 : 0.48) - (author ? 56 : 0),
      sizes: headlineSizes(frame, shape === 'wide' ? 72 : 88),
      weight: 700,
      tracking: -0.028,
      color: inks.ink,
      balance: true,
    });
    const play = box(
      {
        width: button,
        height: button,
        borderRadius: button,
        alignItems: 'center',
        justifyContent: 'center',
        backgroundColor: css(colors.accent),
        flexShrink: 0,
      },
      box({ marginLeft: button * 0.05 }, icon('play', button * 0.46, colors.signOnAccent)),
    );
    const length =
      duration &&
      row(
        { height: 44, padding: '0 16px', borderRadius: 10, backgroundColor: css(color('#000000'), 0.72), minWidth: 0 },
        text(duration, { size: scale.small, weight: 600, tabular: true, color: color('#ffffff'), lines: 1 }),
      );
    const behind = image
      ? [
          box({ position: 'absolute', top: 0, left: 0, width: '100%', height: '100%' }, cover(image, '100%', '100%')),
          box({ position: 'absolute', top: 0, left: 0, width: '100%', height: '100%', backgroundImage: scrim }),
        ]
      : [];
    return sheet(
      frame,
      {
        color: colors.ground,
        image: image ? undefined : `linear-gradient(160deg, ${css(colors.glow)} 0%, ${css(colors.ground)} 60%)`,
        behind,
      },
      {},
      between(!compact && brand(draft, inks), length, { height: compact ? 0 : 44 }),
      spacer(),
      play,
      shape === 'wide' ? box({ height: compact ? 16 : 32, flexShrink: 0 }) : box({ height: 40, flexShrink: 0 }),
      headline.node,
      author && column({ marginTop: 16 }, text(author, { size: scale.body, weight: 500, color: inks.muted, lines: 1 })),
    );
  },
} satisfies Template;
