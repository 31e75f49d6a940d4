// Who renders next, and how many at once. There are two bounds:
//
// - slots, for the processors. A render holds a slot while it has work, returns it while it only waits (for the network,
//   a delay, an element), and gets it back before any newcomer. It may hold one for a few seconds in all: a page that
//   computes for longer continues without a slot, so that no page can keep it. An account without a slot takes one away from
//   an account that has several, after a moment: its pages are in a browser of its own, so the operating system shares the
//   processors between the two.
// - places, for the memory. A render keeps its place until it ends. Lower plans together, and one account of any plan, get only a
//   part of the places.
//
// If there is no room, a render waits in a bounded queue in which no account can crowd out another. The next render is
// chosen by self-clocked fair queueing: the less an account has had, relative to its plan's share, the sooner its turn. An
// account over its own limit of renders at once waits without delaying others. When the queue is full, the account with
// the most waiting renders loses its newest. In a cluster, the cluster's admission follows the same rules.
//
// Renders in the background (jobs, for which nobody waits) start only while no other render could start, and leave a slot
// free for the next one that somebody waits for. While a render runs that somebody waits for, one of them runs at a time:
// they share the processors. They are not in the bounded queue: their number is bounded by whoever runs them.
import type { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { Applicant, Capacity, Load } from '../kernel/lanes.ts';
import { highestPlan, mostAtOnce, type PlanName, planNames, planPlaces, planShares } from '../kernel/plans.ts';
import type { Turn } from '../kernel/turn.ts';
import { createSlots } from './slots.ts';

export type Bounds = Partial<Capacity> & {
  readonly slots: number;
  /** How many may wait for room. */
  readonly queueMax: number;
  /** Do lower plans get only a part of the places? Not on a render node: the cluster's admission has checked that. */
  readonly keepsPlaces?: boolean;
  /** How long one render may hold a slot, in all. */
  readonly slotMs?: number;
};

/** A turn that ends: `leave` returns the slot and the place. */
export type Admitted = Turn & { leave(): void };

export type Admission = Load & {
  /** Slots in use. */
  readonly working: number;
  /** Throws the 503 if this applicant would be refused now. */
  throwIfFull(applicant: Applicant): void;
  enter(applicant: Applicant, deadline: Deadline): Promise<Admitted>;
  /** How many ordinary renders could start now. */
  readonly room: number;
  /** Without room: the accounts that have a slot, if another account may take one away. */
  readonly crowding: readonly string[];
  /** Called whenever `room` may have changed. */
  onChange: (() => void) | undefined;
};

type Waiter = Applicant & { start: () => void; refuse: (problem: Problem) => void };
type Queue = {
  readonly waiters: Waiter[];
  /** Weight under way. */
  running: number;
  /** When its last render was due, on the common clock. */
  due: number;
};

export function createAdmission({ slots, queueMax, ...optional }: Bounds): Admission {
  const { places = slots, keepsPlaces = true, slotMs } = optional;
  const queues = new Map<string, Queue>();
  const processors = createSlots(slots, () => fill(), slotMs);
  let waiting = 0;
  /** Weight of the background renders under way. */
  let inBackground = 0;
  let placesInBackground = 0;
  const placesBy = Object.fromEntries(planNames.map((plan) => [plan, 0])) as Record<PlanName, number>;
  // The common clock: when the render that started last was due. Newcomers begin at this time, not at zero: an account
  // gets no credit for having been idle, and everyone who waits has their turn at some time.
  let clock = 0;

  // A very large picture counts for half of the places at most: otherwise a single hanging page would keep it out.
  const placesOf = (weight: number): number => Math.min(weight, Math.max(1, Math.ceil(places / 2)));
  const placesUsed = (upTo = highestPlan): number =>
    planNames.slice(0, planNames.indexOf(upTo) + 1).reduce((sum, plan) => sum + placesBy[plan], 0);
  const isPlaceFor = ({ plan, weight }: Applicant): boolean => {
    const most = keepsPlaces ? Math.max(slots, Math.floor(places * planPlaces[plan])) : places;
    const fits = (used: number, outOf: number) => used === 0 || used + placesOf(weight) <= outOf;
    return fits(placesUsed(), places) && fits(placesUsed(plan), most);
  };
  const mayStart = ({ running }: Queue, { atOnce, weight }: Applicant): boolean =>
    running === 0 || running + weight <= (keepsPlaces ? mostAtOnce(atOnce, slots, places) : atOnce);
  // On a render node, the cluster's admission has decided.
  const isBackground = ({ background = false }: Applicant): boolean => background && keepsPlaces;
  const leavesRoom = (applicant: Applicant): boolean =>
    !isBackground(applicant) ||
    slots === 1 ||
    (processors.hasRoom(applicant.weight + 1) &&
      (inBackground === 0 || (inBackground + applicant.weight < slots && placesUsed() === placesInBackground)));
  const dueAt = ({ due }: Queue, { weight, plan }: Applicant): number => due + weight / planShares[plan];

  const queueOf = (accountId: string): Queue => {
    let queue = queues.get(accountId);
    if (queue === undefined) {
      queue = { waiters: [], running: 0, due: clock };
      queues.set(accountId, queue);
    }
    return queue;
  };

  const forgetIfIdle = (accountId: string): void => {
    const queue = queues.get(accountId);
    if (queue?.running === 0 && queue.waiters.length === 0) queues.delete(accountId);
  };

  const longest = (): [string, Queue] | undefined =>
    [...queues].reduce<[string, Queue] | undefined>((most, each) => {
      const [first] = each[1].waiters;
      const isLonger = each[1].waiters.length > (most?.[1].waiters.length ?? 0);
      return isLonger && first !== undefined && !isBackground(first) ? each : most;
    }, undefined);

  const overloaded = () => new Problem('overloaded', { retryAfter: 2 });

  // The account whose newest waiter makes room for a newcomer; undefined if the newcomer itself is refused.
  const loser = (accountId: string): Queue | undefined => {
    const [id, queue] = longest() ?? [];
    const own = queues.get(accountId)?.waiters.length ?? 0;
    return queue !== undefined && id !== accountId && queue.waiters.length > own + 1 ? queue : undefined;
  };

  type Next = { queue: Queue; waiter: Waiter; due: number } | undefined;

  /** Whose turn it is. */
  const next = (): Next => bestOf('waited for') ?? bestOf('background');

  /** A place may be taken for a minute, so a render that finds none is overtaken meanwhile. */
  function bestOf(which: 'waited for' | 'background', isMeant = (_waiter: Applicant) => true): Next {
    let best: Next;
    for (const queue of queues.values()) {
      const waiter = queue.waiters[0];
      if (waiter === undefined || isBackground(waiter) !== (which === 'background')) continue;
      if (!mayStart(queue, waiter) || !isPlaceFor(waiter) || !leavesRoom(waiter) || !isMeant(waiter)) continue;
      const due = dueAt(queue, waiter);
      if (best === undefined || due < best.due) best = { queue, waiter, due };
    }
    return best;
  }

  /** Who begins now. Slots become free within seconds, so a heavy render is not overtaken while it waits for several. */
  function beginner(): Next {
    const best = next();
    if (best === undefined || processors.hasRoom(best.waiter.weight)) return best;
    return bestOf('waited for', ({ accountId }) => processors.mayTakeAway(accountId));
  }

  function fill(): void {
    for (let best = beginner(); best !== undefined; best = beginner()) {
      const { queue, waiter, due } = best;
      queue.waiters.shift();
      queue.due = due;
      clock = Math.max(clock, due);
      if (isBackground(waiter)) {
        inBackground += waiter.weight;
        placesInBackground += placesOf(waiter.weight);
      } else waiting--;
      placesBy[waiter.plan] += placesOf(waiter.weight);
      queue.running += waiter.weight;
      waiter.start();
    }
    admission.onChange?.();
  }

  function admit(applicant: Applicant): Admitted {
    const { accountId, plan, weight } = applicant;
    const turn = processors.take({ account: accountId, weight });
    let left = false;
    return {
      account: accountId,
      pause: turn.pause,
      resume: turn.resume,
      leave() {
        if (left) return;
        left = true;
        if (isBackground(applicant)) {
          inBackground -= weight;
          placesInBackground -= placesOf(weight);
        }
        placesBy[plan] -= placesOf(weight);
        queueOf(accountId).running -= weight;
        forgetIfIdle(accountId);
        turn.end();
        fill();
      },
    };
  }

  const admission: Admission = {
    onChange: undefined,

    throwIfFull(applicant) {
      const { accountId } = applicant;
      if (isBackground(applicant)) return;
      if (waiting >= queueMax && admission.room === 0 && loser(accountId) === undefined) throw overloaded();
    },

    async enter(applicant, deadline) {
      deadline.throwIfOver();
      return new Promise((resolve, reject) => {
        const { accountId } = applicant;
        const queue = queueOf(accountId);
        if (queue.waiters.length === 0) queue.due = Math.max(queue.due, clock);
        const giveUp = () => {
          const at = queue.waiters.indexOf(waiter);
          if (at < 0) return;
          queue.waiters.splice(at, 1);
          if (!isBackground(waiter)) waiting--;
          forgetIfIdle(accountId);
          reject(deadline.signal.reason);
          fill();
        };
        const waiter: Waiter = {
          ...applicant,
          start() {
            deadline.signal.removeEventListener('abort', giveUp);
            resolve(admit(applicant));
          },
          refuse(problem) {
            deadline.signal.removeEventListener('abort', giveUp);
            reject(problem);
          },
        };
        queue.waiters.push(waiter);
        if (!isBackground(waiter)) waiting++;
        deadline.signal.addEventListener('abort', giveUp, { once: true });
        fill();
        if (waiting <= queueMax || isBackground(waiter)) return;
        const dropped = (loser(accountId) ?? queue).waiters.pop();
        waiting--;
        dropped?.refuse(overloaded());
        forgetIfIdle(accountId);
      });
    },

    get room() {
      return next() === undefined ? Math.max(0, Math.min(processors.free, places - placesUsed())) : 0;
    },
    get crowding() {
      return placesUsed() < places ? processors.crowding : [];
    },
    get waiting() {
      return waiting;
    },
    get running() {
      return placesUsed();
    },
    get working() {
      return processors.used;
    },
  };
  return admission;
}
