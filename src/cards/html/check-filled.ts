// A block may stand inside a word, such as `u{{#if a}}{{/if}}rl(`: what it comes to is only known when the template is filled,
// and is then held to the same rules as the template.
import { Parser } from 'htmlparser2';
import { drawingElements } from './allowed-html.ts';
import { fileKey, variableKey, withoutEscapes } from './css-urls.ts';
import { type Place, TemplateFault, type Wording } from './html-template-types.ts';

export const hasBlocks = (words: Wording): boolean => words.some((word) => typeof word !== 'string' && 'block' in word);

/** A drawing loads nothing: it has known elements only, which can only name its own parts. */
export function checkDrawn(element: string, attributes: Readonly<Record<string, string>>, place: Place): void {
  // The parser gives elements of drawings their usual capitals: linearGradient.
  if (!drawingElements.has(element.toLowerCase()))
    throw new TemplateFault(`<${element}> cannot be used in a drawing.`, place);
  for (const [name, value] of Object.entries(attributes)) checkAttribute(name, value, place);
}

function checkAttribute(attribute: string, value: string, place: Place): void {
  if (attribute.startsWith('on'))
    throw new TemplateFault(`${attribute} cannot be used: nothing runs in a template.`, place);
  const isOutward = attribute.endsWith('href')
    ? !value.trim().startsWith('#')
    : withoutEscapes(value)
        .replaceAll(/[\s"'\\]/g, '')
        .toLowerCase()
        .split('url(')
        .slice(1)
        .some((inside) => !inside.startsWith('#'));
  if (isOutward) throw new TemplateFault('A drawing can only name its own parts (#id).', place);
}

export function checkFilledDrawing(markup: string, place: Place): void {
  const parser = new Parser(
    { onopentag: (name, attributes) => checkDrawn(name, attributes, place) },
    // As the engine reads it.
    { xmlMode: true, decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.end(markup);
}

/** Addresses have been replaced by the keys of their pictures when the template was read: any other came out of a block. */
export function checkFilledCss(css: string, place: Place): void {
  const lower = withoutEscapes(css).toLowerCase();
  const isOutward = lower
    .split('url(')
    .slice(1)
    .some((inside) => ![fileKey(''), variableKey('')].some((key) => inside.startsWith(`"${key}`)));
  if (isOutward || lower.includes('@import') || lower.includes('@font-face'))
    throw new TemplateFault('url(), @import and @font-face cannot be put together from blocks.', place);
}
