// Code with colors: an element for each line, and in it one for each part, with the class of highlight.js. Long lines are
// indented where they go on.
import type { Node } from '@takumi-rs/core';
import type { CodePart } from './highlight.ts';

const lineOf = (parts: readonly CodePart[]): Node => ({
  type: 'container',
  tagName: 'span',
  className: 'line-text',
  style: {
    ...{ display: 'block', flexGrow: 1, flexBasis: 0, minWidth: 0 },
    // Four letters of a monospaced typeface.
    ...{ paddingLeft: '2.4em', textIndent: '-2.4em' },
  } as never,
  // An empty line is as high as others.
  children: (parts.length > 0 ? parts : [{ text: '\u200b', scope: '' }]).map(({ text, scope }) => ({
    type: 'text',
    tagName: 'span',
    text,
    ...(scope !== '' && { className: scope }),
  })),
});

const numberOf = (number: number): Node => ({
  type: 'text',
  tagName: 'span',
  className: 'line-number',
  text: String(number),
  style: { width: '1.3em', marginRight: '0.9em', textAlign: 'right', flexShrink: 0 } as never,
});

/** The lines of the code; `isNumbered` if each has its number before it. */
export const codeLines = (lines: readonly (readonly CodePart[])[], isNumbered: boolean): Node[] =>
  lines.map((parts, i) => ({
    type: 'container',
    tagName: 'div',
    style: { display: 'flex', flexShrink: 0 },
    children: isNumbered ? [numberOf(i + 1), lineOf(parts)] : [lineOf(parts)],
  }));

/** The line that stands for those that have no room. */
export const restOfCode: Node = { type: 'text', tagName: 'div', text: '…', style: { flexShrink: 0 } };
