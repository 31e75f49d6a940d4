import { join } from 'node:path';

export const projectDir = join(import.meta.dirname, '../..');
/** The filter lists that `tintype lists update` downloads. */
export const listsDir = join(projectDir, '.tintype', 'lists');
/** The built dashboard. */
export const webDir = join(projectDir, 'web', 'dist');
