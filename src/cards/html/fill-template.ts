// Fills a template with values: the tree of nodes that the engine paints, and its stylesheet.
import type { ImageSource, Node } from '@takumi-rs/core';
import type { TextNode } from '../card-types.ts';
import { initials } from '../design/people.ts';
import { typefaces } from '../fonts.ts';
import { directionOf } from '../script.ts';
import { elementStyles } from './allowed-html.ts';
import type { TextToCut } from './cut-texts.ts';
import { drawnStyle, fitOfDrawing, sizeOf } from './drawings.ts';
import { type CardValues, createWordFiller, type Item } from './fill-words.ts';
import type { TextToFit } from './fit-texts.ts';
import type { HtmlChild, HtmlElement, HtmlTree, Place } from './html-template-types.ts';
import { clampOf, scriptStyle, withoutClamp } from './script-style.ts';
import { engineClasses, engineCss, fontOfClasses, styleObject } from './style-text.ts';

export type Filled = {
  readonly node: Node;
  readonly css: readonly string[];
  readonly images: readonly ImageSource[];
  readonly fits: readonly TextToFit[];
  readonly cuts: readonly TextToCut[];
  /** Where the elements stand in the template. */
  readonly places: ReadonlyMap<Node, Place>;
};

/** Lists repeat their part of the template. */
const mostNodes = 4000;

export function fillTemplate(tree: HtmlTree, values: CardValues): Filled {
  const fits: TextToFit[] = [];
  const cuts: TextToCut[] = [];
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
    const classes = fillCss(attributes.class ?? [], item, place);
    const dir = text('dir');
    const base = {
      tagName: tag,
      ...(classes !== '' && { className: classes, tw: engineClasses(classes) }),
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
    const keepsSpace = spaceOf(tag, classes, base.style) ?? isPre;
    const children = fillChildren(element.children, item, keepsSpace);
    const sizes = text('data-fit');
    let node = withChildren(
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
      } else if (hasAfter && !isClamped && sizes === '') node = boxed(node);
    }
    places.set(node, place);
    if (sizes !== '') fits.push({ node, sizes: sizes.split(' ').map(Number), lines: Number(text('data-lines') || 3) });
    return node;
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
    cuts,
    places,
  };
}

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
