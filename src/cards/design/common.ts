// Variables that most cards share, with the same names and descriptions.
import type { Draft, Variable } from '../card-types.ts';
import { type Palette, palette } from './palette.ts';

export const title: Variable = {
  type: 'text',
  doc: 'The headline. It takes the largest size at which it fits.',
  default: 'Untitled',
};
export const description: Variable = { type: 'text', doc: 'A sentence or two under the headline.' };
export const author: Variable = { type: 'text', doc: 'Who wrote it. Without an avatar, the initials are shown.' };
export const date: Variable = { type: 'text', doc: 'A date, shown as written.' };
export const avatar: Variable = { type: 'image_url', doc: 'A picture of the author, cut to a circle.' };
export const site: Variable = { type: 'text', doc: 'The name of the site or company.' };
export const logo: Variable = { type: 'image_url', doc: 'The logo of the site, shown 36 pixels high.' };

/** The two colours every card takes. */
export const colorVariables = (accent: string, bgColor: string) => ({
  accent: { type: 'color', default: accent, doc: 'The accent color.' } satisfies Variable as Variable,
  bgColor: {
    type: 'color',
    default: bgColor,
    doc: 'The background color. Text is dark or light, whichever is legible.',
  } satisfies Variable as Variable,
});

/** The palette that follows from them. */
export const paletteOf = (draft: Draft): Palette => palette(draft.color('bgColor'), draft.color('accent'));
