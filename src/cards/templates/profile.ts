import type { Template } from '../card-types.ts';
import { box, column, disc, row, sheet } from '../design/blocks.ts';
import { css } from '../design/color.ts';
import { colorVariables, logo, paletteOf, site } from '../design/common.ts';
import { avatar, brand, brandWidth } from '../design/people.ts';
import { headlineSizes, scale, text } from '../design/type.ts';

/** The brand and the space below it. */
const markHeight = 64;

export default {
  name: 'profile',
  description: 'A person or a team: picture, name, what they do, and where to find them.',
  variables: {
    title: { type: 'text', doc: 'The name.', default: 'Hello' },
    role: { type: 'text', doc: 'What the person does.' },
    description: { type: 'text', doc: 'A sentence about them.' },
    handle: { type: 'text', doc: 'An address or user name.' },
    avatar: { type: 'image_url', doc: 'A picture, cut to a circle. Without one the initials are shown.' },
    site,
    logo,
    ...colorVariables('#0f766e', '#f0fdfa'),
  },
  example: {
    title: 'Studio North',
    role: 'Type foundry',
    description: 'Draws letters for small screens and large walls. Open on Thursdays.',
    handle: '@studionorth',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const colors = paletteOf(draft);
    const beside = shape === 'wide';
    const name = draft.text('title');
    const size = compact ? 112 : beside ? 320 : shape === 'square' ? 240 : 320;
    const face = avatar(draft.image('avatar'), name, size, colors);
    const ring =
      face &&
      box(
        {
          borderRadius: size,
          padding: compact ? 5 : 10,
          backgroundColor: css(colors.ground),
          border: `${compact ? 3 : 6}px solid ${css(colors.accent)}`,
          flexShrink: 0,
        },
        face,
      );
    const ringSize = face ? size + (compact ? 16 : 32) : 0;
    const gap = compact ? 24 : beside ? 72 : 48;
    const width = beside ? inner.width - ringSize - (face ? gap : 0) : inner.width;
    const align = beside ? undefined : 'center';
    const role = compact ? '' : draft.text('role');
    const handle = compact ? '' : draft.text('handle');
    const lead = await draft.fit(compact ? '' : draft.text('description'), {
      width: Math.min(width, 760),
      height: inner.height,
      lines: beside ? 3 : 4,
      sizes: beside ? [30, 28, 26] : [34, 32, 30, 28],
      color: colors.muted,
      align,
      balance: true,
    });
    const mark = !compact && brand(draft, colors, 36);
    const used =
      (role ? 60 : 0) +
      (handle ? 68 : 0) +
      (lead.height > 0 ? lead.height + 24 : 0) +
      (beside ? 0 : ringSize + gap) +
      (mark ? markHeight : 0);
    const headline = await draft.fit(name, {
      width,
      height: inner.height - used,
      sizes: headlineSizes(frame, beside ? 88 : 96),
      weight: 700,
      tracking: -0.03,
      color: colors.ink,
      align,
      balance: true,
    });
    // Centered, unless the block would then reach the brand in the corner.
    const block = Math.max(used - (mark ? markHeight : 0) + headline.height, beside ? ringSize : 0);
    const besideRing = !beside && face && (await brandWidth(draft)) < (inner.width - ringSize) / 2 - 24;
    const top = mark && !besideRing && inner.height - block < 2 * markHeight ? markHeight : 0;
    const words = column(
      { width, alignItems: beside ? 'flex-start' : 'center', flexShrink: 0 },
      headline.node,
      role &&
        text(role, {
          size: scale.lead,
          weight: 600,
          color: colors.accentInk,
          lines: 1,
          align,
          style: { marginTop: 12 },
        }),
      lead.height > 0 && box({ marginTop: 24 }, lead.node),
      handle &&
        text(handle, {
          size: scale.body,
          font: 'mono',
          color: colors.muted,
          lines: 1,
          align,
          style: { marginTop: 28 },
        }),
    );
    // In the corner, without touching the text.
    const halo = disc(
      beside ? -frame.pad : '50%',
      beside ? inner.height + frame.pad : -frame.pad,
      beside ? 400 : inner.width * 0.55,
      {
        backgroundColor: css(colors.glow, 0.55),
      },
    );
    return sheet(
      frame,
      { color: colors.ground },
      { justifyContent: 'center', paddingTop: top },
      !compact && halo,
      (beside ? row : column)({ gap, alignItems: 'center', position: 'relative' }, ring, words),
      mark && box({ position: 'absolute', right: 0, top: 0, maxWidth: inner.width * 0.5 }, mark),
    );
  },
} satisfies Template;
