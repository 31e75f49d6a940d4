// Calculates line breaks from the widths of words, for scripts that break at blanks.
import type { MeasuredNode, Node } from '@takumi-rs/core';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { directionOf } from '../script.ts';
import { type TextStyle, text as textNode } from './type.ts';

export type Measure = (node: Node) => Promise<MeasuredNode>;
export type Words = { readonly widths: readonly number[]; readonly blank: number };

const elsewhere =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

/** Do the lines of this text break at blanks only? Other scripts, and emoji, allow breaks elsewhere. */
export const breaksAtBlanks = (text: string): boolean => !elsewhere.test(text) && directionOf(text) === 'ltr';

/** A safety margin for kerning and optical sizes: a line counts as full a little early. */
const caution = 0.98;

/** How many lines a text takes, and the width of the longest. */
export type Lines = { readonly count: number; readonly longest: number };

/** A word is wider than the line. */
export const tooWide: Lines = { count: Number.POSITIVE_INFINITY, longest: Number.POSITIVE_INFINITY };

export function linesOf({ widths, blank }: Words, width: number): Lines {
  let count = 1;
  let longest = 0;
  let used = 0;
  for (const word of widths) {
    if (word > width * caution) return tooWide;
    if (used > 0 && used + blank + word > width * caution) {
      count++;
      used = word;
    } else used += (used > 0 ? blank : 0) + word;
    longest = Math.max(longest, used);
  }
  return { count, longest };
}

/** Measures the words of a text in a style. */
export type Ruler = (text: string, style: TextStyle, measure: Measure) => Promise<Words>;

const commonLetters =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:;!?\'"()-–—…‘’“”«»/&%+#@*=<>€$£ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœŒ';
const onlyCommon = new RegExp(`^[\\s${commonLetters.replace(/[\\\]^-]/g, '\\$&')}]*$`, 'u');

/**
 * The engine takes half a millisecond to measure a text, a thirtieth of a card. So the common characters of a style are
 * measured once and their widths added up. Texts with other characters are measured.
 */
export function createRuler(): Ruler {
  // Templates have few styles; one that makes up new ones for every card must not fill the memory.
  const known = new BoundedMap<string, Promise<ReadonlyMap<string, number>>>(500);
  return async (text, style, measure) => {
    if (!onlyCommon.test(text)) return wordsOf(await measure(inRows([text.replaceAll(/\s+/g, ' ')], style)));
    const key = JSON.stringify([style.font, style.size, style.weight, style.italic, style.tracking, style.tabular]);
    let letters = known.get(key);
    if (!letters) {
      letters = measure(inRows([...commonLetters, 'n n'], style)).then(lettersOf);
      known.set(key, letters);
      letters.catch(() => known.delete(key));
    }
    return addUp(text, await letters);
  };
}

function addUp(text: string, letters: ReadonlyMap<string, number>): Words {
  const widths = text
    .trim()
    .split(/\s+/)
    .map((word) => [...word].reduce((sum, letter) => sum + (letters.get(letter) ?? 0), 0));
  return { widths, blank: letters.get(' ') ?? 0 };
}

/** Each text on a line of its own, however long. */
const inRows = (rows: readonly string[], style: TextStyle): Node => ({
  type: 'container',
  style: { display: 'flex', flexDirection: 'column', alignItems: 'flex-start' } as never,
  children: [
    textNode(rows.join('\n'), { ...style, balance: false, pre: true, style: { ...style.style, width: undefined } }),
  ],
});

function lettersOf(measured: MeasuredNode): Map<string, number> {
  const letters = new Map<string, number>();
  for (const run of measured.children[0]?.runs ?? []) letters.set(run.text === ' ' ? ' ' : run.text.trim(), run.width);
  const missing = [...commonLetters].filter((letter) => !letters.has(letter));
  if (missing.length > 0) throw new Error(`The engine gave no width for ${missing.join(' ')}.`);
  return letters;
}

/** The words of a text on one line. */
function wordsOf(measured: MeasuredNode): Words {
  const widths: number[] = [];
  let blank = 0;
  let inWord = false;
  for (const { text, width } of measured.children[0]?.runs ?? []) {
    if (text.trim() === '') {
      blank = Math.max(blank, width / Math.max(1, text.length));
      inWord = false;
      continue;
    }
    if (inWord) widths.push((widths.pop() ?? 0) + width);
    else widths.push(width);
    inWord = true;
  }
  return { widths, blank };
}
