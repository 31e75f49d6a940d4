// Everything a template draws with, in one object: template files outside this tree get it handed over.
import * as blocks from './blocks.ts';
import * as colors from './color.ts';
import * as palettes from './palette.ts';
import * as type from './type.ts';

export const kit = { ...blocks, ...colors, ...palettes, ...type };
export type Kit = typeof kit;
