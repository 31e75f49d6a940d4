// Reads an HTML template into a tree, once. The values come in later, as texts: they are never parsed as HTML.
import { Parser } from 'htmlparser2';
import type { VariableType } from '../og-types.ts';
import { ogReservedNames } from '../parameters.ts';
import { isItemsName } from '../variables.ts';
import { attributeNames, elementStyles, fitNames, initialsName, wrappers } from './allowed-html.ts';
import { checkDrawn } from './check-filled.ts';
import { fileKey, fileName, readUrls, variableKey } from './css-urls.ts';
import { type Drawing, sizeNames, withoutAttributes } from './drawings.ts';
import {
  type HtmlChild,
  type HtmlElement,
  type HtmlTree,
  type Place,
  TemplateFault,
  type Wording,
} from './html-template-types.ts';
import { markStart, readTags, type Tag } from './read-tags.ts';
import { closedBlock, readWords, splitMarks } from './read-words.ts';

export const longestTemplate = 64 * 1024;
const mostElements = 1000;
const mostDepth = 60;
const mostVariables = 50;

type OpenTag = Extract<Tag, { kind: 'open' }>;
type Frame =
  | { readonly element: string; readonly attributes: Record<string, Wording>; readonly body: HtmlChild[]; place: Place }
  | { readonly tag: OpenTag; readonly body: HtmlChild[]; otherwise?: HtmlChild[]; place: Place };

