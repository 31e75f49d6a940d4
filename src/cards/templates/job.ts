import type { Template } from '../card-types.ts';
import { between, box, row, sheet, spacer } from '../design/blocks.ts';
import { css, mix } from '../design/color.ts';
import { colorVariables, description, logo, paletteOf, site } from '../design/common.ts';
import { palette } from '../design/palette.ts';
import { brand } from '../design/people.ts';
import { headlineSizes, leadText, scale, text } from '../design/type.ts';

export default {
  name: 'job',
  description: 'An opening: the role, the company, location, type and salary.',
  variables: {
    title: { type: 'text', doc: 'The role.', default: 'Join us' },
    description,
    location: { type: 'text', doc: 'Where the work is done.' },
    employment: { type: 'text', doc: 'Full time, part time, contract…' },
    salary: { type: 'text', doc: 'The pay, shown as written.' },
    label: { type: 'text', doc: 'A few words above the role.', default: 'We are hiring' },
    site: { ...site, doc: 'The name of the company.' },
    logo,
    ...colorVariables('#bef264', '#14342b'),
  },
  example: {
    title: 'Rendering engineer',
    description: 'Make pictures of the web faster than anybody believes they can be.',
    location: 'Remote, Europe',
    employment: 'Full time',
    salary: '€75–95k',
    site: 'Tintype',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const colors = paletteOf(draft);
    const chipGround = mix(colors.ground, colors.ink, 0.1);
    const chip = palette(chipGround, colors.accent);
    const facts = compact ? [] : ['location', 'employment', 'salary'].map((name) => draft.text(name)).filter(Boolean);
    const title = draft.text('title');
    const label = compact || draft.text('label') === title ? '' : draft.text('label');
    const head = between(
      !compact && brand(draft, colors),
      label && text(label, { size: scale.body, weight: 600, color: colors.accentInk, lines: 1 }),
      { height: 40 },
    );
    const lead = await draft.fit(compact ? '' : draft.text('description'), { ...leadText(frame), color: colors.muted });
    const stacked = shape === 'tall';
    const factsHeight = facts.length === 0 ? 0 : stacked ? facts.length * 76 + 16 : 108;
    const headline = await draft.fit(title, {
      width: inner.width,
      height: inner.height - (head ? 72 : 0) - factsHeight - (lead.height > 0 ? lead.height + 24 : 0),
      sizes: headlineSizes(frame, shape === 'wide' ? 104 : 112),
      weight: 700,
      tracking: -0.032,
      color: colors.ink,
      balance: true,
    });
    const fact = (value: string) =>
      row(
        {
          height: 60,
          padding: '0 26px',
          borderRadius: 30,
          backgroundColor: css(chipGround),
          minWidth: 0,
          maxWidth: '100%',
        },
        text(value, { size: scale.body, weight: 500, color: chip.ink, lines: 1, style: { minWidth: 0 } }),
      );
    return sheet(
      frame,
      { color: colors.ground },
      {},
      head,
      spacer(),
      headline.node,
      lead.height > 0 && box({ marginTop: 24 }, lead.node),
      shape === 'wide' ? spacer(0.6) : undefined,
      facts.length > 0 &&
        box(
          {
            gap: 16,
            marginTop: shape === 'wide' ? 24 : 48,
            flexDirection: stacked ? 'column' : 'row',
            alignItems: 'flex-start',
            flexShrink: 0,
          },
          ...facts.map(fact),
        ),
    );
  },
} satisfies Template;
