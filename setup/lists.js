// @ts-check
// The filter lists for blockAds and blockCookies. They are GPL data of others, fetched here and never part of the
// project. If they cannot be fetched, a short list of our own is used, and the set-up goes on.
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectNode, run } from './machine.js';

export const name = 'filter lists';
export const optional = true;

// A machine without a network does not wait for them at every start.
const tryAgainMs = 24 * 60 * 60 * 1000;

/** @param {string} projectDir */
const folderIn = (projectDir) => join(projectDir, '.tintype', 'lists');
/** @param {string} projectDir */
const triedIn = (projectDir) => join(folderIn(projectDir), 'not-fetched');

/** @param {import('./machine.js').Context} context */
export function check({ projectDir }) {
  if (existsSync(join(folderIn(projectDir), 'lists.json'))) return true;
  const tried = statSync(triedIn(projectDir), { throwIfNoEntry: false });
  return tried !== undefined && Date.now() - tried.mtimeMs < tryAgainMs;
}

/** @param {import('./machine.js').Context} context */
export async function install({ projectDir, say }) {
  say('Fetching the filter lists for blockAds and blockCookies (25 MB, once) …');
  const source = pathToFileURL(join(projectDir, 'src', 'capture', 'clean', 'lists.ts')).href;
  const dir = folderIn(projectDir);
  const fetching = pathToFileURL(join(projectDir, 'setup', 'lists-package.js')).href;
  const script = `const { updateLists } = await import(${JSON.stringify(source)});
const { unpackPinned } = await import(${JSON.stringify(fetching)});
await updateLists({ dir: ${JSON.stringify(dir)}, print: () => {}, unpack: unpackPinned });`;
  try {
    await run(projectNode(projectDir), ['--input-type=module', '--eval', script], { cwd: projectDir });
  } catch (error) {
    mkdirSync(dir, { recursive: true });
    writeFileSync(triedIn(projectDir), '');
    const changed = /^.*it was changed\.$/m.exec(error instanceof Error ? error.message : '')?.[0].trim();
    throw new Error(
      `${changed ?? 'they could not be fetched.'} A short built-in list is used; try later with: bin/tintype lists update`,
    );
  }
}
