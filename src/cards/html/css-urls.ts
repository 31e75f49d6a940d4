// The addresses in CSS. A template loads nothing: url() names a file that was uploaded with it, or a variable of type
// image_url.
import { type Place, TemplateFault } from './html-template-types.ts';
import { type Marked, markEnd, markStart } from './read-tags.ts';

export const fileName = /^[A-Za-z0-9][A-Za-z0-9._ -]{0,99}$/;
export const fileKey = (name: string): string => `file/${name}`;
export const variableKey = (name: string): string => `variable/${name}`;

type Uses = { readonly image: (variable: string, place: Place) => void; readonly file: (name: string) => void };

/** As the engine reads names in CSS: `u\\72l(` is `url(`. */
export const withoutEscapes = (css: string): string =>
  css.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi, (_, code: string | undefined, character: string) =>
    code === undefined ? character : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)),
  );

const urlsIn = (css: string): number => css.split('url(').length;

/** The CSS with every address replaced by the key of its picture. */
export function readUrls(css: string, placeAt: (offset: number) => Place, { tags }: Pick<Marked, 'tags'>, uses: Uses) {
  const lower = css.toLowerCase();
  const read = withoutEscapes(css).toLowerCase();
  if (urlsIn(read) !== urlsIn(lower) || /@(?:import|font-face)/.test(read) !== /@(?:import|font-face)/.test(lower))
    throw new TemplateFault('url(), @import and @font-face cannot be written with escapes (\\).', placeAt(0));
  const imported = lower.indexOf('@import');
  if (imported >= 0) throw new TemplateFault('@import cannot be used: a template loads nothing.', placeAt(imported));
  const face = lower.indexOf('@font-face');
  if (face >= 0)
    throw new TemplateFault(
      'Upload the font, and use its name in font-family: @font-face is not needed.',
      placeAt(face),
    );
  let result = '';
  let at = 0;
  for (let start = lower.indexOf('url('); start >= 0; start = lower.indexOf('url(', at)) {
    const end = css.indexOf(')', start);
    const place = placeAt(start);
    if (end < 0) throw new TemplateFault('url( is not closed.', place);
    const inside = css
      .slice(start + 4, end)
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2');
    // In quotes: the name of a file may have blanks.
    result += `${css.slice(at, start)}url("${keyOf(inside, place, tags, uses)}")`;
    at = end + 1;
  }
  return result + css.slice(at);
}

function keyOf(inside: string, place: Place, tags: Marked['tags'], uses: Uses): string {
  const tag =
    inside.startsWith(markStart) && inside.indexOf(markEnd) === inside.length - 1
      ? tags[Number(inside.slice(1, -1))]
      : undefined;
  if (tag?.kind === 'show') {
    uses.image(tag.name, tag.place);
    return variableKey(tag.name);
  }
  if (!fileName.test(inside))
    throw new TemplateFault('url() takes the name of an uploaded file, or one variable: url({{image}}).', place);
  uses.file(inside);
  return fileKey(inside);
}
