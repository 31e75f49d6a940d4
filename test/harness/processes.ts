// Processes and what they started, read from /proc.
import { readdirSync, readFileSync } from 'node:fs';

export type Process = {
  readonly pid: number;
  readonly parent: number;
  /** Of its program, cut by the kernel to 15 characters. */
  readonly name: string;
  /** R, S, D …; Z is dead and not yet buried by its parent. */
  readonly state: string;
  /** CPU time, and that of its children that ended and were waited for. */
  readonly ownMs: number;
  readonly childrenMs: number;
};

/** The kernel counts in hundredths of a second (USER_HZ). */
const tickMs = 10;

/** The process and everything below it. */
export function treeOf(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => read(Number(name)));
  const found = all.filter(({ pid }) => pid === root);
  for (const process of found) found.push(...all.filter(({ parent }) => parent === process.pid));
  return found;
}

export const descendantsOf = (pid: number): Process[] => treeOf(pid).slice(1);

/** Its command line; none if it has ended. */
export function commandOf({ pid }: Process): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function read(pid: number): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in brackets and may hold blanks and brackets; fields are counted from behind it (proc(5)).
    const end = stat.lastIndexOf(')');
    const [state = '', parent = '0', ...fields] = stat.slice(end + 2).split(' ');
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(9, 13).map(Number);
    return [
      {
        pid,
        parent: Number(parent),
        name: stat.slice(stat.indexOf('(') + 1, end),
        state,
        ownMs: (user + system) * tickMs,
        childrenMs: (childUser + childSystem) * tickMs,
      },
    ];
  } catch {
    return []; // it ended meanwhile
  }
}
