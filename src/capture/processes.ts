// The processes of a browser, read from /proc: the browser itself may not respond. Without /proc the list is empty.
import { readdirSync, readFileSync } from 'node:fs';
import { BoundedMap } from '../kernel/bounded-map.ts';

export type BrowserProcess = {
  readonly pid: number;
  readonly kind: 'renderer' | 'gpu' | 'network' | 'other';
  /** Resident memory. */
  readonly bytes: number;
  /** Processor time since its start, in clock ticks. */
  readonly ticks: number;
};

const pageSize = 4096;

/** The browser and all its descendants. */
export function processesOf(browser: number): BrowserProcess[] {
  // /proc lists children by the thread that started them. The browser starts some from other threads, a zygote never does.
  const threads = list(`/proc/${browser}/task`);
  return [describe(browser), ...threads.flatMap((thread) => below(browser, thread))].filter(({ bytes }) => bytes > 0);
}

function below(pid: number, thread: number | string): BrowserProcess[] {
  const children = read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [describe(child), ...below(child, child)]);
}

/** Processor time of each thread of a process since its start, in clock ticks. */
export const ticksOfThreads = (pid: number): ReadonlyMap<string, number> =>
  new Map(list(`/proc/${pid}/task`).map((thread) => [thread, processorTicks(`/proc/${pid}/task/${thread}`)]));

const describe = (pid: number): BrowserProcess => ({
  pid,
  kind: kindOf(pid),
  bytes: residentBytes(pid),
  ticks: processorTicks(`/proc/${pid}`),
});

/** Has the process ended, as a zombie or for good? False if that cannot be read, for instance without free file descriptors. */
export function hasEnded(pid: number): boolean {
  try {
    return /^\d+ 0 /.test(readFileSync(`/proc/${pid}/statm`, 'latin1'));
  } catch (error) {
    return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

/** Does one of its threads run, or wait for a processor? */
export const isWorking = (pid: number): boolean =>
  list(`/proc/${pid}/task`).some((thread) => statOf(`/proc/${pid}/task/${thread}`)[0] === 'R');

const residentBytes = (pid: number): number => Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * pageSize;

/** utime and stime of proc_pid_stat(5). */
function processorTicks(folder: string): number {
  const fields = statOf(folder);
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** The fields of proc_pid_stat(5) from the third on. The name before them is in parentheses and may contain blanks. */
function statOf(folder: string): string[] {
  const stat = read(`${folder}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

// The kind of a process does not change, and reading it costs more than everything else here. Process ids are reused;
// entries are dropped long before that.
const kinds = new BoundedMap<number, BrowserProcess['kind']>(1000);

function kindOf(pid: number): BrowserProcess['kind'] {
  const known = kinds.get(pid);
  if (known) return known;
  // For a moment after its start, a renderer still has the command line of its zygote.
  const command = read(`/proc/${pid}/cmdline`);
  const kind = command.includes('--type=renderer')
    ? 'renderer'
    : command.includes('--type=gpu-process')
      ? 'gpu'
      : command.includes('--utility-sub-type=network')
        ? 'network'
        : 'other';
  if (kind === 'other') return kind;
  kinds.set(pid, kind);
  return kind;
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Empty if the process has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
