import type { Template } from '../card-types.ts';
import { box, column, disc, row, sheet, spacer } from '../design/blocks.ts';
import { css, white } from '../design/color.ts';
import { avatar, colorVariables, description, logo, paletteOf, site, title } from '../design/common.ts';
import { type IconName, icon } from '../design/icons.ts';
import { palette } from '../design/palette.ts';
import { brand, byline, bylineHeight } from '../design/people.ts';
import { headlineSizes, leadText, scale, text } from '../design/type.ts';

export default {
  name: 'event',
  description: 'An invitation in the shape of a ticket: what, when, where and who speaks.',
  variables: {
    title: { ...title, default: 'You are invited' },
    description,
    date: { type: 'text', doc: 'The day, shown as written.' },
    time: { type: 'text', doc: 'The time, shown as written.' },
    location: { type: 'text', doc: 'Where it takes place.' },
    author: { type: 'text', doc: 'Who speaks or hosts.' },
    role: { type: 'text', doc: 'What the speaker does.' },
    avatar,
    site,
    logo,
    ...colorVariables('#e11d48', '#ffe4e6'),
  },
  example: {
    title: 'An evening about fast pictures',
    date: '24 September',
    time: '18:30 – 21:00',
    location: 'Harbour Hall, Gothenburg',
    author: 'The Rendering Guild',
    role: 'Hosts of the evening',
    site: 'Meetup',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const outside = paletteOf(draft);
    const paper = palette(outside.isDark ? outside.surface : white, outside.accent);
    const stub = palette(outside.accent, outside.accent);
    const beside = shape === 'wide';
    const padding = compact ? 28 : 48;

    const day = draft.text('date');
    const facts = (
      [
        ['clock', draft.text('time')],
        ['pin', draft.text('location')],
      ] as [IconName, string][]
    ).filter(([, value]) => value !== '' && !compact);
    const hasStub = (day !== '' || facts.length > 0) && !(compact && beside);
    const stubWidth = beside ? 336 : inner.width;
    const when = await draft.fit(day, {
      width: stubWidth - padding * 2,
      height: compact ? 40 : beside ? 170 : 120,
      sizes: compact ? [32, 28, 24, 20] : [60, 56, 52, 48, 44, 40, 36, 32],
      weight: 700,
      color: stub.ink,
    });
    const factLine = 44;
    const stubHeight = beside
      ? inner.height
      : padding * 2 + when.height + facts.length * (factLine + 12) + (facts.length > 0 && day !== '' ? 12 : 0);
    const width = (beside && hasStub ? inner.width - stubWidth : inner.width) - padding * 2;
    const height = (beside || !hasStub ? inner.height : inner.height - stubHeight) - padding * 2;

    const mark = !compact && brand(draft, paper);
    const by =
      !compact &&
      byline({ picture: draft.image('avatar'), name: draft.text('author'), detail: draft.text('role') }, paper);
    const lead = await draft.fit(compact || height < 380 ? '' : draft.text('description'), {
      ...leadText(frame, width),
      color: paper.muted,
    });
    const headline = await draft.fit(draft.text('title'), {
      width,
      height: height - (mark ? 64 : 0) - (by ? bylineHeight + 28 : 0) - (lead.height > 0 ? lead.height + 20 : 0),
      sizes: headlineSizes(frame, shape === 'tall' ? 96 : 80),
      weight: 700,
      tracking: -0.03,
      color: paper.ink,
      balance: true,
    });
    const main = column(
      { padding, width: width + padding * 2, height: height + padding * 2, flexShrink: 0 },
      mark && row({ height: 36, marginBottom: 28, flexShrink: 0 }, mark),
      !by && spacer(),
      headline.node,
      lead.height > 0 && box({ marginTop: 20 }, lead.node),
      spacer(),
      by,
    );
    const fact = ([name, value]: [IconName, string]) =>
      row(
        { gap: 16, alignItems: 'flex-start' },
        box({ paddingTop: 4 }, icon(name, 28, stub.ink)),
        text(value, {
          size: scale.body,
          weight: 500,
          color: stub.ink,
          leading: 1.35,
          lines: beside ? 2 : 1,
          style: { minWidth: 0, flexShrink: 1 },
        }),
      );
    const side = column(
      {
        width: stubWidth,
        height: stubHeight,
        padding,
        gap: 20,
        backgroundColor: css(outside.accent),
        justifyContent: beside ? 'flex-start' : 'center',
        flexShrink: 0,
      },
      day && when.node,
      beside && spacer(),
      ...facts.map(fact),
    );
    // The notches of a ticket: discs in the background color at both ends of the perforation.
    const hole = (x: number | string, y: number | string) => disc(x, y, 20, { backgroundColor: css(outside.ground) });
    const seam = beside ? inner.width - stubWidth : inner.height - stubHeight;
    return sheet(
      frame,
      { color: outside.ground },
      {
        borderRadius: compact ? 16 : 28,
        overflow: 'hidden',
        backgroundColor: css(paper.ground),
        flexDirection: beside ? 'row' : 'column',
      },
      main,
      hasStub && side,
      hasStub && !compact && hole(beside ? seam : 0, beside ? 0 : seam),
      hasStub && !compact && hole(beside ? seam : '100%', beside ? '100%' : seam),
    );
  },
} satisfies Template;
