// @ts-check
// The dashboard, built by Vite when its sources are newer than what was built.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectNode, run } from './machine.js';

export const name = 'dashboard';

/** @param {import('./machine.js').Context} context */
export function check({ projectDir }) {
  const web = join(projectDir, 'web');
  if (modifiedAt(join(web, 'vite.config.ts')) === undefined) return true;
  const builtAt = modifiedAt(join(web, 'dist', 'index.html'));
  // The dashboard contains the code samples, too.
  return builtAt !== undefined && Math.max(newest(web), newest(join(projectDir, 'src', 'samples'))) <= builtAt;
}

/** @param {import('./machine.js').Context} context */
export async function install({ projectDir, say }) {
  say('Building the dashboard …');
  const vite = join(projectDir, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--config', join(projectDir, 'web', 'vite.config.ts'), '--logLevel', 'warn'];
  await run(projectNode(projectDir), args, { cwd: join(projectDir, 'web'), advice: 'npx vite build web' });
}

/** @param {string} folder @returns {number} */
function newest(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== 'dist' && entry.name !== 'node_modules')
    .map((entry) => join(folder, entry.name))
    .map((path) => (statSync(path).isDirectory() ? newest(path) : statSync(path).mtimeMs))
    .reduce((latest, time) => Math.max(latest, time), 0);
}

/** @param {string} path */
const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
