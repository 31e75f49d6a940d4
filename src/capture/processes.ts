// The processes of a browser, as Linux tells them: no question to the browser, which may be the one in trouble.
// Where there is no /proc, there are none.
import { readdirSync, readFileSync } from 'node:fs';
import { BoundedMap } from '../kernel/bounded-map.ts';

export type BrowserProcess = {
  readonly pid: number;
  readonly kind: 'renderer' | 'gpu' | 'network' | 'other';
  /** Resident memory. */
  readonly bytes: number;
};

const pageSize = 4096;

/** The browser and everything below it. */
export function processesOf(browser: number): BrowserProcess[] {
  // Children belong to the thread that made them. The browser starts some from its other threads, a zygote never does.
  const threads = list(`/proc/${browser}/task`);
  return [describe(browser), ...threads.flatMap((thread) => below(browser, thread))].filter(({ bytes }) => bytes > 0);
}

function below(pid: number, thread: number | string): BrowserProcess[] {
  const children = read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [describe(child), ...below(child, child)]);
}

const describe = (pid: number): BrowserProcess => ({
  pid,
  kind: kindOf(pid),
  bytes: residentBytes(pid),
});

/** Has it ended, also where nobody has taken note of that yet? Where that cannot be told (no file can be opened), no. */
export function hasEnded(pid: number): boolean {
  try {
    return /^\d+ 0 /.test(readFileSync(`/proc/${pid}/statm`, 'latin1'));
  } catch (error) {
    return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

const residentBytes = (pid: number): number => Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * pageSize;

// What a process is does not change, and to ask again costs more than all the rest. Process ids come round again; the
// oldest are forgotten long before that.
const kinds = new BoundedMap<number, BrowserProcess['kind']>(1000);

function kindOf(pid: number): BrowserProcess['kind'] {
  const known = kinds.get(pid);
  if (known) return known;
  // A renderer is a copy of its zygote for a moment before it says so.
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

/** Empty where the process has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
