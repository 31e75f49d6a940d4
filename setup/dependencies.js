// @ts-check
// The packages of package-lock.json. The development ones too: the dashboard is built here, and `npm test` is
// the second of the two commands.
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './machine.js';

export const name = 'packages';

/** @param {import('./machine.js').Context} context */
export function check({ projectDir }) {
  const wanted = read(join(projectDir, 'package-lock.json'));
  // npm writes this file last: an install that was cut short has none.
  const installed = read(join(projectDir, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || installed === undefined) return false;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' || installed[path]?.version === entry.version || (entry.optional === true && !isForHere(entry)),
  );
}

/** @param {import('./machine.js').Context} context */
export async function install({ projectDir, say }) {
  say('Installing the packages: npm ci (some 100 MB, once) …');
  const bin = join(projectDir, 'node_modules', '.bin');
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['ci', ...flags], {
    cwd: projectDir,
    // `npm ci` empties node_modules first; it must not run on the Node that is in there.
    env: {
      PATH: (process.env.PATH ?? '')
        .split(delimiter)
        .filter((folder) => folder !== bin)
        .join(delimiter),
    },
    advice: `cd ${projectDir} && npm ci`,
  });
}

/**
 * @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Entry
 * @param {string} path
 * @returns {Record<string, Entry> | undefined}
 */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * Would npm have installed this optional package here? Packages for one kind of libc are left to npm's judgement.
 * @param {Entry} entry
 */
const isForHere = ({ os, cpu, libc }) =>
  os?.includes(process.platform) === true && cpu?.includes(process.arch) === true && libc === undefined;
