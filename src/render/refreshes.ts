// Renders that nobody waits for: a stale result was served, and is rendered again in the background. They start only while
// the machine is idle, so they need no queue; few run at once, and one for each key.
import { Deadline } from '../kernel/deadline.ts';
import type { Plan } from '../kernel/plans.ts';

type Refresh = { readonly key: string; readonly accountId: string; readonly plan: Pick<Plan, 'rendersAtOnce'> };

export type Refreshes = {
  /** Starts a refresh, unless one of this key is under way or too many are; then the next request tries again. */
  start(refresh: Refresh, timeoutMs: number, render: (deadline: Deadline) => Promise<unknown>): void;
  stop(): void;
};

const mostAtOnce = 16;
/** One of the account's renders at once stays free for requests that somebody waits for. */
const mostOfAccount = ({ rendersAtOnce }: Refresh['plan']) => Math.max(1, Math.min(2, rendersAtOnce - 1));
/** How long a refresh waits for an idle machine before it gives up. */
const patienceMs = 30_000;
/** A refresh that starts usually takes its slot within this time; only then may the next one start. */
const lookAgainMs = 100;

export function createRefreshes(isIdle: () => boolean): Refreshes {
  const pending = new Map<string, { readonly accountId: string; readonly deadlines: Set<Deadline> }>();
  let stopped = false;
  let lastStart = Number.NEGATIVE_INFINITY;

  const isFull = ({ accountId, plan }: Refresh) =>
    pending.size >= mostAtOnce ||
    [...pending.values()].filter((each) => each.accountId === accountId).length >= mostOfAccount(plan);

  const takeTurn = (): boolean => {
    const now = performance.now();
    if (!isIdle() || now - lastStart < lookAgainMs) return false;
    lastStart = now;
    return true;
  };

  return {
    start(refresh, timeoutMs, render) {
      const { key, accountId } = refresh;
      if (stopped || pending.has(key) || isFull(refresh)) return;
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
      // `render` itself notes the outcome.
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
