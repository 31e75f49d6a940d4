// Looks after one browser: does it answer, does a page take too much memory, has a helper process died?
// Memory of a renderer is its page's. Memory of the processes that pages share is nobody's by name: what they grow by is
// put down to the pages that were being rendered meanwhile, and the one with the most is the one that is stopped.
import { Deadline } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import { rendererBytes, sharedBytes, weighEveryMs } from './budgets.ts';
import { Crash } from './crash.ts';
import type { Member } from './member.ts';
import { processesOf } from './processes.ts';
import type { Slot } from './slot.ts';

const pingEveryMs = 2000;
/** A browser with every core busy still answers within a second; a stopped one never does. */
const answerWithinMs = 6000;

/** What a stopped page held is given back within this time; before that no other one is stopped for it. */
const reliefMs = 1500;

/** By so much shared processes do not grow under an honest page. */
const blameBytes = 256 * 1024 * 1024;

/** `slots`: how many pages it renders at once. Gives back the function that ends the watch. */
export function watchMember(member: Member, slots: number, log: Log): () => void {
  const shared = { budget: sharedBytes(slots), grown: new WeakMap<Slot, number>(), relievedAt: 0 };
  const ping = setInterval(() => void answers(member, shared, log), pingEveryMs);
  const weigh = setInterval(() => member.busy.size > 0 && look(member, shared, log), weighEveryMs);
  ping.unref();
  weigh.unref();
  return () => {
    clearInterval(ping);
    clearInterval(weigh);
  };
}

const pinging = new WeakSet<Member>();

async function answers(member: Member, shared: Shared, log: Log): Promise<void> {
  if (pinging.has(member)) return;
  pinging.add(member);
  const deadline = new Deadline(answerWithinMs, 'The browser');
  try {
    await deadline.race(member.browser.session.send('Browser.getVersion'));
  } catch {
    if (!member.browser.session.signal.aborted) {
      log.warn({ pid: member.browser.pid }, 'A browser does not answer; it is ended.');
      // What keeps it busy may be what a page gave it: that one is not worth another browser.
      stopHeaviest(member, shared);
      await member.browser.kill();
    }
  } finally {
    deadline.done();
    pinging.delete(member);
  }
}

type Shared = { readonly budget: number; readonly grown: WeakMap<Slot, number>; relievedAt: number };

function look(member: Member, shared: Shared, log: Log): void {
  const processes = processesOf(member.browser.pid);
  // Renderers go with their pages; what the others keep, stays.
  const bytes = processes.reduce((sum, process) => sum + (process.kind === 'renderer' ? 0 : process.bytes), 0);
  // At the first look there is nothing to compare with.
  const growth = member.bytes === 0 ? 0 : Math.max(0, bytes - member.bytes) / member.busy.size;
  for (const slot of member.busy) shared.grown.set(slot, (shared.grown.get(slot) ?? 0) + growth);
  member.bytes = bytes;
  if (bytes > shared.budget) relieve(member, shared, log);
  for (const { kind, pid, bytes } of processes)
    if (kind === 'renderer' && bytes > rendererBytes) stopPage(member, pid, bytes, log);
  endIfBroken(member, log);
}

/** The page is not tried again; if its browser must go, the others are, on another one. */
function relieve(member: Member, shared: Shared, log: Log): void {
  const mustGo = member.bytes > 2 * shared.budget;
  if (!mustGo && performance.now() - shared.relievedAt < reliefMs) return;
  shared.relievedAt = performance.now();
  const megabytes = Math.round(member.bytes / 1e6);
  log.warn(
    { pid: member.browser.pid, megabytes },
    'The browser takes too much memory; the page under which it grew is stopped.',
  );
  stopHeaviest(member, shared);
  if (!mustGo) return;
  log.warn({ pid: member.browser.pid, megabytes }, 'The browser takes twice the memory it may; it is ended.');
  void member.browser.kill();
}

/** Nobody, if they grew under nobody in particular: then the browser has grown old, and is replaced after the render. */
function stopHeaviest({ busy }: Member, { grown }: Shared): void {
  const weight = (slot: Slot) => grown.get(slot) ?? 0;
  const [heaviest] = [...busy].sort((a, b) => weight(b) - weight(a));
  if (heaviest && weight(heaviest) > blameBytes)
    heaviest.session.end(new Crash('renderer', 'The page took more memory than a render may.', true));
}

/** Ends a browser that has lost a helper process. */
export function endIfBroken(member: Member, log: Log): void {
  const helper = member.browser.session.signal.aborted ? undefined : member.browser.helpers.lost();
  if (!helper) return;
  log.warn({ pid: member.browser.pid, helper }, 'A helper process of the browser died; the browser is ended.');
  void member.browser.kill();
}

function stopPage(member: Member, pid: number, bytes: number, log: Log): void {
  if (member.stoppedPages.has(pid)) return;
  member.stoppedPages.set(pid, performance.now());
  log.warn({ pid, megabytes: Math.round(bytes / 1e6) }, 'A page takes too much memory; it is stopped.');
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
