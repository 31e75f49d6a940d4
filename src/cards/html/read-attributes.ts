// Reads the attributes of an element: which of them a template may have, and what may be inserted into each.
import { attributeNames, fitNames, flagNames, highlightName } from './allowed-html.ts';
import { fileKey, fileName, readUrls, variableKey } from './css-urls.ts';
import { type Place, TemplateFault, type Wording } from './html-template-types.ts';
import { type Marked, markStart } from './read-tags.ts';
import { readWords, splitMarks } from './read-words.ts';
import { shapePrefix } from './shape-classes.ts';
import type { Around, UsedVariables } from './used-variables.ts';

type Context = {
  readonly marked: Marked;
  readonly variables: Pick<UsedVariables, 'note' | 'noteTag'>;
  readonly noteFile: (name: string) => void;
  readonly around: Around;
};

export function createAttributeReader({ marked, variables, noteFile, around }: Context) {
  const notePicture = (name: string, place: Place) => variables.note(name, 'image_url', place);

  /** `type` is what a value becomes there. */
  const wordsOf = (value: string, place: Place, type: 'text' | 'color'): Wording =>
    readWords(value, place, marked, (tag) => variables.noteTag(tag, tag.kind === 'show' ? type : undefined, around));

  /** In CSS and in classes only colors are inserted. */
  const styleWords = (value: string, place: Place, placeAt: (offset: number) => Place = () => place): Wording =>
    wordsOf(readUrls(value, placeAt, marked, { image: notePicture, file: noteFile }), place, 'color');

  function readAttribute(tag: string, name: string, value: string, place: Place): Wording | undefined {
    if (name.includes(markStart))
      throw new TemplateFault('A tag can be in the value of an attribute, not around it.', place);
    if (name.startsWith('on')) throw new TemplateFault(`${name} cannot be used: nothing runs in a template.`, place);
    if (name === 'src') return tag === 'img' ? [pictureOf(value, place)] : undefined;
    // Decoded text has no exact position in the template: the attribute's is near enough.
    if (name === 'class' || name === 'style') return styleWords(value, place);
    const plain = name.replace(shapePrefix, '');
    if ((fitNames as readonly string[]).includes(plain)) return [fitOf(plain, value, place)];
    if ((flagNames as readonly string[]).includes(name)) return [''];
    if (name !== highlightName && !(attributeNames as readonly string[]).includes(name)) return undefined;
    return wordsOf(value, place, 'text');
  }

  function attributesOf(tag: string, given: Readonly<Record<string, string>>, place: Place): Record<string, Wording> {
    const attributes: Record<string, Wording> = {};
    for (const [name, value] of Object.entries(given)) {
      const words = readAttribute(tag, name, value, place);
      if (words) attributes[name] = words;
    }
    return attributes;
  }

  function pictureOf(value: string, place: Place): string {
    const [part, ...more] = splitMarks(value.trim(), marked.tags);
    if (more.length === 0 && typeof part === 'object' && part.kind === 'show') {
      notePicture(part.name, part.place);
      return variableKey(part.name);
    }
    if (more.length > 0 || typeof part !== 'string' || !fileName.test(part))
      throw new TemplateFault('src takes the name of an uploaded file, or one variable: src="{{image}}".', place);
    noteFile(part);
    return fileKey(part);
  }

  return { attributesOf, styleWords, wordsOf };
}

function fitOf(name: string, value: string, place: Place): string {
  if (name === 'data-fit-group') {
    if (/^[A-Za-z][\w-]{0,39}$/.test(value)) return value;
    throw new TemplateFault('data-fit-group takes a word, the same for texts of one size.', place);
  }
  const [, from, to] = /^\s*(\d{1,4})-(\d{1,4})\s*$/.exec(value) ?? [];
  const numbers = from === undefined ? value.trim().split(/\s+/).map(Number) : sizesBetween(Number(from), Number(to));
  const isValid = numbers.length > 0 && numbers.every((each) => Number.isInteger(each) && each > 0 && each <= 1000);
  if (name === 'data-fit' && !(isValid && numbers.length <= mostSizes))
    throw new TemplateFault(
      `data-fit takes a range of sizes in pixels, or up to ${mostSizes} sizes, the largest first: data-fit="36-96", data-fit="72 60 48".`,
      place,
    );
  if (name === 'data-lines' && !(isValid && numbers.length === 1))
    throw new TemplateFault('data-lines takes a whole number: data-lines="3".', place);
  return numbers.join(' ');
}

const mostSizes = 24;

/** From the largest to the smallest, each about a tenth smaller than the one before. Empty if it is no range. */
function sizesBetween(from: number, to: number): number[] {
  if (from < 8 || from > to || to > 1000) return [];
  const sizes: number[] = [];
  for (
    let size = to;
    size > from && sizes.length < mostSizes - 1;
    size = Math.min(size - 2, Math.round(size * 0.45) * 2)
  )
    sizes.push(size);
  return [...sizes, from];
}
