// @ts-check
// Node 24, which runs TypeScript as it is: the machine's own; on Linux, if that is older, the one that npm installed with the packages.
import { majorOf, projectNode, SetupFailure, leastNode as wanted } from './machine.js';

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
