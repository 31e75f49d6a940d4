// What a tree of processes takes, read from /proc: CPU time and memory, the browser's and Node's apart.
import { readFileSync } from 'node:fs';
import { type Process, treeOf } from '../test/harness/processes.ts';

export type Usage = {
  readonly nodeMs: number;
  readonly browserMs: number;
  readonly nodeBytes: number;
  readonly browserBytes: number;
};

/** Those of the process and of everything that it started and that is still alive or was waited for. */
export function usageOf(pid: number): Usage {
  const tree = treeOf(pid);
  const sum = (browser: boolean, value: (process: Process) => number) =>
    tree.filter((process) => isBrowser(process) === browser).reduce((total, process) => total + value(process), 0);
  return {
    nodeMs: sum(false, ({ ownMs }) => ownMs),
    // What Node has waited for are browsers that ended; what a zygote has waited for are renderers.
    browserMs: sum(true, ({ ownMs, childrenMs }) => ownMs + childrenMs) + sum(false, ({ childrenMs }) => childrenMs),
    nodeBytes: sum(false, ({ pid: id }) => proportionalBytes(id)),
    browserBytes: sum(true, ({ pid: id }) => proportionalBytes(id)),
  };
}

const isBrowser = ({ name }: Process): boolean => /^(chrom|headless)/.test(name);

/** Shared pages are counted in parts, so that the sum over processes is right. */
function proportionalBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
