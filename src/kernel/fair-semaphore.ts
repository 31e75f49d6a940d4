// Limits how many callers do something at once. Those who wait take turns by account: the next is of the account that has
// the fewest under way, then of the one whose last turn was the longest ago. So no account keeps the others waiting for all
// that it has asked for.
import type { Deadline } from './deadline.ts';
import type { Release } from './semaphore.ts';

export type FairSemaphore = { acquire(accountId: string, deadline: Deadline): Promise<Release> };

type Waiter = { readonly accountId: string; readonly turn: PromiseWithResolvers<void> };

export function createFairSemaphore(permits: number): FairSemaphore {
  let free = permits;
  /** In the order in which they came. */
  const waiters = new Set<Waiter>();
  const accounts = new Map<string, { underWay: number; lastTurn: number }>();
  let turns = 0;
  const accountOf = ({ accountId }: Waiter) => accounts.get(accountId) ?? { underWay: 0, lastTurn: 0 };

  function begin(waiter: Waiter): void {
    const { underWay } = accountOf(waiter);
    accounts.set(waiter.accountId, { underWay: underWay + 1, lastTurn: ++turns });
    waiter.turn.resolve();
  }

  function isBefore(one: Waiter, other: Waiter): boolean {
    const [a, b] = [accountOf(one), accountOf(other)];
    return a.underWay < b.underWay || (a.underWay === b.underWay && a.lastTurn < b.lastTurn);
  }

  function giveBack(waiter: Waiter): void {
    const account = accountOf(waiter);
    account.underWay--;
    const [first] = waiters;
    if (first === undefined) {
      free++;
      if (free === permits) accounts.clear();
      return;
    }
    let next = first;
    for (const each of waiters) if (isBefore(each, next)) next = each;
    waiters.delete(next);
    begin(next);
  }

  return {
    async acquire(accountId, deadline) {
      deadline.throwIfOver();
      const waiter: Waiter = { accountId, turn: Promise.withResolvers() };
      if (free > 0) {
        free--;
        begin(waiter);
      } else {
        waiters.add(waiter);
        try {
          await deadline.race(waiter.turn.promise);
        } catch (error) {
          // The turn may come at the same moment as the deadline: then the next caller gets it.
          if (!waiters.delete(waiter)) giveBack(waiter);
          throw error;
        }
      }
      let isReleased = false;
      return () => {
        if (!isReleased) giveBack(waiter);
        isReleased = true;
      };
    },
  };
}
