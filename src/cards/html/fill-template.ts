// Fills a template with values: the tree of nodes that the engine paints, and its stylesheet.
import type { ImageSource, Node } from '@takumi-rs/core';
import type { TextNode } from '../card-types.ts';
import { typefaces } from '../fonts.ts';
import { initials } from '../initials.ts';
import { directionOf } from '../script.ts';
import { elementStyles } from './allowed-html.ts';
import type { ToArrange } from './arrange-texts.ts';
import type { TextToCut } from './cut-texts.ts';
import { drawnStyle, fitOfDrawing, sizeOf } from './drawings.ts';
import { codeLines, restOfCode } from './fill-code.ts';
import { type CardValues, createWordFiller, type Item } from './fill-words.ts';
import { type CodeToFit, unbroken } from './fit-code.ts';
import type { TextToFit } from './fit-texts.ts';
import type { HtmlChild, HtmlElement, HtmlTree, Place } from './html-template-types.ts';
import { clampOf, scriptStyle, withoutClamp } from './script-style.ts';
import { attributeFor, type CardShape, classesFor, isHidden } from './shape-classes.ts';
import { engineClasses, engineCss, fontOfClasses, styleObject } from './style-text.ts';
import type { List } from './whole-rows.ts';

export type Filled = ToArrange & {
  readonly css: readonly string[];
  readonly images: readonly ImageSource[];
  /** Where the elements stand in the template. */
  readonly places: ReadonlyMap<Node, Place>;
};

/** Lists repeat their part of the template. */
const mostNodes = 4000;

export function fillTemplate(tree: HtmlTree, card: CardShape, values: CardValues): Filled {
  const fits: TextToFit[] = [];
  const codes: CodeToFit[] = [];
  const cuts: TextToCut[] = [];
  const lists: List[] = [];
  const mores = new Set<unknown>();
  const places = new Map<Node, Place>();
  let nodes = 0;
  const { shown, expandBlock, fillWords, fillCss, fillDrawing } = createWordFiller(tree.variables, values);
  const css = tree.css.map(({ words, place }) => engineCss(fillCss(words, undefined, place), values.fonts));
  // The engine gives a text no height if its ::after has an absolute position, but the box around a text.
  const hasAfter = css.some((each) => /:after\b/i.test(each));
  // Which texts a stylesheet means is only known to the engine, which reads white space as a browser does.
  const mayKeepSpace = css.some((each) => /white-space(?:-collapse)?\s*:\s*(?:pre|break-spaces)/i.test(each));

  /** Neighbouring texts become one. */
  function fillChildren(children: readonly HtmlChild[], item: Item | undefined, isPre: boolean): (Node | string)[] {
    const result: (Node | string)[] = [];
    const add = (child: HtmlChild, own: Item | undefined) => {
      if (typeof child === 'string') addText(child);
      else if ('show' in child) addText(shown(child, own));
      else if ('block' in child) for (const [part, inner] of expandBlock(child, own)) add(part, inner);
      else {
        const node = fillElement(child, own, isPre);
        if (node) result.push(node);
      }
    };
    const addText = (text: string) => {
      const last = result.at(-1);
      if (typeof last === 'string') result[result.length - 1] = last + text;
      else result.push(text);
    };
    for (const child of children) add(child, item);
    const isBlank = (each: Node | string) => typeof each === 'string' && each.trim() === '';
    if (isPre) return result;
    // White space at the edges of an element, and the indentation between elements.
    return result
      .map((each) => (typeof each === 'string' && !mayKeepSpace ? each.replace(/[ \t\n\r\f]+/g, ' ') : each))
      .filter(
        (each, i, all) =>
          !isBlank(each) || (i > 0 && i < all.length - 1 && isInline(all[i - 1]) && isInline(all[i + 1])),
      );
  }

  function fillElement(element: HtmlElement, item: Item | undefined, isPre: boolean): Node | undefined {
    if (++nodes > mostNodes) throw new Error(`The card has more than ${mostNodes} elements.`);
    const { tag, attributes, place } = element;
    const text = (name: string) => (attributes[name] ? fillWords(attributes[name], item) : '');
    const names = classesFor(fillCss(attributes.class ?? [], item, place), card);
    if (isHidden(names)) return undefined;
    const classes = names.join(' ');
    const dir = text('dir');
    const base = {
      tagName: tag,
      ...(classes !== '' && { className: classes, tw: engineClasses(names) }),
      ...(attributes.id && { id: text('id') }),
      ...((dir === 'ltr' || dir === 'rtl') && { dir: dir as 'ltr' | 'rtl' }),
      ...(attributes.lang && { lang: text('lang') }),
      preset: { ...elementStyles[tag], ...fontOfClasses(classes) },
      style: styleObject(fillCss(attributes.style ?? [], item, place), values.fonts),
    };
    if (tag === 'svg') {
      const style = drawnStyle(fillCss(attributes.style ?? [], item, place));
      const markup = fillDrawing(attributes.markup ?? [], item, place);
      const src = style === '' ? markup : markup.replace(/^<svg/i, (start) => `${start} style="${style}"`);
      const objectFit = fitOfDrawing(text('preserveAspectRatio') || text('preserveaspectratio'));
      return { ...base, type: 'image', src, preset: { ...base.preset, ...sizeOf(text), objectFit } };
    }
    if (tag === 'br') return { ...base, type: 'text', text: '\n' };
    if (tag === 'img') {
      const picture = values.pictures.get(text('src'));
      return picture && { ...base, type: 'image', src: picture.src, preset: { ...base.preset, ...sizeOf(text) } };
    }
    const shaped = (name: string) => text(attributeFor(attributes, name, card));
    const sizes: readonly number[] = shaped('data-fit').split(' ').filter(Boolean).map(Number);
    const keepsSpace = spaceOf(tag, classes, base.style) ?? isPre;
    const children = fillChildren(element.children, item, keepsSpace || attributes['data-highlight'] !== undefined);
    let node: Node;
    if (attributes['data-highlight']) {
      const code = children.map((child) => (typeof child === 'string' ? child : '')).join('');
      node = fillCode(base, code, text('data-highlight'), attributes['data-numbers'] !== undefined, sizes);
    } else {
      node = withChildren(
        base,
        attributes['data-initials'] ? children.map(asInitials) : children,
        keepsSpace || mayKeepSpace,
      );
      if (node.type === 'text') {
        node.style = { ...node.style, ...scriptStyle(node.text, classes) };
        const isClamped = clampOf(classes) !== undefined;
        if (isClamped && directionOf(node.text) === 'rtl') {
          cuts.push({ node, lines: clampOf(classes) ?? 1 });
          node.tw = withoutClamp(node.tw ?? '');
        } else if (hasAfter && !isClamped && sizes.length === 0) node = boxed(node);
      }
      if (sizes.length > 0)
        fits.push({ node, sizes, lines: Number(shaped('data-lines') || 3), group: text('data-fit-group') });
      noteList(node);
    }
    places.set(node, place);
    if (attributes['data-more']) mores.add(node);
    return node;
  }

  function fillCode(base: object, code: string, language: string, isNumbered: boolean, sizes: readonly number[]): Node {
    const lines = values.highlight?.(code.replaceAll('\t', '  ').trimEnd(), language) ?? [];
    const rows = codeLines(lines, isNumbered && lines.length > 1 && !card.isSmall);
    nodes += rows.length + lines.flat().length;
    const node: Container = { dir: 'ltr', ...base, type: 'container', children: [...rows, restOfCode] };
    node.style = { whiteSpace: 'pre-wrap', textAlign: 'left', ...(node.style as object) } as never;
    if (sizes.length > 0) {
      node.style = { ...(node.style as object), ...unbroken, fontSize: sizes[0] } as never;
      codes.push({ node, sizes });
    }
    lists.push({ node, more: restOfCode });
    return node;
  }

  /** A list whose last element has `data-more`. */
  function noteList(node: Node): void {
    const more = node.type === 'container' ? node.children?.at(-1) : undefined;
    if (node.type !== 'container' || !more || !mores.has(more)) return;
    for (const row of node.children ?? []) row.preset = { ...row.preset, flexShrink: 0 };
    lists.push({ node, more });
  }

  const body = fillChildren(tree.children, undefined, false).filter(
    (child) => typeof child !== 'string' || child.trim() !== '',
  );
  // Without overflow: hidden, which would paint the card twice; nothing shows outside of the image anyway.
  const canvas = {
    ...{ display: 'flex', flexDirection: 'column', width: '100%', height: '100%' },
    ...{ backgroundColor: 'white', color: 'black', fontSize: 32, fontFamily: typefaces.sans },
    // A word longer than the line is broken rather than cut.
    overflowWrap: 'break-word',
  } as const;
  return {
    node: { type: 'container', preset: canvas as never, children: body.map(asNode) },
    css,
    // Not kept by the engine: the same name is another picture in the next card.
    images: [...values.pictures].map(([src, { src: data }]) => ({ src, data, cache: 'none' })),
    fits,
    codes,
    cuts,
    lists,
    places,
  };
}

