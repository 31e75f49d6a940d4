// What a tree of processes takes, read from /proc: CPU time and memory, the browser's and Node's apart.
import { readdirSync, readFileSync } from 'node:fs';

export type Usage = {
  readonly nodeMs: number;
  readonly browserMs: number;
  readonly nodeBytes: number;
  readonly browserBytes: number;
};

type Process = { pid: number; parent: number; browser: boolean; ownMs: number; childrenMs: number };

/** The kernel counts in hundredths of a second (USER_HZ); over many captures that is fine enough. */
const tickMs = 10;

/** Those of the process and of everything that it started and that is still alive or was waited for. */
export function usageOf(pid: number): Usage {
  const tree = treeOf(pid);
  const sum = (browser: boolean, value: (process: Process) => number) =>
    tree.filter((process) => process.browser === browser).reduce((total, process) => total + value(process), 0);
  return {
    nodeMs: sum(false, ({ ownMs }) => ownMs),
    // What Node has waited for are browsers that ended; what a zygote has waited for are renderers.
    browserMs: sum(true, ({ ownMs, childrenMs }) => ownMs + childrenMs) + sum(false, ({ childrenMs }) => childrenMs),
    nodeBytes: sum(false, ({ pid: id }) => proportionalBytes(id)),
    browserBytes: sum(true, ({ pid: id }) => proportionalBytes(id)),
  };
}

/** CPU of the tree in ms between two looks, per piece of work. */
export const cpuBetween = (before: Usage, after: Usage, count: number) => ({
  node: (after.nodeMs - before.nodeMs) / count,
  browser: (after.browserMs - before.browserMs) / count,
});

function treeOf(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((process) => process !== undefined);
  const found = all.filter(({ pid }) => pid === root);
  for (const process of found) found.push(...all.filter(({ parent }) => parent === process.pid));
  return found;
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in brackets and may hold blanks; fields are counted from behind it (proc(5)).
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
    return {
      pid,
      parent: fields[1] ?? 0,
      browser: /\((chrom|headless)/.test(stat),
      ownMs: (user + system) * tickMs,
      childrenMs: (childUser + childSystem) * tickMs,
    };
  } catch {
    return undefined;
  }
}

/** Shared pages are counted in parts, so that the sum over processes is right. */
function proportionalBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
