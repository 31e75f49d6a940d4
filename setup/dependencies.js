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
      path === '' || installed[path]?.version === entry.version || (entry.optional === true && !isExpected(entry)),
  );
}

/** @param {import('./machine.js').Context} context */
export async function install({ projectDir, say }) {
  say('Installing the packages: npm install (a minute or more, once) …');
  const bin = join(projectDir, 'node_modules', '.bin');
  // Not `npm ci`: it would delete everything first, and a machine without network would be left with nothing.
  const flags = ['--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== bin);
  await run('npm', ['install', ...flags], {
    cwd: projectDir,
    // npm must not run on the Node that it is about to replace.
    env: { PATH: path.join(delimiter) },
    advice: `cd ${projectDir} && npm install`,
  });
}

/**
 * @typedef {{ version?: string, optional?: boolean, os?: string | string[], cpu?: string | string[], libc?: string[] }} Entry
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
const isExpected = ({ os, cpu, libc }) =>
  os?.includes(process.platform) === true && cpu?.includes(process.arch) === true && libc === undefined;
