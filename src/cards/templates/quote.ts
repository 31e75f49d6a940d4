import type { Template } from '../card-types.ts';
import { box, row, sheet, spacer } from '../design/blocks.ts';
import { colorVariables, logo, paletteOf, site } from '../design/common.ts';
import { icon } from '../design/icons.ts';
import { brand, byline, bylineHeight } from '../design/people.ts';
import { headlineSizes } from '../design/type.ts';

export default {
  name: 'quote',
  description: 'Somebody’s words, large and in italics, and who said them. For testimonials too.',
  variables: {
    title: { type: 'text', doc: 'The words. Quotation marks are drawn.', default: 'Words worth keeping.' },
    author: { type: 'text', doc: 'Who said them.' },
    role: { type: 'text', doc: 'What the person does, or where the words come from.' },
    avatar: { type: 'image_url', doc: 'A picture of the person, cut to a circle.' },
    site,
    logo,
    ...colorVariables('#d97706', '#1c1917'),
  },
  example: {
    title: 'It was running before the coffee was ready, and it has not asked for anything since.',
    author: 'An early adopter',
    role: 'Platform team',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const colors = paletteOf(draft);
    const by =
      !compact &&
      byline({ picture: draft.image('avatar'), name: draft.text('author'), detail: draft.text('role') }, colors, 72);
    const mark = !compact && brand(draft, colors, 36);
    const sign = compact ? 36 : 72;
    const words = await draft.fit(draft.text('title'), {
      width: inner.width,
      height: inner.height - sign - (compact ? 16 : 32) - (by || mark ? bylineHeight + 56 : 0),
      sizes: headlineSizes(frame, shape === 'wide' ? 80 : 88),
      font: 'serif',
      italic: true,
      weight: 400,
      leading: 1.18,
      tracking: -0.008,
      color: colors.ink,
      balance: true,
    });
    return sheet(
      frame,
      { color: colors.ground },
      {},
      shape !== 'wide' && spacer(),
      box({ marginLeft: -6, marginBottom: compact ? 16 : 32 }, icon('quote', sign, colors.accent)),
      words.node,
      spacer(),
      (by || mark) && row({ justifyContent: 'space-between', gap: 32, marginTop: 40 }, by || box({}), mark),
    );
  },
} satisfies Template;
