// The slots for the processors: which renders hold one, which want theirs back, and how long each may hold one. Whose
// turn is next is decided by admission.ts. An account without a slot need not wait for one that has several: it is given a slot
// whose render continues without one.
import { sleep } from '../kernel/deadline.ts';
import type { Turn } from '../kernel/turn.ts';

/** A turn that begins with a slot. */
export type SlotTurn = Turn & { end(): void };

// An ordinary page has ended by then, even on a busy machine. If this were shorter, pages with much to compute would all
// run at the same time instead of one after the other; if it were longer, a few endless loops would delay everyone.
const slotMsDefault = 5000;

/** A slot of an account that has several may be taken away after this long. */
const ownMs = 200;

type Render = { readonly account: string; readonly weight: number };
type Holder = Render & { readonly since: number; lose(): void };

export type Slots = {
  /** Is there room for a newcomer of this weight? Renders that want their slot back go first. */
  hasRoom(weight: number): boolean;
  /** May this account, which has no slot, take one away? */
  mayTakeAway(account: string): boolean;
  take(render: Render): SlotTurn;
  /** The accounts that have a slot, if one of them has several and could lose one. */
  readonly crowding: readonly string[];
  readonly free: number;
  readonly used: number;
};

export function createSlots(slots: number, onFree: () => void, slotMs = slotMsDefault): Slots {
  let used = 0;
  /** The one that has had its slot for the longest is the first. */
  const holders = new Set<Holder>();
  const returning = new Set<Render & { readonly take: () => void }>();
  let isLooking = false;

  // When no slot is in use, even a render that is heavier than all of them may start.
  const fits = (weight: number): boolean => used === 0 || used + weight <= slots;
  const heldBy = (account: string): number =>
    [...holders].reduce((sum, holder) => sum + (holder.account === account ? holder.weight : 0), 0);

  /** Who could lose a slot now. If that is a matter of time, it is looked at again then. */
  function loser(): Holder | undefined {
    const first = [...holders].find(({ account }) => heldBy(account) > 1);
    const leftMs = first && first.since + ownMs - performance.now();
    if (leftMs === undefined || leftMs <= 0) return first;
    if (!isLooking)
      void sleep(leftMs).then(() => {
        isLooking = false;
        free();
      });
    isLooking = true;
    return undefined;
  }
  const mayTakeAway = (account: string): boolean => heldBy(account) === 0 && loser() !== undefined;

  function free(): void {
    // Those first whose account has no slot.
    for (const each of [...returning].sort((a, b) => heldBy(a.account) - heldBy(b.account))) {
      if (!fits(each.weight) && !mayTakeAway(each.account)) break;
      returning.delete(each);
      each.take();
    }
    onFree();
  }

  return {
    hasRoom: (weight) => returning.size === 0 && fits(Math.min(weight, slots)),
    mayTakeAway,

    take({ account, weight: wanted }) {
      const weight = Math.min(wanted, slots);
      let leftMs = slotMs;
      let held: { readonly holder: Holder; readonly ended: AbortController } | undefined;
      let back: PromiseWithResolvers<void> | undefined;

      const take = () => {
        if (!fits(weight)) loser()?.lose();
        used += weight;
        held = { holder: { account, weight, since: performance.now(), lose }, ended: new AbortController() };
        holders.add(held.holder);
        sleep(leftMs, held.ended.signal).then(pause, () => {});
        back?.resolve();
        back = undefined;
      };
      const me = { account, weight, take };

      /** The render has none from now on; false if it had none. */
      function giveUp(): boolean {
        if (returning.delete(me)) back?.resolve();
        back = undefined;
        if (held === undefined) return false;
        leftMs -= performance.now() - held.holder.since;
        // With a reason: otherwise an exception with a stack is made for every render.
        held.ended.abort(null);
        holders.delete(held.holder);
        held = undefined;
        used -= weight;
        return true;
      }
      function lose(): void {
        giveUp();
        leftMs = 0;
      }
      function pause(): void {
        if (giveUp()) free();
      }

      take();
      return {
        pause,
        resume() {
          if (held !== undefined || leftMs <= 1) return Promise.resolve();
          if (back === undefined) {
            back = Promise.withResolvers();
            returning.add(me);
          }
          const { promise } = back;
          free();
          return promise;
        },
        end() {
          leftMs = 0;
          pause();
        },
      };
    },

    get crowding() {
      return loser() === undefined ? [] : [...new Set([...holders].map(({ account }) => account))];
    },
    get free() {
      return returning.size > 0 ? 0 : Math.max(0, slots - used);
    },
    get used() {
      return used;
    },
  };
}
