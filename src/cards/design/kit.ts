// Everything a template draws with, in one object, because template files outside this project cannot import it.
import * as blocks from './blocks.ts';
import * as colors from './color.ts';
import * as common from './common.ts';
import * as icons from './icons.ts';
import * as palettes from './palette.ts';
import * as people from './people.ts';
import * as type from './type.ts';

export const kit = { ...blocks, ...colors, ...common, ...icons, ...palettes, ...people, ...type };
export type Kit = typeof kit;
