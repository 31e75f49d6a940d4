// Reads an HTML template into a tree, once. The values come in later, as texts: they are never parsed as HTML.
import { Parser } from 'htmlparser2';
import { elementStyles, highlightName, wrappers } from './allowed-html.ts';
import { checkDrawn } from './check-filled.ts';
import { type Drawing, sizeNames, withoutAttributes } from './drawings.ts';
import {
  type HtmlChild,
  type HtmlElement,
  type HtmlTree,
  type Place,
  TemplateFault,
  type Wording,
} from './html-template-types.ts';
import { createAttributeReader } from './read-attributes.ts';
import { readTags, type Tag } from './read-tags.ts';
import { closedBlock, splitMarks } from './read-words.ts';
import { createUsedVariables } from './used-variables.ts';

export const longestTemplate = 64 * 1024;
const mostElements = 1000;
const mostDepth = 60;

type OpenTag = Extract<Tag, { kind: 'open' }>;
/** An element or a block that is not closed yet. */
type Open =
  | { readonly element: string; readonly attributes: Record<string, Wording>; readonly body: HtmlChild[]; place: Place }
  | { readonly tag: OpenTag; readonly body: HtmlChild[]; otherwise?: HtmlChild[]; place: Place };

/** Throws a TemplateFault. */
export function readTemplate(source: string): HtmlTree {
  if (source.length > longestTemplate)
    throw new TemplateFault(`A template has ${longestTemplate / 1024} KB at most.`, { line: 1, column: 1 });
  const marked = readTags(source);
  const { text, tags, placeOf } = marked;
  const variables = createUsedVariables();
  const files = new Set<string>();
  const css: { readonly words: Wording; readonly place: Place }[] = [];
  const root: HtmlChild[] = [];
  const open: Open[] = [];
  let elements = 0;
  let isOver = false;
  let isInTitle = false;
  let body: Pick<HtmlElement, 'attributes' | 'place'> | undefined;
  let style: { readonly start: number; css: string } | undefined;
  let drawing: Drawing | undefined;
  /** Where the attributes of the element begin that is being read. */
  let written: { readonly name: string; readonly start: number }[] = [];

  const current = (): HtmlChild[] => {
    const top = open.at(-1);
    if (top === undefined) return root;
    return 'tag' in top ? (top.otherwise ?? top.body) : top.body;
  };
  const here = () => placeOf(parser.startIndex);
  const around = {
    isEach: () => open.some((each) => 'tag' in each && each.tag.block === 'each'),
    isMore: () => open.some((each) => 'element' in each && each.attributes['data-more'] !== undefined),
  };
  const { attributesOf, styleWords, wordsOf } = createAttributeReader({
    marked,
    variables,
    noteFile: (name) => files.add(name),
    around,
  });

  function addText(value: string): void {
    for (const part of splitMarks(value, tags)) {
      if (typeof part === 'string') {
        current().push(part);
        continue;
      }
      if (part.kind === 'show') {
        variables.noteTag(part, 'text', around);
        current().push({ show: part.name });
      } else if (part.kind === 'open') {
        variables.noteTag(part, undefined, around);
        open.push({ tag: part, body: [], place: part.place });
      } else {
        const top = open.at(-1);
        if (top === undefined || !('tag' in top))
          throw new TemplateFault(
            top
              ? `<${top.element}> in line ${top.place.line} must be closed before its block ends.`
              : 'A block must begin and end in the same element.',
            part.place,
          );
        if (part.kind === 'else') top.otherwise = [];
        else {
          open.pop();
          current().push(closedBlock(top));
        }
      }
    }
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
        if (open.length >= mostDepth) throw new TemplateFault(`Elements can be ${mostDepth} deep at most.`, place);
        const attributes = attributesOf(name, given, place);
        if (name === 'img' && !attributes.src) throw new TemplateFault('<img> needs src="{{image}}" or a file.', place);
        open.push({ element: name, attributes, body: [], place });
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
        const top = open.at(-1);
        if (top === undefined) return;
        if ('tag' in top)
          throw new TemplateFault(`{{#${top.tag.block}}} must be closed before its element ends.`, top.place);
        if (isOver && isImplied) throw new TemplateFault(`<${top.element}> is not closed.`, top.place);
        open.pop();
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
      if (attribute === 'class' || attribute === 'style') attributes[attribute] = styleWords(value, place);
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
    const words = wordsOf(markup, place, 'color');
    current().push({ tag: 'svg', attributes: { ...attributes, markup: words }, children: [], place });
  }

  parser.write(text);
  isOver = true;
  if (style || drawing)
    throw new TemplateFault(`<${style ? 'style' : 'svg'}> is not closed.`, placeOf((style ?? drawing)?.start ?? 0));
  parser.end();
  const unclosed = open.at(-1);
  if (unclosed) throw new TemplateFault('A block must begin and end in the same element.', unclosed.place);
  // A body without a style of its own changes nothing.
  const isStyled = Object.keys(body?.attributes ?? {}).length > 0 || css.some(({ words }) => namesBody(words));
  const { attributes = {}, place = { line: 1, column: 1 } } = body ?? {};
  const children = isStyled ? [{ tag: 'body', attributes, children: root, place }] : root;
  return {
    children,
    css,
    variables: variables.all(),
    files: [...files],
    hasSmall: /\bsmall:/.test(source),
    hasCode: source.includes(highlightName),
  };
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
