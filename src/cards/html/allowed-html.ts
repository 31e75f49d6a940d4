// The elements and attributes of HTML templates. The names of elements matter for CSS; all look plain, as with Tailwind's own
// reset: no margins, and headings in the size of the text around them.
import type { Node } from '@takumi-rs/core';
import { typefaces } from '../fonts.ts';

const block = { display: 'block' } as const;
const bold = { fontWeight: 'bolder' } as const;
const italic = { fontStyle: 'italic' } as const;
const code = { fontFamily: typefaces.mono } as const;

/** How each element looks before any style. */
export const elementStyles: Readonly<Record<string, NonNullable<Node['style']>>> = {
  ...Object.fromEntries(
    [
      ...['div', 'p', 'section', 'article', 'aside', 'header', 'footer', 'main', 'nav', 'figure', 'figcaption'],
      ...['blockquote', 'address', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
    ].map((name) => [name, block]),
  ),
  body: { ...block, height: '100%' },
  span: {},
  a: {},
  label: {},
  time: {},
  b: bold,
  strong: bold,
  i: italic,
  em: italic,
  cite: italic,
  u: { textDecoration: 'underline' },
  s: { textDecoration: 'line-through' },
  del: { textDecoration: 'line-through' },
  small: { fontSize: '0.8em' },
  mark: { backgroundColor: 'yellow', color: 'black' },
  code,
  kbd: code,
  pre: { ...block, ...code, whiteSpace: 'pre' },
  sub: { fontSize: '0.75em', verticalAlign: 'sub' },
  sup: { fontSize: '0.75em', verticalAlign: 'super' },
  hr: { ...block, borderTopWidth: 1, borderStyle: 'solid' },
  br: { whiteSpace: 'pre' },
  img: {},
  table: { display: 'table' },
  thead: { display: 'table-header-group' },
  tbody: { display: 'table-row-group' },
  tr: { display: 'table-row' },
  td: { display: 'table-cell' },
  th: { display: 'table-cell', ...bold },
};

/** The parts of a whole document around its elements. Only the body has a style. */
export const wrappers = new Set(['html', 'head', 'body', 'title', 'meta']);

/** The parts of an inline drawing. None of them can load anything. */
export const drawingElements = new Set([
  ...['svg', 'g', 'defs', 'symbol', 'use', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text'],
  ...['tspan', 'lineargradient', 'radialgradient', 'stop', 'clippath', 'mask', 'pattern', 'title', 'desc'],
]);

export const attributeNames = ['class', 'style', 'id', 'src', 'alt', 'width', 'height', 'dir', 'lang'] as const;
/**
 * `data-fit="72 60 48"` sets the text at the largest of these sizes at which it takes at most `data-lines` lines, and is not
 * higher than its box, if the box can shrink (`min-h-0`). Texts with the same `data-fit-group` have the same size.
 */
export const fitNames = ['data-fit', 'data-lines', 'data-fit-group'] as const;
/**
 * `<b data-initials>{{author}}</b>` shows the first letters of the first and the last word. `data-more` is the element that
 * takes the place of rows that have no room. `data-numbers` gives the lines of code their numbers.
 */
export const flagNames = ['data-initials', 'data-more', 'data-numbers'] as const;
/** `<pre data-highlight="ts">` colors code. */
export const highlightName = 'data-highlight';
