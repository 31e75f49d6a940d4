// Renders that nobody waits for: a stale result was served, and is rendered anew behind. They start only while nothing
// else wants the machine, so they need no place in any queue; there are few at once, and one of a key.
import { Deadline } from '../kernel/deadline.ts';
import type { Plan } from '../kernel/plans.ts';

type Wish = { readonly key: string; readonly accountId: string; readonly plan: Pick<Plan, 'rendersAtOnce'> };

export type Refreshes = {
  /** Renders this behind, unless that is under way or there is too much of it; then the next request tries again. */
  start(wish: Wish, timeoutMs: number, render: (deadline: Deadline) => Promise<unknown>): void;
  stop(): void;
};

const mostAtOnce = 16;
/** A place of the account's "at once" stays free for what somebody waits for. */
const mostOfAccount = ({ rendersAtOnce }: Wish['plan']) => Math.max(1, Math.min(2, rendersAtOnce - 1));
/** How long one waits for an idle machine before it gives up. */
const patienceMs = 30_000;
/** One that starts takes its slot within this time, as a rule; the next one looks then. */
const lookAgainMs = 100;

export function createRefreshes(isIdle: () => boolean): Refreshes {
  const pending = new Map<string, { readonly accountId: string; readonly deadlines: Set<Deadline> }>();
  let stopped = false;
  let lastStart = Number.NEGATIVE_INFINITY;

  const isFull = ({ accountId, plan }: Wish) =>
    pending.size >= mostAtOnce ||
    [...pending.values()].filter((each) => each.accountId === accountId).length >= mostOfAccount(plan);

  const takeTurn = (): boolean => {
    const now = performance.now();
    if (!isIdle() || now - lastStart < lookAgainMs) return false;
    lastStart = now;
    return true;
  };

  return {
    start(wish, timeoutMs, render) {
      const { key, accountId } = wish;
      if (stopped || pending.has(key) || isFull(wish)) return;
      const deadlines = new Set<Deadline>();
      pending.set(key, { accountId, deadlines });
      const bounded = async (ms: number, work: (deadline: Deadline) => Promise<unknown>) => {
        const deadline = new Deadline(ms);
        deadlines.add(deadline);
        if (stopped) deadline.cancel();
        try {
          await work(deadline);
        } finally {
          deadline.done();
        }
      };
      const run = async () => {
        await bounded(patienceMs, async (patience) => {
          while (!takeTurn()) await patience.pause(lookAgainMs * (1 + Math.random()));
        });
        await bounded(timeoutMs, render);
      };
      // What became of it is noted by `render`.
      run()
        .catch(() => {})
        .finally(() => pending.delete(key));
    },

    stop() {
      stopped = true;
      for (const { deadlines } of pending.values()) for (const deadline of deadlines) deadline.cancel();
    },
  };
}
