import type { Node } from '@takumi-rs/core';
import type { Draft, Template } from '../card-types.ts';
import { between, box, column, row, sheet, spacer } from '../design/blocks.ts';
import { type Color, css, mix } from '../design/color.ts';
import { colorVariables, logo, paletteOf, site } from '../design/common.ts';
import { icon } from '../design/icons.ts';
import { roomiest, shownItems } from '../design/lists.ts';
import { type Palette, palette } from '../design/palette.ts';
import { brand } from '../design/people.ts';
import { text } from '../design/type.ts';

type Side = {
  readonly name: string;
  readonly items: readonly string[];
  readonly ground: Color;
  readonly sign: 'check' | 'minus';
};

type Panel = { readonly node: Node; readonly rows: number; readonly isCut: boolean };

async function panel(
  draft: Draft,
  side: Side,
  { width, height, nameHeight }: { width: number; height: number; nameHeight: number },
  accent: Color,
): Promise<Panel> {
  const { compact, shape } = draft.frame;
  const colors: Palette = palette(side.ground, accent);
  const padding = compact ? 20 : shape === 'square' ? 28 : 40;
  const inside = width - padding * 2;
  const name = await draft.fit(side.name, {
    width: inside,
    height: side.items.length > 0 || compact ? nameHeight : height - padding * 2,
    sizes: compact ? [32, 28, 24, 20, 16] : shape === 'square' ? [40, 36, 32, 28] : [56, 48, 44, 40, 36, 32, 28],
    weight: 700,
    color: colors.ink,
    balance: true,
  });
  const size = compact ? 16 : shape === 'tall' ? 30 : 26;
  const lineHeight = Math.round(size * 1.4);
  const gap = compact ? 6 : shape === 'square' ? 8 : 14;
  const under = compact ? 10 : shape === 'square' ? 16 : 28;
  const room = Math.max(0, Math.floor((height - padding * 2 - name.height - under + gap) / (lineHeight + gap)));
  const { shown, more } = shownItems(side.items, room, !compact);
  const node = column(
    {
      width,
      height,
      padding,
      backgroundColor: css(side.ground),
      borderRadius: compact ? 14 : 28,
      justifyContent: side.items.length === 0 ? 'center' : 'flex-start',
      flexShrink: 0,
    },
    name.node,
    side.items.length > 0 &&
      column(
        { gap, marginTop: under },
        ...shown.map((item) =>
          row(
            { gap: compact ? 8 : 16, height: lineHeight },
            icon(side.sign, size, colors.ink, 2.5),
            text(item, { size, color: colors.ink, lines: 1, style: { minWidth: 0, flexShrink: 1 } }),
          ),
        ),
        more > 0 && text(`+ ${more}`, { size, weight: 600, color: colors.muted, style: { paddingLeft: size + 16 } }),
      ),
  );
  return { node, rows: room, isCut: name.isCut };
}

export default {
  name: 'comparison',
  description: 'Two things side by side: before and after, this or that.',
  variables: {
    title: { type: 'text', doc: 'A sentence above both.' },
    left_title: { type: 'text', doc: 'The name of the first.', default: 'Before' },
    left_items: { type: 'items', doc: 'Points about the first, one per line.' },
    right_title: { type: 'text', doc: 'The name of the second; it has the accent.', default: 'After' },
    right_items: { type: 'items', doc: 'Points about the second, one per line.' },
    site,
    logo,
    ...colorVariables('#2563eb', '#f1f5f9'),
  },
  example: {
    title: 'Templates or a browser?',
    left_title: 'A browser',
    left_items: 'Any CSS there is\nSeconds to start\nHundreds of megabytes',
    right_title: 'A template',
    right_items: 'A design that holds\nTen milliseconds\nThe same on every machine',
    site: 'Tintype',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape } = frame;
    const colors = paletteOf(draft);
    const headOf = (share: number) =>
      draft.fit(compact ? '' : draft.text('title'), {
        width: inner.width,
        height: inner.height * share,
        sizes: shape === 'wide' ? [52, 48, 44, 40, 36, 32] : [64, 56, 48, 44, 40, 36],
        weight: 650,
        color: colors.ink,
        balance: true,
      });
    const foot = !compact && brand(draft, colors);
    const gap = compact ? 12 : 24;
    const beside = shape === 'wide';
    const sides: readonly Side[] = [
      {
        name: draft.text('left_title'),
        items: draft.items('left_items'),
        ground: mix(
          colors.ground,
          colors.isDark ? colors.ink : { r: 255, g: 255, b: 255, a: 1 },
          colors.isDark ? 0.1 : 0.75,
        ),
        sign: 'minus',
      },
      { name: draft.text('right_title'), items: draft.items('right_items'), ground: colors.accent, sign: 'check' },
    ];
    const layout = async (headShare: number, nameHeight: number) => {
      const head = await headOf(headShare);
      const height = inner.height - (head.height > 0 ? head.height + 40 : 0) - (foot ? 76 : 0);
      const size = beside
        ? { width: (inner.width - gap) / 2, height, nameHeight }
        : { width: inner.width, height: (height - gap) / 2, nameHeight };
      const panels = await Promise.all(sides.map((side) => panel(draft, side, size, colors.accent)));
      return {
        head,
        panels: panels.map(({ node }) => node),
        rows: panels.map(({ rows }) => rows),
        isCut: head.isCut || panels.some(({ isCut }) => isCut),
      };
    };
    // Titles of several lines become smaller until the items have room.
    const { head, panels } = await roomiest(
      sides.map(({ items }) => items.length),
      () => layout(0.24, compact ? 64 : 112),
      compact ? [] : [() => layout(0.24, 56), () => layout(0.19, 56), () => layout(0.19, 43), () => layout(0.14, 43)],
    );
    return sheet(
      frame,
      { color: colors.ground },
      {},
      head.height > 0 && box({ marginBottom: 40 }, head.node),
      (beside ? row : column)({ gap, alignItems: 'stretch' }, ...panels),
      spacer(),
      foot && between(foot, undefined, { height: 40 }),
    );
  },
} satisfies Template;
