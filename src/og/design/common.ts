// Variables that most cards share, so that they are called and described alike everywhere.
import type { Variable } from '../og-types.ts';

export const title: Variable = { type: 'text', doc: 'The headline. It takes the largest size at which it fits.' };
export const description: Variable = { type: 'text', doc: 'A sentence or two under the headline.' };
export const author: Variable = { type: 'text', doc: 'Who wrote it. Without an avatar, the initials are shown.' };
export const date: Variable = { type: 'text', doc: 'A date, as it should be read.' };
export const avatar: Variable = { type: 'image_url', doc: 'A picture of the author, cut to a circle.' };
export const accent = (value: string): Variable => ({ type: 'color', default: value, doc: 'The accent color.' });
export const bgColor = (value: string): Variable => ({
  type: 'color',
  default: value,
  doc: 'The background color. Text is set dark or light, whichever can be read on it.',
});
