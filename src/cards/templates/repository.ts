import type { Template } from '../card-types.ts';
import { box, column, row, sheet, spacer } from '../design/blocks.ts';
import { css } from '../design/color.ts';
import { colorVariables, description, logo, paletteOf, site } from '../design/common.ts';
import { type IconName, icon } from '../design/icons.ts';
import { brand } from '../design/people.ts';
import { headlineSizes, leadText, scale, text } from '../design/type.ts';

/** The width that is left to a brand beside long figures. */
const leastMark = 120;

export default {
  name: 'repository',
  description: 'A code repository: owner and name, what it does, its language and its figures.',
  variables: {
    title: { type: 'text', doc: 'The name of the repository.', default: 'repository' },
    owner: { type: 'text', doc: 'Who it belongs to.' },
    description,
    language: { type: 'text', doc: 'The language it is mostly written in.' },
    stars: { type: 'text', doc: 'The number of stars, shown as written.' },
    forks: { type: 'text', doc: 'How many forks.' },
    issues: { type: 'text', doc: 'How many open issues.' },
    avatar: { type: 'image_url', doc: 'The picture of the owner, in a rounded square.' },
    site,
    logo,
    ...colorVariables('#3178c6', '#ffffff'),
  },
  example: {
    owner: 'tintype',
    title: 'tintype',
    description: 'Screenshots, PDFs and Open Graph images of the web, from a service you run yourself.',
    language: 'TypeScript',
    stars: '4.8k',
    forks: '212',
    issues: '17',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const colors = paletteOf(draft);
    const picture = compact ? undefined : draft.image('avatar');
    const side = shape === 'wide' ? 144 : 160;
    const beside = picture && shape === 'wide';
    const width = beside ? inner.width - side - 56 : inner.width;
    const owner = compact ? '' : draft.text('owner');
    const figures = (
      [
        ['star', draft.text('stars')],
        ['fork', draft.text('forks')],
        ['issue', draft.text('issues')],
      ] as [IconName, string][]
    ).filter(([, value]) => value !== '' && !compact);
    const language = compact ? '' : draft.text('language');
    const mark = !compact && brand(draft, colors);
    const lead = await draft.fit(compact ? '' : draft.text('description'), {
      ...leadText(frame, width),
      lines: shape === 'wide' ? 3 : 5,
      color: colors.muted,
    });
    // Only a wide card has room for the brand beside the figures.
    const markAbove = shape !== 'wide' && mark;
    const markBeside = shape === 'wide' && mark;
    const foot = figures.length > 0 || language !== '' || markBeside;
    const headline = await draft.fit(draft.text('title'), {
      width,
      height:
        inner.height -
        (markAbove ? 72 : 0) -
        (owner ? 60 : 0) -
        (foot ? 96 : 0) -
        (lead.height > 0 ? lead.height + 28 : 0) -
        (picture && !beside ? side + 40 : 0),
      sizes: headlineSizes(frame, 96),
      weight: 700,
      tracking: -0.03,
      color: colors.ink,
    });
    const figure = ([name, value]: [IconName, string]) =>
      row(
        { gap: 12, minWidth: 0 },
        icon(name, 30, colors.muted),
        text(value, { size: scale.body, weight: 600, color: colors.ink, lines: 1, style: { minWidth: 0 } }),
      );
    const face = picture && {
      type: 'image' as const,
      src: picture.src,
      style: { width: side, height: side, borderRadius: 28, objectFit: 'cover', flexShrink: 0 } as never,
    };
    const words = column(
      { width, minWidth: 0, flexShrink: 0 },
      owner && text(`${owner} /`, { size: scale.h4, color: colors.muted, lines: 1, style: { marginBottom: 8 } }),
      headline.node,
      lead.height > 0 && box({ marginTop: 28 }, lead.node),
    );
    const band = { position: 'absolute', left: 0, right: 0, bottom: 0, height: compact ? 10 : 20 };
    const behind = [box({ ...band, backgroundColor: css(colors.accent) })];
    return sheet(
      frame,
      { color: colors.ground, behind },
      {},
      markAbove && row({ height: 40, flexShrink: 0 }, markAbove),
      (shape !== 'wide' || !foot) && spacer(),
      beside ? row({ gap: 56, alignItems: 'flex-start' }, words, face) : column({ gap: 40 }, face, words),
      spacer(),
      foot &&
        row(
          { gap: 40, height: 48, flexShrink: 0, justifyContent: 'space-between' },
          // The brand gives way first, then the language, and the figures last.
          row(
            { gap: 40, flexShrink: 0, maxWidth: inner.width - (markBeside ? leastMark + 40 : 0) },
            language &&
              row(
                { gap: 14, minWidth: 0 },
                box({ width: 20, height: 20, borderRadius: 10, backgroundColor: css(colors.accent), flexShrink: 0 }),
                text(language, { size: scale.body, weight: 600, color: colors.ink, lines: 1, style: { minWidth: 0 } }),
              ),
            figures.length > 0 && row({ gap: 40, flexShrink: 0, maxWidth: '100%' }, ...figures.map(figure)),
          ),
          markBeside && box({ minWidth: 0, flexShrink: 1 }, markBeside),
        ),
    );
  },
} satisfies Template;
