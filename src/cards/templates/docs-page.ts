import type { Template } from '../card-types.ts';
import { between, box, column, outline, row, rule, sheet, spacer } from '../design/blocks.ts';
import { css } from '../design/color.ts';
import { colorVariables, description, logo, paletteOf, site, title } from '../design/common.ts';
import type { Palette } from '../design/palette.ts';
import { brand } from '../design/people.ts';
import { headlineSizes, leadText, scale, text } from '../design/type.ts';

/** A stylized table of contents: one line for each page, with this page highlighted. */
function contents(colors: Palette, height: number) {
  const widths = [0.5, 0.8, 0.62, 0.72, 0.45, 0.58, 0.84, 0.66, 0.52, 0.76, 0.6, 0.48];
  const shown = widths.slice(0, Math.max(3, Math.floor(height / 44)));
  return column(
    { gap: 28, paddingTop: 8 },
    ...shown.map((share, i) =>
      row(
        { gap: 14, height: 16, paddingLeft: i === 0 || i === 4 ? 0 : 20 },
        i === 2 && box({ width: 6, height: 28, borderRadius: 3, backgroundColor: css(colors.accent), marginLeft: -20 }),
        box({
          width: 176 * share,
          height: i === 0 || i === 4 ? 12 : 10,
          borderRadius: 6,
          backgroundColor: css(i === 2 ? colors.accent : colors.line),
        }),
      ),
    ),
  );
}

export default {
  name: 'docs-page',
  description: 'A page of documentation: its section, title and summary.',
  variables: {
    title: { ...title, default: 'Documentation' },
    description,
    section: { type: 'text', doc: 'Where the page stands, parts separated by / or >.' },
    version: { type: 'text', doc: 'The version the page is about.' },
    path: { type: 'text', doc: 'The address of the page, or a command, in a monospaced face.' },
    site,
    logo,
    ...colorVariables('#2563eb', '#ffffff'),
  },
  example: {
    title: 'Signed links',
    description: 'Put a card into public HTML without giving your key away: the signature stands in for it.',
    section: 'Guides / Open Graph',
    version: 'v1',
    path: 'GET /v1/og?template=docs-page',
    site: 'Tintype Docs',
  },
  async picture(draft) {
    const { frame } = draft;
    const { inner, compact, shape, pad } = frame;
    const colors = paletteOf(draft);
    const hasContents = shape === 'wide' && !compact;
    const rail = hasContents ? 232 : 0;
    const width = inner.width - (hasContents ? rail + 56 : 0);
    const crumbs = compact
      ? []
      : draft
          .text('section')
          .split(/\s*[/>›]\s*/)
          .filter(Boolean);
    const version = compact ? '' : draft.text('version');
    const path = compact ? '' : draft.text('path');
    const head = between(!compact && brand(draft, colors, 36), version && outline(version, colors.line, colors.ink), {
      height: 48,
    });
    const lead = await draft.fit(compact ? '' : draft.text('description'), {
      ...leadText(frame, width),
      lines: shape === 'wide' ? 3 : 5,
      color: colors.muted,
    });
    const leadGap = lead.height > 0 ? 24 : 0;
    const headline = await draft.fit(draft.text('title'), {
      width,
      height: inner.height - (head ? 80 : 0) - (crumbs.length > 0 ? 56 : 0) - (path ? 80 : 0) - lead.height - leadGap,
      sizes: headlineSizes(frame, shape === 'wide' ? 80 : 96),
      weight: 700,
      tracking: -0.03,
      color: colors.ink,
      balance: true,
    });
    const crumb = (label: string, i: number) => [
      i > 0 && text('/', { size: scale.body, color: colors.muted, style: { flexShrink: 0 } }),
      text(label, {
        size: scale.body,
        weight: 500,
        color: i === crumbs.length - 1 ? colors.accentInk : colors.muted,
        lines: 1,
        style: { minWidth: 0 },
      }),
    ];
    const body = column(
      { width, height: inner.height, flexShrink: 0 },
      head,
      spacer(),
      crumbs.length > 0 && row({ gap: 14, height: 36, marginBottom: 20, flexShrink: 0 }, ...crumbs.flatMap(crumb)),
      headline.node,
      lead.height > 0 && box({ marginTop: leadGap }, lead.node),
      spacer(),
      path &&
        column(
          { gap: 24, flexShrink: 0 },
          rule(colors.line),
          text(path, { size: 24, font: 'mono', color: colors.muted, lines: 1 }),
        ),
    );
    if (!hasContents) {
      const top = { position: 'absolute', left: 0, right: 0, top: 0, height: compact ? 8 : 16 };
      const behind = [box({ ...top, backgroundColor: css(colors.accent) })];
      return sheet(frame, { color: colors.ground, behind }, {}, body);
    }
    const edge = box({
      position: 'absolute',
      left: rail - 1,
      top: -pad,
      bottom: -pad,
      width: 2,
      backgroundColor: css(colors.line),
    });
    const side = box(
      { width: rail + 56, flexShrink: 0, overflow: 'hidden', height: inner.height },
      contents(colors, inner.height),
    );
    return sheet(frame, { color: colors.ground }, {}, edge, row({ alignItems: 'stretch' }, side, body));
  },
} satisfies Template;
