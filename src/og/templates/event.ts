import { box, column, disc, row, sheet, spacer } from '../design/blocks.ts';
import { css } from '../design/color.ts';
import { avatar, colorVariables, description, logo, paletteOf, site, title } from '../design/common.ts';
import { type IconName, icon } from '../design/icons.ts';
import { palette } from '../design/palette.ts';
import { brand, byline, bylineHeight } from '../design/people.ts';
import { headlineSizes, scale, text } from '../design/type.ts';
import type { Template } from '../og-types.ts';

export default {
  name: 'event',
  description: 'An invitation in the shape of a ticket: what, when, where and who speaks.',
  variables: {
    title: { ...title, default: 'You are invited' },
    description,
    date: { type: 'text', doc: 'The day, as it should be read.' },
    time: { type: 'text', doc: 'The time, as it should be read.' },
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
    date: 'Thu, 24 September',
    time: '18:30',
    location: 'Harbour Hall, Gothenburg',
    author: 'Ines Okafor',
    role: 'Rendering, Tintype',
    site: 'Meetup',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const outside = paletteOf(draft);
    const paper = palette(outside.isDark ? outside.surface : { r: 255, g: 255, b: 255, a: 1 }, outside.accent);
    const stub = palette(outside.accent, outside.accent);
    const beside = shape === 'wide';
    const padding = compact ? 28 : 48;
    const facts = (
      [
        ['calendar', draft.text('date')],
        ['clock', draft.text('time')],
        ['pin', draft.text('location')],
      ] as [IconName, string][]
    ).filter(([, value]) => value !== '');
    const hasStub = facts.length > 0 && !(compact && shape === 'wide');
    const stubWidth = beside ? 336 : inner.width;
    const stubHeight = beside ? inner.height : padding * 2 + facts.length * (compact ? 44 : 60) - 16;
    const width = (beside && hasStub ? inner.width - stubWidth : inner.width) - padding * 2;
    const height = (beside || !hasStub ? inner.height : inner.height - stubHeight) - padding * 2;

    const mark = !compact && brand(draft, paper, 36);
    const by =
      !compact &&
      byline({ picture: draft.image('avatar'), name: draft.text('author'), detail: draft.text('role') }, paper);
    const description = await draft.fit(compact ? '' : draft.text('description'), {
      width,
      height: height * 0.3,
      sizes: [28, 24],
      color: paper.muted,
    });
    const headline = await draft.fit(draft.text('title'), {
      width,
      height:
        height -
        (mark ? 64 : 0) -
        (by ? bylineHeight + 28 : 0) -
        (description.height > 0 ? description.height + 20 : 0),
      sizes: headlineSizes(frame, shape === 'wide' ? 80 : 88),
      weight: 700,
      tracking: -0.03,
      color: paper.ink,
      balance: true,
    });
    const main = column(
      { padding, width: width + padding * 2, height: height + padding * 2, flexShrink: 0 },
      mark && row({ height: 36, marginBottom: 28 }, mark),
      by ? undefined : spacer(),
      headline.node,
      description.height > 0 && box({ marginTop: 20 }, description.node),
      spacer(),
      by,
    );
    const fact = ([name, value]: [IconName, string]) =>
      row(
        { gap: 16, alignItems: 'flex-start' },
        box({ paddingTop: compact ? 2 : 5 }, icon(name, compact ? 22 : 28, stub.ink)),
        text(value, {
          size: compact ? scale.small : 28,
          weight: 600,
          color: stub.ink,
          leading: 1.35,
          lines: beside ? 3 : 1,
          style: { minWidth: 0, flexShrink: 1 },
        }),
      );
    const side = column(
      {
        width: stubWidth,
        height: stubHeight,
        padding,
        gap: compact ? 12 : 24,
        backgroundColor: css(outside.accent),
        justifyContent: beside ? 'flex-end' : 'center',
        flexShrink: 0,
      },
      ...facts.map(fact),
    );
    // The holes where a ticket is torn: discs of the ground on both ends of the seam.
    const hole = (x: number | string, y: number | string) => disc(x, y, 20, { backgroundColor: css(outside.ground) });
    const seam = beside ? inner.width - stubWidth : inner.height - stubHeight;
    return sheet(
      frame,
      { color: outside.ground },
      {
        borderRadius: 28,
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
