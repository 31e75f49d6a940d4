// Icons on a 24-pixel grid with one stroke width, in any color.
import type { Node } from '@takumi-rs/core';
import { type Color, css } from './color.ts';

const strokes = {
  check: '<path d="M4.5 12.5 9.5 17.5 19.5 6.5"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  minus: '<path d="M5 12h14"/>',
  arrow: '<path d="M4 12h16M14 6l6 6-6 6"/>',
  calendar: '<rect x="3.5" y="5" width="17" height="15.5" rx="2.5"/><path d="M3.5 10h17M8 2.5v4M16 2.5v4"/>',
  clock: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5.2l3.4 2"/>',
  pin: '<path d="M12 21.5c4.2-4.3 6.8-7.8 6.8-11.3a6.8 6.8 0 1 0-13.6 0c0 3.5 2.6 7 6.8 11.3z"/><circle cx="12" cy="10" r="2.4"/>',
  star: '<path d="m12 3.2 2.7 5.6 6.1.85-4.45 4.25 1.1 6.1L12 17.05 6.55 20l1.1-6.1L3.2 9.65l6.1-.85z"/>',
  fork: '<circle cx="6.5" cy="5" r="2.2"/><circle cx="17.5" cy="5" r="2.2"/><circle cx="12" cy="19" r="2.2"/><path d="M6.5 7.2v1.3a3 3 0 0 0 3 3h5a3 3 0 0 0 3-3V7.2M12 11.5v5.3"/>',
  issue: '<circle cx="12" cy="12" r="8.5"/><circle cx="12" cy="12" r="1.4"/>',
  tag: '<path d="M3.5 4.5v7.3l8.9 8.7a1.5 1.5 0 0 0 2.1 0l6-5.9a1.5 1.5 0 0 0 0-2.1L11.4 3.5H4.5a1 1 0 0 0-1 1z"/><circle cx="8" cy="8" r="1"/>',
} as const;

const fills = {
  play: '<path d="M7 4.2v15.6a1 1 0 0 0 1.53.85l12.3-7.8a1 1 0 0 0 0-1.7L8.53 3.35A1 1 0 0 0 7 4.2z"/>',
  quote:
    '<path d="M10.2 5.5C5.9 7 3.3 10.3 3.3 14.3c0 2.7 1.6 4.4 3.8 4.4 2 0 3.6-1.5 3.6-3.5 0-1.9-1.3-3.3-3.1-3.3-.4 0-.8.1-.9.1.3-1.9 2-3.9 4.4-5zM20.9 5.5c-4.3 1.5-6.9 4.8-6.9 8.8 0 2.7 1.6 4.4 3.8 4.4 2 0 3.6-1.5 3.6-3.5 0-1.9-1.3-3.3-3.1-3.3-.4 0-.8.1-.9.1.3-1.9 2-3.9 4.4-5z"/>',
} as const;

export type IconName = keyof typeof strokes | keyof typeof fills;

export function icon(name: IconName, size: number, color: Color, width = 2): Node {
  const paint = css(color);
  const body =
    name in strokes
      ? `<g fill="none" stroke="${paint}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round">${strokes[name as keyof typeof strokes]}</g>`
      : `<g fill="${paint}">${fills[name as keyof typeof fills]}</g>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">${body}</svg>`;
  return { type: 'image', src: Buffer.from(svg), style: { width: size, height: size, flexShrink: 0 } as never };
}
