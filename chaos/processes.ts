// The server's children, read from /proc: browsers, their renderers, and the dead that nobody buried.
import { readdirSync, readFileSync } from 'node:fs';

export type Process = {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly command: string;
};

export function descendantsOf(pid: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => read(Number(name)));
  const below = new Set([pid]);
  // Parents have lower numbers only as a rule, so go round until nothing is found.
  for (let grown = true; grown; ) {
    grown = false;
    for (const each of all)
      if (!below.has(each.pid) && below.has(each.parent)) {
        below.add(each.pid);
        grown = true;
      }
  }
  return all.filter((each) => each.pid !== pid && below.has(each.pid));
}

function read(pid: number): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return [{ pid, parent: Number(parent), state, command }];
  } catch {
    return []; // it ended meanwhile
  }
}

export const browsersOf = (server: number): Process[] =>
  descendantsOf(server).filter(
    ({ command }) => command.includes('--remote-debugging-pipe') && !command.includes('--type='),
  );

export const renderersOf = (server: number): Process[] =>
  descendantsOf(server).filter(({ command }) => command.includes('--type=renderer'));

export const zombiesOf = (server: number): Process[] => descendantsOf(server).filter(({ state }) => state === 'Z');

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}

/** Resident kilobytes, from /proc. */
export function residentKb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
