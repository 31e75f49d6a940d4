// The lines of a text, as the engine has set it.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import { textOf } from '../typeset.ts';

export type SetText = {
  readonly lines: number;
  /** How many lines its box is high enough for. */
  readonly room: number;
  /** No word is broken, and none is left out: the engine drops lines that its box has no room for. */
  readonly isWhole: boolean;
};

const letters = /[\p{L}\p{N}]/gu;
const spaced = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}]';
const endsInWord = new RegExp(`${spaced}$`, 'u');
const beginsInWord = new RegExp(`^${spaced}`, 'u');

export function readLines(node: Node, measured: MeasuredNode): SetText {
  const lines = linesOf(runsIn(measured));
  const shown = countLetters(lines.map(({ text }) => text).join(''));
  const isBroken = lines.some(({ text }, i) => endsInWord.test(text) && beginsInWord.test(lines[i + 1]?.text ?? ''));
  const isWhole = !isBroken && shown >= countLetters(textOf(node));
  const [first, second] = lines;
  if (first === undefined) return { lines: 0, room: 1, isWhole };
  // The height of a run is that of the font, which is more than that of a line; most so for Arabic.
  if (second === undefined) return { lines: 1, room: measured.height >= first.height * 0.62 ? 1 : 0, isWhole };
  const gaps = lines.slice(1).map(({ top }, i) => top - (lines[i]?.top ?? 0));
  const pitch = gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? 1;
  // Empty lines have no runs.
  const count = gaps.reduce((sum, gap) => sum + Math.max(1, Math.round(gap / pitch)), 1);
  // Fonts of different scripts begin at different heights, so the pitch is not exact.
  return { lines: count, room: Math.floor(measured.height / pitch + 0.08), isWhole };
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

export const runsIn = (node: MeasuredNode): MeasuredNode['runs'] => [...node.runs, ...node.children.flatMap(runsIn)];
const countLetters = (text: string): number => text.match(letters)?.length ?? 0;

/** The way from the root to one of its nodes, which is the same in the measured tree. */
export function pathTo(root: Node, wanted: Node): number[] | undefined {
  if (root === wanted) return [];
  for (const [index, child] of (root.type === 'container' ? (root.children ?? []) : []).entries()) {
    const path = pathTo(child, wanted);
    if (path) return [index, ...path];
  }
  return undefined;
}

export const nodeAt = (measured: MeasuredNode, path: readonly number[] = []): MeasuredNode | undefined =>
  path.reduce<MeasuredNode | undefined>((node, index) => node?.children[index], measured);
