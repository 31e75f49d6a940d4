// @ts-check
// Node 24, which runs TypeScript as it is. On Linux npm has installed it with the packages; elsewhere the system's is used.
import { execFileSync } from 'node:child_process';
import { projectNode, SetupFailure } from './machine.js';

const wanted = 24;

export const name = 'Node';

/** @param {import('./machine.js').Context} context */
export function check({ projectDir }) {
  return majorOf(projectNode(projectDir)) >= wanted;
}

export async function install() {
  // Nothing to fetch: where npm has a Node, the packages before this step have brought it.
  throw new SetupFailure(
    `Tintype needs Node ${wanted} or newer. This is Node ${process.versions.node}, and npm has none that runs on ` +
      `${process.platform} ${process.arch}${process.platform === 'linux' ? ' with this C library' : ''}.`,
    process.platform === 'darwin' ? 'brew install node' : `see https://nodejs.org/en/download (Node ${wanted})`,
  );
}

/** @param {string} path */
function majorOf(path) {
  try {
    return Number(/^v(\d+)\./.exec(execFileSync(path, ['--version'], { encoding: 'utf8', stdio: 'pipe' }))?.[1]);
  } catch {
    return 0;
  }
}
