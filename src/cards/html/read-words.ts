// Reads a marked text, such as an attribute: plain text, values, and blocks that begin and end in it.
import { type Block, type Place, TemplateFault, type Word, type Wording } from './html-template-types.ts';
import { type Marked, markEnd, markStart, type Tag } from './read-tags.ts';

/** The text and the tags of a marked text, in order. */
export function* splitMarks(text: string, tags: Marked['tags']): Generator<string | Tag> {
  let at = 0;
  for (let start = text.indexOf(markStart); start >= 0; start = text.indexOf(markStart, at)) {
    const end = text.indexOf(markEnd, start);
    const tag = tags[Number(text.slice(start + 1, end))];
    if (start > at) yield text.slice(at, start);
    if (tag) yield tag;
    at = end + 1;
  }
  if (at < text.length) yield text.slice(at);
}

type Open<T> = { readonly tag: Extract<Tag, { kind: 'open' }>; readonly body: T[]; otherwise?: T[] };

/** What a {{#block}} has collected when its {{/block}} comes. */
export const closedBlock = <T>({ tag, body, otherwise = [] }: Open<T>): Block<T> => ({
  block: tag.block,
  name: tag.name,
  body,
  otherwise,
});

/** `note` is told of every variable. */
export function readWords(
  text: string,
  place: Place,
  { tags }: Pick<Marked, 'tags'>,
  note: (tag: Extract<Tag, { kind: 'show' | 'open' }>) => void,
): Wording {
  const words: Word[] = [];
  const open: Open<Word>[] = [];
  const current = () => {
    const top = open.at(-1);
    return top === undefined ? words : (top.otherwise ?? top.body);
  };
  for (const part of splitMarks(text, tags)) {
    if (typeof part === 'string') current().push(part);
    else if (part.kind === 'show') {
      note(part);
      current().push({ show: part.name });
    } else if (part.kind === 'open') {
      note(part);
      open.push({ tag: part, body: [] });
    } else {
      const top = open.at(-1);
      if (top === undefined) throw new TemplateFault('A block must begin and end in the same attribute.', part.place);
      if (part.kind === 'else') top.otherwise = [];
      else {
        open.pop();
        current().push(closedBlock(top));
      }
    }
  }
  if (open.length > 0) throw new TemplateFault('A block must begin and end in the same attribute.', place);
  return words;
}