type Container = Extract<Node, { type: 'container' }>;

const inlineTags = new Set([
  ...['span', 'a', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'small', 'mark', 'code', 'kbd', 'sub', 'sup', 'label'],
  ...['time', 'cite', 'img', 'svg'],
]);
const isInline = (each: Node | string | undefined): boolean =>
  typeof each === 'string' || (each !== undefined && inlineTags.has(each.tagName ?? ''));

const asInitials = (child: Node | string): Node | string => (typeof child === 'string' ? initials(child) : child);

const boxed = ({ text, ...box }: TextNode): Node => ({
  ...box,
  type: 'container',
  ...(directionOf(text) === 'rtl' && { dir: box.dir ?? 'rtl' }),
  children: [{ type: 'text', text }],
});

const asNode = (child: Node | string): Node => (typeof child === 'string' ? { type: 'text', text: child } : child);

/** Does an element keep white space as it is written? Undefined if it says nothing. */
function spaceOf(tag: string, classes: string, style: object): boolean | undefined {
  const named = classes.split(/\s+/).findLast((name) => /^whitespace-(?!\[)/.test(name));
  const said = (style as { whiteSpace?: string }).whiteSpace ?? named?.slice('whitespace-'.length);
  return said === undefined ? tag === 'pre' || undefined : /^(?:pre|break-spaces)/i.test(said);
}

function withChildren(base: object, children: readonly (Node | string)[], keepsSpace: boolean): Node {
  const [only, ...more] = children;
  if (only === undefined) return { ...base, type: 'container' };
  if (more.length === 0 && typeof only === 'string')
    return { ...base, type: 'text', text: keepsSpace ? only.replace(/^\r?\n/, '').trimEnd() : only.trim() };
  return { ...base, type: 'container', children: children.map(asNode) };
}
