// Looks after one browser: does it answer, does a page take too much memory, has a helper process died?
import { readFile } from 'node:fs/promises';
import { Deadline } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import { rendererBytes, weighEveryMs } from './budgets.ts';
import type { Member } from './member.ts';

const pingEveryMs = 2000;
/** A browser with every core busy still answers within a second; a stopped one never does. */
const answerWithinMs = 6000;
const pageSize = 4096;

/** Gives back the function that ends the watch. */
export function watchMember(member: Member, log: Log): () => void {
  const ping = setInterval(() => void answers(member, log), pingEveryMs);
  const weigh = setInterval(() => member.busy.size > 0 && void look(member, log), weighEveryMs);
  // The helper processes as they were at the start.
  void look(member, log);
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
  const deadline = new Deadline(answerWithinMs);
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

const looking = new WeakSet<Member>();
const helpers = new WeakMap<Member, Map<string, number>>();

async function look(member: Member, log: Log): Promise<void> {
  if (looking.has(member)) return;
  looking.add(member);
  try {
    const { processInfo } = await member.browser.session.send('SystemInfo.getProcessInfo');
    const weights = await Promise.all(processInfo.map(async ({ type, id }) => ({ type, id, bytes: await weight(id) })));
    member.bytes = weights.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { type, id, bytes } of weights)
      if (type === 'renderer' && bytes > rendererBytes) stopPage(member, id, bytes, log);
    noticeLostHelpers(member, processInfo, log);
  } catch {
    // The browser died; its pipe tells.
  } finally {
    looking.delete(member);
  }
}

/** The process's resident bytes, in Linux's own words; 0 where there is no such file. */
async function weight(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '0 0');
  return Number(statm.split(' ')[1]) * pageSize;
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

/**
 * The browser starts its GPU and network processes again, but what they were doing hangs, and pages made before may
 * have lost their way out: such a browser is ended, and its renders are tried again in another one.
 */
function noticeLostHelpers(member: Member, processes: readonly { type: string; id: number }[], log: Log): void {
  const known = helpers.get(member) ?? new Map<string, number>();
  helpers.set(member, known);
  for (const { type, id } of processes) {
    if (!/gpu|network/i.test(type)) continue;
    const before = known.get(type) ?? id;
    known.set(type, id);
    if (before === id) continue;
    log.warn({ pid: member.browser.pid, helper: type }, 'A helper process of the browser died; the browser is ended.');
    void member.browser.kill();
  }
}
