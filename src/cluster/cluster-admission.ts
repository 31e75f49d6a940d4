// Admission of renders for the whole cluster, and the queue of those that are admitted: one of each for a lane (pages or
// cards). The rules are those of render/admission.ts:
//
// - An account has no more renders queued and running than its plan allows at once, counted by weight.
// - Lower plans together, and one account of any plan, take at most a part of all places.
// - All other renders are held back, in the order they came. Their number is bounded: when the bound is reached, the
//   account with the most of them loses its newest.
// - An admitted render is queued at the time at which it is due on a common virtual clock: a plan with twice the share
//   is served twice as often, and no account starves.
// - Renders in the background (jobs) come after all others in the queue, and together leave one slot free. They have a
//   level of their own below all plans, and no other render loses its turn to them.
//
// Slots are the concern of the render nodes: each takes what it can start. The leader of a render's flight looks after it:
// a render whose node died goes back into the queue.
import { Problem } from '../kernel/errors.ts';
import type { Applicant, Lane } from '../kernel/lanes.ts';
import { mostAtOnce, type PlanName, planNames, planPlaces, planShares } from '../kernel/plans.ts';
import {
  backgroundLevel,
  checkScript,
  enterScript,
  finishScript,
  lastPlace,
  leaveScript,
} from './admission-scripts.ts';
import type { Argument, Link, RedisScript } from './link.ts';
import { releaseScript, reportScript } from './queue-scripts.ts';

/** What all render nodes have together, and how many renders may wait for it. */
export type Room = { readonly slots: number; readonly places: number; readonly queueMax: number };

/**
 * What has become of a render: it is held back or queued, a node has taken it, its result is made, Redis has lost it, three
 * nodes died during it, or another machine has taken over its flight.
 */
export type RenderState = 'held' | 'queued' | 'taken' | 'made' | 'lost' | 'died' | 'taken over';

export type ClusterAdmission = {
  /**
   * Queues the render, or holds it back until there is room; then it may be pushed out, and the leader gets the message "full".
   * `render` is what a node gets. A render that has entered before stays where it is; 'made' if its result is stored already.
   * Throws 503 if the queue is full.
   */
  enter(id: string, applicant: Applicant, endsAt: number, room: Room, render: string): Promise<'entered' | 'made'>;
  /** Tries again to admit a render that is held back: there may be more room. */
  retry(id: string, applicant: Applicant, room: Room): Promise<void>;
  /** For the leader: what has become of a render that entered. One whose node died is queued again. */
  check(id: string, machine: string): Promise<RenderState>;
  /** Withdraws a render, held back or admitted. */
  leave(id: string, accountId: string): Promise<void>;
  /** For a render node that cannot finish a render: the leader queues it again. */
  release(id: string, reader: string): Promise<void>;
  /**
   * For a render node: tells the leader of the flight which step the render is in, and whether it has a slot. Returns when the
   * render must end, or undefined if nobody waits for it any more.
   */
  report(id: string, step: string, began: boolean): Promise<number | undefined>;
  /**
   * For a render node: sends the result to the leader of the flight and admits the next render. With `failedOn`, the reader that
   * had it, the result is an error, which is ignored if another reader has the render by now.
   */
  finish(id: string, accountId: string, payload: Buffer, failedOn?: string): Promise<void>;
};

// The cost of a render of weight 1, a whole number: the inverse of the plan's share.
const costOf = (plan: PlanName): number => Math.round(Math.max(...Object.values(planShares)) / planShares[plan]);

export const overloaded = (): Problem => new Problem('overloaded', { retryAfter: 2 });

export function createClusterAdmission(link: Link, lane: Lane): ClusterAdmission {
  const run = (script: RedisScript, ...args: Argument[]) => link.run(script, lane, ...args);

  const enter = (id: string, applicant: Applicant, endsAt: number, room: Room, render: string) => {
    const { accountId, plan, atOnce, weight, background = false } = applicant;
    const { slots, places, queueMax } = room;
    const mostOfPlan = background ? Math.max(1, slots - 1) : Math.max(slots, Math.floor(places * planPlaces[plan]));
    // While no render node is known, renders wait for one in the queue.
    const most = places === 0 ? lastPlace : mostOfPlan;
    const level = background ? backgroundLevel : planNames.indexOf(plan);
    // As in render/admission.ts, a heavy render takes at most half the places.
    const capped = places === 0 ? weight : Math.min(weight, Math.ceil(places / 2));
    const own = places === 0 ? atOnce : mostAtOnce(atOnce, slots, places);
    const terms = [own, costOf(plan), level, most, capped];
    return run(enterScript, id, accountId, ...terms, endsAt, slots, queueMax, render);
  };

  return {
    async enter(...how) {
      const state = (await enter(...how)) as 'entered' | 'made' | 'full';
      if (state === 'full') throw overloaded();
      return state;
    },
    retry: async (id, applicant, room) => void (await enter(id, applicant, 0, room, '')),
    check: async (id, machine) => (await run(checkScript, id, machine)) as RenderState,
    leave: async (id, accountId) => void (await run(leaveScript, id, accountId)),
    release: async (id, reader) => void (await run(releaseScript, id, reader)),
    report: async (id, step, began) =>
      ((await run(reportScript, id, step, began ? 1 : 0)) as number | null) ?? undefined,
    finish: async (id, accountId, payload, failedOn = '') =>
      void (await run(finishScript, id, accountId, payload, failedOn)),
  };
}
