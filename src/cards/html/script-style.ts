// What the script of a text needs, whatever the template says: Arabic letters stay joined, marks do not touch the next line.
import type { Node } from '@takumi-rs/core';
import { hasItalics, keepsTracking, keepsWords, leastLeading } from '../script.ts';

type Style = NonNullable<Node['style']>;

const leadings: Readonly<Record<string, number>> = { none: 1, tight: 1.25, snug: 1.375, normal: 1.5 };

/** Overrides the classes of the element that holds the text. */
export function scriptStyle(text: string, classes: string): Style {
  const names = classes.split(/\s+/);
  const leading = names.findLast((name) => name.startsWith('leading-'))?.slice('leading-'.length);
  const lineHeight = leading && (leadings[leading] ?? Number(/^\[([\d.]{1,8})\]$/.exec(leading)?.[1]));
  const least = leastLeading(text);
  return {
    ...(names.some((name) => name.startsWith('tracking-')) && !keepsTracking(text) && { letterSpacing: '0em' }),
    ...(lineHeight && lineHeight < least && { lineHeight: least }),
    ...(names.includes('italic') && !hasItalics(text) && { fontStyle: 'normal' }),
    ...(keepsWords(text) && { wordBreak: 'keep-all' }),
  };
}

const clamp = /^(?:truncate|line-clamp-(\d{1,2}))$/;

/** The lines at which the classes cut a text; undefined if they do not. */
export function clampOf(classes: string): number | undefined {
  const found = classes.split(/\s+/).findLast((name) => clamp.test(name));
  return found === undefined ? undefined : Number(clamp.exec(found)?.[1] ?? 1);
}

export const withoutClamp = (classes: string): string =>
  classes
    .split(/\s+/)
    .filter((name) => !clamp.test(name))
    .join(' ');
