// Looks after one browser: does it answer, does a page take too much memory, has a helper process died?
import { Deadline } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import { rendererBytes, weighEveryMs } from './budgets.ts';
import type { Member } from './member.ts';
import { processesOf } from './processes.ts';

const pingEveryMs = 2000;
/** A browser with every core busy still answers within a second; a stopped one never does. */
const answerWithinMs = 6000;

/** Gives back the function that ends the watch. */
export function watchMember(member: Member, log: Log): () => void {
  const ping = setInterval(() => void answers(member, log), pingEveryMs);
  const weigh = setInterval(() => member.busy.size > 0 && look(member, log), weighEveryMs);
  ping.unref();
  weigh.unref();
  return () => {
    clearInterval(ping);
    clearInterval(weigh);
  };
}

const pinging = new WeakSet<Member>();

async function answers(member: Member, log: Log): Promise<void> {
  if (pinging.has(member)) return;
  pinging.add(member);
  const deadline = new Deadline(answerWithinMs, 'The browser');
  try {
    await deadline.race(member.browser.session.send('Browser.getVersion'));
  } catch {
    if (!member.browser.session.signal.aborted) {
      log.warn({ pid: member.browser.pid }, 'A browser does not answer; it is ended.');
      await member.browser.kill();
    }
  } finally {
    deadline.done();
    pinging.delete(member);
  }
}

function look(member: Member, log: Log): void {
  const processes = processesOf(member.browser.pid);
  // Renderers go with their pages; what the others keep, stays.
  member.bytes = processes.reduce((sum, { kind, bytes }) => sum + (kind === 'renderer' ? 0 : bytes), 0);
  for (const { kind, pid, bytes } of processes)
    if (kind === 'renderer' && bytes > rendererBytes) stopPage(member, pid, bytes, log);
  endIfBroken(member, log);
}

/** Ends a browser that has lost a helper process. */
export function endIfBroken(member: Member, log: Log): void {
  const helper = member.browser.session.signal.aborted ? undefined : member.browser.helpers.lost();
  if (!helper) return;
  log.warn({ pid: member.browser.pid, helper }, 'A helper process of the browser died; the browser is ended.');
  void member.browser.kill();
}

function stopPage(member: Member, pid: number, bytes: number, log: Log): void {
  member.stoppedPageAt = performance.now();
  log.warn({ pid, megabytes: Math.round(bytes / 1e6) }, 'A page takes too much memory; it is stopped.');
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
