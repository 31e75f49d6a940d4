// The server's children: browsers, their renderers, and the dead that nobody buried.
import { readFileSync } from 'node:fs';
import { commandOf, descendantsOf, type Process } from '../test/harness/processes.ts';

export const browsersOf = (server: number): Process[] =>
  descendantsOf(server).filter((each) => {
    const command = commandOf(each);
    return command.includes('--remote-debugging-pipe') && !command.includes('--type=');
  });

export const renderersOf = (server: number): Process[] =>
  descendantsOf(server).filter((each) => commandOf(each).includes('--type=renderer'));

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
