// What a tree of processes takes, read from /proc: CPU time and memory, the browser's and Node's apart.
import { readFileSync } from 'node:fs';
import { sleep } from '../src/kernel/deadline.ts';
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

/** CPU of the tree in ms between two looks, per piece of work. */
export const cpuBetween = (before: Usage, after: Usage, count: number) => ({
  node: (after.nodeMs - before.nodeMs) / count,
  browser: (after.browserMs - before.browserMs) / count,
});

const sampleEveryMs = 20;

export type Memory = Pick<Usage, 'nodeBytes' | 'browserBytes'>;

/**
 * The memory of the tree when it takes the most. Shared pages are costly to count in parts, so that is only done when the
 * sum of what is resident has grown.
 */
export async function peakDuring(pid: number, work: () => Promise<unknown>): Promise<Memory> {
  const peak = { nodeBytes: 0, browserBytes: 0 };
  const done = new AbortController();
  const sample = async () => {
    let most = 0;
    for (let samples = 0, tree = treeOf(pid); !done.signal.aborted; samples++) {
      if (samples % 10 === 0) tree = treeOf(pid);
      const resident = tree.reduce((sum, process) => sum + residentBytes(process.pid), 0);
      if (resident > most + 4e6) {
        most = resident;
        const { nodeBytes, browserBytes } = usageOf(pid);
        if (nodeBytes + browserBytes > peak.nodeBytes + peak.browserBytes)
          Object.assign(peak, { nodeBytes, browserBytes });
      }
      await sleep(sampleEveryMs, done.signal).catch(() => {});
    }
  };
  const sampling = sample();
  try {
    await work();
  } finally {
    done.abort();
    await sampling;
  }
  return peak;
}

const pageBytes = 4096;

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1] ?? 0) * pageBytes;
  } catch {
    return 0;
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
