// Who renders next. A bounded queue in which no account can crowd out another: slots go by stride
// scheduling (an account's turn comes the sooner the less it has had, counted by its plan's share), an
// account over its own "at once" waits without holding anybody up, and when the queue is full it is the
// account with the most waiting that loses its newest.
import type { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { PlanName } from '../kernel/plans.ts';

export type Applicant = {
  readonly accountId: string;
  readonly plan: PlanName;
  readonly atOnce: number;
  /** Slots it takes: more than one for a giant canvas. */
  readonly weight: number;
};

export type Admission = {
  /** Throws 503 at once if this account would be refused now. */
  throwIfFull(accountId: string): void;
  /** Resolves to the function that gives the slot back. */
  enter(applicant: Applicant, deadline: Deadline): Promise<() => void>;
  readonly waiting: number;
  readonly running: number;
};

// How much of a busy machine a plan gets beside the others.
const shares: Readonly<Record<PlanName, number>> = { free: 1, starter: 2, pro: 4, business: 8 };

type Waiter = Applicant & { start: () => void; refuse: (problem: Problem) => void };
type Queue = { waiters: Waiter[]; running: number /** Work received so far, divided by its share. */; pass: number };

export function createAdmission(slots: number, queueMax: number): Admission {
  const queues = new Map<string, Queue>();
  let waiting = 0;
  let used = 0;

  const queueOf = (accountId: string): Queue => {
    let queue = queues.get(accountId);
    if (queue === undefined) {
      // A newcomer starts level with whoever is served least, not at zero: no credit for having been away.
      const passes = [...queues.values()].map((each) => each.pass);
      queue = { waiters: [], running: 0, pass: passes.length > 0 ? Math.min(...passes) : 0 };
      queues.set(accountId, queue);
    }
    return queue;
  };

  const forgetIfIdle = (accountId: string): void => {
    const queue = queues.get(accountId);
    if (queue?.running === 0 && queue.waiters.length === 0) queues.delete(accountId);
  };

  const longest = (): [string, Queue] | undefined =>
    [...queues].reduce<[string, Queue] | undefined>(
      (most, each) => (each[1].waiters.length > (most?.[1].waiters.length ?? 0) ? each : most),
      undefined,
    );

  const overloaded = () => new Problem('overloaded', { retryAfter: 2 });

  // The account whose newest waiter must go for a newcomer; undefined if the newcomer itself must.
  const loser = (accountId: string): Queue | undefined => {
    const [id, queue] = longest() ?? [];
    const own = queues.get(accountId)?.waiters.length ?? 0;
    return queue !== undefined && id !== accountId && queue.waiters.length > own + 1 ? queue : undefined;
  };

  function next(): Waiter | undefined {
    let best: Queue | undefined;
    for (const queue of queues.values()) {
      const first = queue.waiters[0];
      if (first === undefined || queue.running >= first.atOnce) continue;
      if (best === undefined || queue.pass < best.pass) best = queue;
    }
    const waiter = best?.waiters[0];
    // A heavy render waits until its slots are free together, and is not overtaken meanwhile. On an idle
    // machine anything may start.
    if (waiter === undefined || (used > 0 && used + waiter.weight > slots)) return undefined;
    best?.waiters.shift();
    return waiter;
  }

  function fill(): void {
    for (let waiter = next(); waiter !== undefined; waiter = next()) {
      waiting--;
      used += waiter.weight;
      const queue = queueOf(waiter.accountId);
      queue.running++;
      queue.pass += waiter.weight / shares[waiter.plan];
      waiter.start();
    }
  }

  function leave({ accountId, weight }: Applicant): void {
    used -= weight;
    const queue = queueOf(accountId);
    queue.running--;
    forgetIfIdle(accountId);
    fill();
  }

  return {
    throwIfFull(accountId) {
      if (waiting >= queueMax && used >= slots && loser(accountId) === undefined) throw overloaded();
    },

    async enter(applicant, deadline) {
      deadline.throwIfOver();
      const capped = { ...applicant, weight: Math.min(applicant.weight, slots) };
      return new Promise((resolve, reject) => {
        const queue = queueOf(capped.accountId);
        const giveUp = () => {
          const at = queue.waiters.indexOf(waiter);
          if (at < 0) return;
          queue.waiters.splice(at, 1);
          waiting--;
          forgetIfIdle(capped.accountId);
          reject(deadline.signal.reason);
          fill();
        };
        const waiter: Waiter = {
          ...capped,
          start() {
            deadline.signal.removeEventListener('abort', giveUp);
            let left = false;
            resolve(() => {
              if (!left) leave(capped);
              left = true;
            });
          },
          refuse(problem) {
            deadline.signal.removeEventListener('abort', giveUp);
            reject(problem);
          },
        };
        queue.waiters.push(waiter);
        waiting++;
        deadline.signal.addEventListener('abort', giveUp, { once: true });
        fill();
        if (waiting <= queueMax) return;
        const dropped = (loser(capped.accountId) ?? queue).waiters.pop();
        waiting--;
        dropped?.refuse(overloaded());
        forgetIfIdle(capped.accountId);
      });
    },

    get waiting() {
      return waiting;
    },
    get running() {
      return used;
    },
  };
}
