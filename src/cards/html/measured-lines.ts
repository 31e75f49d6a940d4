// The lines of a text, as the engine has set it.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import { breaksAtBlanks } from '../script.ts';
import { textOf } from '../typeset.ts';

export type SetText = {
  readonly lines: number;
  /** How many lines its box is high enough for. */
  readonly room: number;
  /** No word is broken, and none is left out: the engine drops lines that its box has no room for. */
  readonly isWhole: boolean;
  /** Could it fit, in so many lines, at this part of its size? False only if it cannot. */
  couldFit(part: number, mostLines: number): boolean;
};

/** What is drawn as text: emoji are images, also 1️⃣ and ℹ️. */
const letters = /[\p{L}\p{N}\p{P}\p{Sm}\p{Sc}](?![\ufe0f\u20e3])/gu;
const spaced = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}]';
const endsInWord = new RegExp(`${spaced}$`, 'u');
const beginsInWord = new RegExp(`^${spaced}`, 'u');

export function readLines(node: Node, measured: MeasuredNode): SetText {
  const runs = runsIn(measured);
  const lines = linesOf(runs);
  const text = textOf(node);
  const shown = countLetters(lines.map((line) => line.text).join(''));
  const isBroken = lines.some((line, i) => isOneWord(line.text, lines[i + 1]?.text));
  const all = countLetters(text);
  const isWhole = !isBroken && shown >= all;
  const pieces = piecesOf(runs);
  const unseen = widthOf(pieces) * leastUnseen * Math.max(0, all / Math.max(1, shown) - 1);
  const canBreakAnywhere = !breaksAtBlanks(text);
  const set = (count: number, room: number, linesHigh: number): SetText => ({
    ...{ lines: count, room, isWhole },
    couldFit: (part, mostLines) =>
      fewestLines(pieces, unseen, measured.width / part, canBreakAnywhere) <=
      Math.min(mostLines, Math.floor(linesHigh / part)),
  });
  const [first, second] = lines;
  if (first === undefined) return set(0, 1, 1);
  // The height of a run is that of the font, which is more than that of a line; most so for Arabic.
  const linesHigh = measured.height / (first.height * 0.75);
  if (second === undefined) return set(1, linesHigh >= 1 ? 1 : 0, linesHigh);
  const gaps = lines.slice(1).map(({ top }, i) => top - (lines[i]?.top ?? 0));
  const pitch = gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? 1;
  // Empty lines have no runs.
  const count = gaps.reduce((sum, gap) => sum + Math.max(1, Math.round(gap / pitch)), 1);
  // Fonts of different scripts begin at different heights, so the pitch is not exact.
  const room = measured.height / pitch + 0.08;
  return set(count, Math.floor(room), room);
}

type Line = { top: number; height: number; text: string };

/** In the order in which they are set. The runs of a line overlap in height. */
function linesOf(runs: MeasuredNode['runs']): Line[] {
  const lines: Line[] = [];
  for (const { text, y, height } of runs) {
    const line = lines.find(({ top, height: all }) => y + height / 2 > top && y + height / 2 < top + all);
    if (line === undefined) lines.push({ top: y, height, text });
    else {
      line.text += text;
      line.height = Math.max(line.top + line.height, y + height) - Math.min(line.top, y);
      line.top = Math.min(line.top, y);
    }
  }
  return lines.sort((a, b) => a.top - b.top);
}

const isOneWord = (text: string, next = ''): boolean => endsInWord.test(text) && beginsInWord.test(next);

/** What is not broken between lines, and the blanks. */
type Piece = { width: number; readonly isBlank: boolean };

function piecesOf(runs: MeasuredNode['runs']): Piece[] {
  const pieces: Piece[] = [];
  for (const [i, { text, width }] of runs.entries()) {
    const last = pieces.at(-1);
    // A word that was wider than its line was broken.
    if (last && isOneWord(runs[i - 1]?.text ?? '', text)) last.width += width;
    else pieces.push({ width, isBlank: text.trim() === '' });
  }
  return pieces;
}

const widthOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { width }) => sum + width, 0);

/** Kerning differs a little from size to size: a line may take a little more than it seems. */
const leeway = 1.02;
/** Lines that are not shown are about as wide as those that are; the narrowest letters are a little narrower. */
const leastUnseen = 0.8;

/** The fewest lines of this width that these pieces take, and what is not shown; infinite if one is wider than a line. */
function fewestLines(pieces: readonly Piece[], unseen: number, width: number, canBreakAnywhere: boolean): number {
  const room = width * leeway;
  if (canBreakAnywhere) return Math.ceil((widthOf(pieces) + unseen) / room);
  let lines = 0;
  let used = 0;
  for (const piece of pieces) {
    if (!piece.isBlank && piece.width > room) return Number.POSITIVE_INFINITY;
    if (piece.isBlank || used + piece.width <= room) used += piece.width;
    else {
      lines++;
      used = piece.width;
    }
  }
  return lines + Math.ceil((Math.min(used, room) + unseen) / room);
}

type Runs = MeasuredNode['runs'];

export const runsIn = (node: MeasuredNode): Runs => [...node.runs, ...imagesIn(node), ...node.children.flatMap(runsIn)];

/** Images among words, such as emoji, as runs of their own. */
function imagesIn({ runs, children, transform: [, , , , left, top] }: MeasuredNode): Runs {
  const images = runs.length === 0 ? [] : children.filter((child) => child.runs.length + child.children.length === 0);
  return images
    .filter(({ width }) => width > 0)
    .map(({ width, height, transform: [, , , , x, y] }) => ({
      text: '\ufffc',
      x: x - left,
      y: y - top,
      width,
      height,
    }));
}

const countLetters = (text: string): number => text.match(letters)?.length ?? 0;

/** One step of the way to a node: which of so many children it is, and which if blanks do not count. */
type Step = { readonly index: number; readonly count: number; readonly indexOfShown: number };

/** The way from the root to one of its nodes. */
export function pathTo(root: Node, wanted: Node): Step[] | undefined {
  if (root === wanted) return [];
  const children = root.type === 'container' ? (root.children ?? []) : [];
  let indexOfShown = 0;
  for (const [index, child] of children.entries()) {
    const path = pathTo(child, wanted);
    if (path) return [{ index, count: children.length, indexOfShown }, ...path];
    if (child.type !== 'text' || child.text.trim() !== '') indexOfShown++;
  }
  return undefined;
}

/** The engine leaves out the blanks between elements of a row or a column. */
export const nodeAt = (measured: MeasuredNode, path: readonly Step[] = []): MeasuredNode | undefined =>
  path.reduce<MeasuredNode | undefined>(
    (node, { index, count, indexOfShown }) => node?.children[node.children.length === count ? index : indexOfShown],
    measured,
  );
