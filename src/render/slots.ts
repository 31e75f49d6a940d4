// The slots for the processors: which renders hold one, which want theirs back, and how long each may hold one. Whose
// turn is next is decided by admission.ts.
import { sleep } from '../kernel/deadline.ts';
import type { Turn } from '../kernel/turn.ts';

/** A turn that begins with a slot. */
export type SlotTurn = Turn & { end(): void };

// An ordinary page has ended by then, even on a busy machine. If this were shorter, pages with much to compute would all
// run at the same time instead of one after the other; if it were longer, a few endless loops would delay everyone.
const slotMsDefault = 5000;

export type Slots = {
  /** Is there room for a newcomer of this weight? Renders that want their slot back go first. */
  hasRoom(weight: number): boolean;
  take(weight: number): SlotTurn;
  readonly free: number;
  readonly used: number;
};

export function createSlots(slots: number, onFree: () => void, slotMs = slotMsDefault): Slots {
  let used = 0;
  const returning = new Set<{ readonly weight: number; readonly take: () => void }>();

  // When no slot is in use, even a render that is heavier than all of them may start.
  const fits = (weight: number): boolean => used === 0 || used + weight <= slots;

  function free(): void {
    for (const each of returning) {
      if (!fits(each.weight)) return;
      returning.delete(each);
      each.take();
    }
    onFree();
  }

  return {
    hasRoom: (weight) => returning.size === 0 && fits(Math.min(weight, slots)),

    take(wanted) {
      const weight = Math.min(wanted, slots);
      let leftMs = slotMs;
      let held: { readonly since: number; readonly ended: AbortController } | undefined;
      let back: PromiseWithResolvers<void> | undefined;

      const take = () => {
        used += weight;
        held = { since: performance.now(), ended: new AbortController() };
        sleep(leftMs, held.ended.signal).then(pause, () => {});
        back?.resolve();
        back = undefined;
      };
      const me = { weight, take };

      function pause(): void {
        if (returning.delete(me)) back?.resolve();
        back = undefined;
        if (held === undefined) return;
        leftMs -= performance.now() - held.since;
        // With a reason: otherwise an exception with a stack is made for every render.
        held.ended.abort(null);
        held = undefined;
        used -= weight;
        free();
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

    get free() {
      return returning.size > 0 ? 0 : Math.max(0, slots - used);
    },
    get used() {
      return used;
    },
  };
}
