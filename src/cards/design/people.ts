// Authors and sites: avatars, names, logos.
import type { Draft, Picture } from '../card-types.ts';
import { box, column, contain, cover, type Part, row } from './blocks.ts';
import { css } from './color.ts';
import { lineSize } from './fit.ts';
import type { Palette } from './palette.ts';
import { text } from './type.ts';

const cased = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;

/** The first letters of the first and the last word; one letter in scripts without capitals. */
export function initials(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, ' ')
    .trim()
    .split(/\s+/u);
  const letterOf = (word: string | undefined) => word?.match(/^.\p{M}*/su)?.[0] ?? '';
  const first = letterOf(words[0]);
  const last = words.length > 1 ? letterOf(words.at(-1)) : '';
  return cased.test(first) ? (first + last).toUpperCase() : first;
}

/** The avatar, or the initials on the accent color; nothing if there is neither. */
export function avatar(picture: Picture | undefined, name: string, size: number, colors: Palette): Part {
  const round = { borderRadius: size, width: size, height: size, flexShrink: 0 };
  if (picture) return cover(picture, size, size, round);
  const letters = initials(name);
  if (letters === '') return undefined;
  return box(
    { ...round, alignItems: 'center', justifyContent: 'center', backgroundColor: css(colors.accent) },
    text(letters, { size: Math.round(size * 0.38), weight: 600, color: colors.onAccent, leading: 1, tracking: 0 }),
  );
}

/** Avatar, name, and a second line below it. */
export function byline(
  who: { readonly picture?: Picture | undefined; readonly name: string; readonly detail?: string },
  colors: Palette,
  size = 64,
): Part {
  const { picture, name, detail = '' } = who;
  if (name === '' && detail === '' && !picture) return undefined;
  return row(
    { gap: 20, minWidth: 0, maxWidth: '100%' },
    avatar(picture, name, size, colors),
    column(
      { gap: 2, minWidth: 0, flexShrink: 1 },
      name && text(name, { size: 26, weight: 600, color: colors.ink, leading: 1.3, lines: 1 }),
      detail && text(detail, { size: 22, color: colors.muted, leading: 1.3, lines: 1 }),
    ),
  );
}

/** The height of a byline of the usual size. */
export const bylineHeight = 66;

/** The author's byline from the common variables. */
export const authorLine = (draft: Draft, colors: Palette, size?: number): Part =>
  byline({ picture: draft.image('avatar'), name: draft.text('author'), detail: draft.text('date') }, colors, size);

const siteStyle = (size: number) => ({ size: Math.round(size * 0.62), weight: 600, leading: 1.3, lines: 1 });

/** The width of the brand: at most a few percent more than it takes. */
export async function brandWidth(draft: Draft, size = 36): Promise<number> {
  const logo = draft.image('logo');
  const site = draft.text('site');
  const name = await lineSize(draft, site, siteStyle(size));
  const picture = logo ? Math.min(size * 5, (logo.width * size) / logo.height) : 0;
  return picture + name.width + (logo && site !== '' ? 16 : 0);
}

/** The site's logo and name, or undefined if the caller gave neither. */
export function brand(draft: Draft, colors: Palette, size = 36): Part {
  const logo = draft.image('logo');
  const site = draft.text('site');
  if (!logo && site === '') return undefined;
  return row(
    { gap: 16, height: size, minWidth: 0, maxWidth: '100%' },
    logo && contain(logo, size * 5, size),
    site &&
      text(site, {
        ...siteStyle(size),
        color: colors.ink,
        style: { minWidth: 0, flexShrink: 1 },
      }),
  );
}
