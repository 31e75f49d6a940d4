// Reads the attributes of an element: which of them a template may have, and what may be inserted into each.
import { attributeNames, fitNames, initialsName } from './allowed-html.ts';
import { fileKey, fileName, readUrls, variableKey } from './css-urls.ts';
import { type Place, TemplateFault, type Wording } from './html-template-types.ts';
import { type Marked, markStart } from './read-tags.ts';
import { readWords, splitMarks } from './read-words.ts';
import type { UsedVariables } from './used-variables.ts';

type Context = {
  readonly marked: Marked;
  readonly variables: Pick<UsedVariables, 'note' | 'noteTag'>;
  readonly noteFile: (name: string) => void;
  /** Is the parser in an {{#each}}? */
  readonly isInEach: () => boolean;
};

export function createAttributeReader({ marked, variables, noteFile, isInEach }: Context) {
  const notePicture = (name: string, place: Place) => variables.note(name, 'image_url', place);

  /** `type` is what a value becomes there. */
  const wordsOf = (value: string, place: Place, type: 'text' | 'color'): Wording =>
    readWords(value, place, marked, (tag) =>
      variables.noteTag(tag, tag.kind === 'show' ? type : undefined, isInEach()),
    );

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
    if ((fitNames as readonly string[]).includes(name)) return [fitOf(name, value, place)];
    if (name === initialsName) return [''];
    if (!(attributeNames as readonly string[]).includes(name)) return undefined;
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
  const numbers = value.trim().split(/\s+/).map(Number);
  const isValid = numbers.every((each) => Number.isInteger(each) && each > 0 && each <= 1000);
  if (name === 'data-fit' && !(isValid && numbers.length <= 12))
    throw new TemplateFault('data-fit takes up to 12 sizes in pixels, the largest first: data-fit="72 60 48".', place);
  if (name === 'data-lines' && !(isValid && numbers.length === 1))
    throw new TemplateFault('data-lines takes a whole number: data-lines="3".', place);
  return numbers.join(' ');
}