/** Throws a TemplateFault. */
export function readTemplate(source: string): HtmlTree {
  if (source.length > longestTemplate)
    throw new TemplateFault(`A template has ${longestTemplate / 1024} KB at most.`, { line: 1, column: 1 });
  const marked = readTags(source);
  const { text, tags, placeOf } = marked;
  const { variables, note, noteTag } = createUses();
  const files = new Set<string>();
  const css: { readonly words: Wording; readonly place: Place }[] = [];
  const root: HtmlChild[] = [];
  const frames: Frame[] = [];
  let elements = 0;
  let isOver = false;
  let isInTitle = false;
  let body: Pick<HtmlElement, 'attributes' | 'place'> | undefined;
  let style: { readonly start: number; css: string } | undefined;
  let drawing: Drawing | undefined;
  /** Where the attributes of the element begin that is being read. */
  let written: { readonly name: string; readonly start: number }[] = [];

  const current = (): HtmlChild[] => {
    const top = frames.at(-1);
    if (top === undefined) return root;
    return 'tag' in top ? (top.otherwise ?? top.body) : top.body;
  };
  const here = () => placeOf(parser.startIndex);
  const isInEach = () => frames.some((frame) => 'tag' in frame && frame.tag.block === 'each');
  const urls = {
    image: (name: string, place: Place) => note(name, 'image_url', place),
    file: (name: string) => files.add(name),
  };

  function addText(value: string): void {
    for (const part of splitMarks(value, tags)) {
      if (typeof part === 'string') {
        current().push(part);
        continue;
      }
      if (part.kind === 'show') {
        noteTag(part, 'text', isInEach());
        current().push({ show: part.name });
      } else if (part.kind === 'open') {
        noteTag(part, undefined, isInEach());
        frames.push({ tag: part, body: [], place: part.place });
      } else {
        const top = frames.at(-1);
        if (top === undefined || !('tag' in top))
          throw new TemplateFault(
            top
              ? `<${top.element}> in line ${top.place.line} must be closed before its block ends.`
              : 'A block must begin and end in the same element.',
            part.place,
          );
        if (part.kind === 'else') top.otherwise = [];
        else {
          frames.pop();
          current().push(closedBlock(top));
        }
      }
    }
  }

  /** In CSS and in classes only colors are inserted. */
  const styleWords = (value: string, place: Place, placeAt: (offset: number) => Place): Wording =>
    readWords(readUrls(value, placeAt, marked, urls), place, marked, (tag) =>
      noteTag(tag, tag.kind === 'show' ? 'color' : undefined, isInEach()),
    );

  function readAttribute(tag: string, name: string, value: string, place: Place): Wording | undefined {
    if (name.includes(markStart))
      throw new TemplateFault('A tag can be in the value of an attribute, not around it.', place);
    if (name.startsWith('on')) throw new TemplateFault(`${name} cannot be used: nothing runs in a template.`, place);
    if (name === 'src') return tag === 'img' ? [pictureOf(value, place)] : undefined;
    // Decoded text has no exact position in the template: the attribute's is near enough.
    if (name === 'class' || name === 'style') return styleWords(value, place, () => place);
    if ((fitNames as readonly string[]).includes(name)) return [fitOf(name, value, place)];
    if (name === initialsName) return [''];
    if (!(attributeNames as readonly string[]).includes(name)) return undefined;
    return readWords(value, place, marked, (each) =>
      noteTag(each, each.kind === 'show' ? 'text' : undefined, isInEach()),
    );
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
    const [part, ...more] = splitMarks(value.trim(), tags);
    if (more.length === 0 && typeof part === 'object' && part.kind === 'show') {
      note(part.name, 'image_url', part.place);
      return variableKey(part.name);
    }
    if (more.length > 0 || typeof part !== 'string' || !fileName.test(part))
      throw new TemplateFault('src takes the name of an uploaded file, or one variable: src="{{image}}".', place);
    files.add(part);
    return fileKey(part);
  }

  const parser = new Parser(
    {
      onopentagname() {
        written = [];
      },
      onattribute(name) {
        written.push({ name, start: parser.startIndex });
      },
      onopentag(name, given, isImplied) {
        const place = here();
        if (drawing || name === 'svg') return openDrawing(name, given, place);
        if (name === 'style') {
          style = { start: parser.endIndex + 1, css: '' };
          return;
        }
        if (name === 'body') body ??= { attributes: attributesOf(name, given, place), place };
        isInTitle = name === 'title';
        if (wrappers.has(name)) return;
        if (!Object.hasOwn(elementStyles, name)) throw new TemplateFault(notAllowed(name), place);
        if (isImplied) return;
        if (++elements > mostElements)
          throw new TemplateFault(`A template has ${mostElements} elements at most.`, place);
        if (frames.length >= mostDepth) throw new TemplateFault(`Elements can be ${mostDepth} deep at most.`, place);
        const attributes = attributesOf(name, given, place);
        if (name === 'img' && !attributes.src) throw new TemplateFault('<img> needs src="{{image}}" or a file.', place);
        frames.push({ element: name, attributes, body: [], place });
      },
      ontext(value) {
        if (drawing || isInTitle) return;
        if (style) style.css += value;
        else addText(value);
      },
      onclosetag(name, isImplied) {
        if (drawing) return closeDrawing();
        if (name === 'style') return closeStyle();
        if (name === 'title') isInTitle = false;
        if (wrappers.has(name)) return;
        const top = frames.at(-1);
        if (top === undefined) return;
        if ('tag' in top)
          throw new TemplateFault(`{{#${top.tag.block}}} must be closed before its element ends.`, top.place);
        if (isOver && isImplied) throw new TemplateFault(`<${top.element}> is not closed.`, top.place);
        frames.pop();
        current().push({ tag: top.element, attributes: top.attributes, children: top.body, place: top.place });
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true, recognizeSelfClosing: true },
  );

  function closeStyle(): void {
    if (!style) return;
    const { start } = style;
    const place = placeOf(start);
    if (style.css.trim() !== '')
      css.push({ words: styleWords(style.css, place, (offset) => placeOf(start + offset)), place });
    style = undefined;
  }

  function openDrawing(name: string, given: Readonly<Record<string, string>>, place: Place): void {
    checkDrawn(name, given, place);
    if (++elements > mostElements) throw new TemplateFault(`A template has ${mostElements} elements at most.`, place);
    if (drawing) {
      drawing.depth++;
      return;
    }
    const attributes: Record<string, Wording> = {};
    for (const [attribute, value] of Object.entries(given)) {
      if (attribute === 'class' || attribute === 'style') attributes[attribute] = styleWords(value, place, () => place);
      else if (sizeNames.has(attribute)) attributes[attribute] = [value];
    }
    const placing = written.filter(({ name }) => name === 'class' || name === 'style').map(({ start }) => start);
    drawing = { start: parser.startIndex, attributes, placing, depth: 1 };
  }

  function closeDrawing(): void {
    if (!drawing || --drawing.depth > 0) return;
    const { start, attributes, placing } = drawing;
    drawing = undefined;
    const place = placeOf(start);
    const markup = withoutAttributes(
      text.slice(start, parser.endIndex + 1),
      placing.map((at) => at - start),
    );
    const words = readWords(markup, place, marked, (tag) =>
      noteTag(tag, tag.kind === 'show' ? 'color' : undefined, isInEach()),
    );
    current().push({ tag: 'svg', attributes: { ...attributes, markup: words }, children: [], place });
  }

  parser.write(text);
  isOver = true;
  if (style || drawing)
    throw new TemplateFault(`<${style ? 'style' : 'svg'}> is not closed.`, placeOf((style ?? drawing)?.start ?? 0));
  parser.end();
  const open = frames.at(-1);
  if (open) throw new TemplateFault('A block must begin and end in the same element.', open.place);
  // A body without a style of its own changes nothing.
  const isStyled = Object.keys(body?.attributes ?? {}).length > 0 || css.some(({ words }) => namesBody(words));
  const { attributes = {}, place = { line: 1, column: 1 } } = body ?? {};
  const children = isStyled ? [{ tag: 'body', attributes, children: root, place }] : root;
  return { children, css, variables: Object.fromEntries(variables()), files: [...files] };
}

const namesBody = (words: Wording): boolean =>
  words.some((word) =>
    typeof word === 'string'
      ? /(?<![\w.#-])body(?![\w-])/i.test(word)
      : 'block' in word && (namesBody(word.body) || namesBody(word.otherwise)),
  );

const notAllowed = (name: string): string =>
  ['script', 'iframe', 'object', 'embed', 'link', 'base', 'form', 'input', 'video', 'audio', 'canvas'].includes(name)
    ? `<${name}> cannot be used: a template loads nothing and runs nothing.`
    : `<${name.slice(0, 40)}> is not known. Use div, span, p, h1 to h6, img, svg, ul, li and the like.`;

function fitOf(name: string, value: string, place: Place): string {
  const numbers = value.trim().split(/\s+/).map(Number);
  const isValid = numbers.every((each) => Number.isInteger(each) && each > 0 && each <= 1000);
  if (name === 'data-fit' && !(isValid && numbers.length <= 12))
    throw new TemplateFault('data-fit takes up to 12 sizes in pixels, the largest first: data-fit="72 60 48".', place);
  if (name === 'data-lines' && !(isValid && numbers.length === 1))
    throw new TemplateFault('data-lines takes a whole number: data-lines="3".', place);
  return numbers.join(' ');
}

/** Collects the variables, and refuses one that is used as two things. */
function createUses() {
  const found = new Map<string, VariableType | undefined>();
  const note = (name: string, type: VariableType | undefined, place: Place) => {
    if (ogReservedNames.has(name))
      throw new TemplateFault(`${name} is a parameter of /v1/og; choose another name.`, place);
    if (isItemsName(name) !== (type === 'items') && type !== undefined)
      throw new TemplateFault(
        type === 'items'
          ? `{{#each}} takes a list, whose name ends in _items: {{#each ${name}_items}}.`
          : `${name} is a list; use {{#each ${name}}}…{{this}}…{{/each}}.`,
        place,
      );
    const before = found.get(name);
    if (before !== undefined && type !== undefined && before !== type)
      throw new TemplateFault(`${name} is used as ${before} and as ${type}. A variable has one type.`, place);
    found.set(name, before ?? type);
    if (found.size > mostVariables)
      throw new TemplateFault(`A template has ${mostVariables} variables at most.`, place);
  };
  return {
    note,
    /** A tag in a text or an attribute; `type` is what a value becomes there. */
    noteTag(tag: Extract<Tag, { kind: 'show' | 'open' }>, type: VariableType | undefined, isInEach: boolean): void {
      const { name, place } = tag;
      if (name === 'this' || name.startsWith('@')) {
        if (!isInEach) throw new TemplateFault(`{{${name}}} can only be used in {{#each}}.`, place);
        if (type === 'color') throw new TemplateFault('An item cannot be used in CSS.', place);
        if (tag.kind === 'open' && tag.block === 'each')
          throw new TemplateFault('{{#each}} takes the name of a variable.', place);
        return;
      }
      if (tag.kind === 'open' && tag.block === 'each') {
        if (isInEach) throw new TemplateFault('{{#each}} cannot be in another {{#each}}.', place);
        note(name, 'items', place);
        return;
      }
      note(name, type, place);
    },
    /** One that is only asked for in {{#if}} is a text. */
    variables: () => [...found].map(([name, type]) => [name, type ?? (isItemsName(name) ? 'items' : 'text')] as const),
  };
}
