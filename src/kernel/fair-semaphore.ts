// Limits how many callers do something at once. Those who wait take turns by account: the next is of the account that has
// the fewest under way, then of the one whose last turn was the longest ago. So no account keeps the others waiting for all
// that it has asked for. When too many wait, the newest of the account with the most is refused.
import type { Deadline } from './deadline.ts';
import { Problem } from './errors.ts';
import { once, type Release, type Waiter, waitForTurn } from './semaphore.ts';

export type FairSemaphore = { acquire(accountId: string, deadline: Deadline): Promise<Release> };

type AccountWaiter = Waiter & { readonly accountId: string; isRefused?: true };

export function createFairSemaphore(permits: number, mayWait = Number.POSITIVE_INFINITY): FairSemaphore {
  let free = permits;
  /** In the order in which they came. */
  const waiters = new Set<AccountWaiter>();
  const accounts = new Map<string, { underWay: number; lastTurn: number }>();
  let turns = 0;
  const accountOf = ({ accountId }: AccountWaiter) => accounts.get(accountId) ?? { underWay: 0, lastTurn: 0 };

  function begin(waiter: AccountWaiter): void {
    const { underWay } = accountOf(waiter);
    accounts.set(waiter.accountId, { underWay: underWay + 1, lastTurn: ++turns });
    waiter.turn.resolve();
  }

  function isBefore(one: AccountWaiter, other: AccountWaiter): boolean {
    const [a, b] = [accountOf(one), accountOf(other)];
    return a.underWay < b.underWay || (a.underWay === b.underWay && a.lastTurn < b.lastTurn);
  }

  function giveBack(waiter: AccountWaiter): void {
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

  /** Makes room for one more of this account; throws if none waits with more. */
  function makeRoom(accountId: string): void {
    const { [accountId]: own = [], ...others } = Object.groupBy(waiters, (waiter) => waiter.accountId);
    const [most = []] = Object.values(others).sort((one = [], other = []) => other.length - one.length);
    const newest = most.at(-1);
    if (newest === undefined || most.length <= own.length + 1) throw tooMany();
    newest.isRefused = true;
    waiters.delete(newest);
    newest.turn.reject(tooMany());
  }

  return {
    async acquire(accountId, deadline) {
      deadline.throwIfOver();
      const waiter: AccountWaiter = { accountId, turn: Promise.withResolvers() };
      if (free > 0) {
        free--;
        begin(waiter);
      } else {
        if (waiters.size >= mayWait) makeRoom(accountId);
        await waitForTurn(waiters, waiter, deadline, () => waiter.isRefused || giveBack(waiter));
      }
      return once(() => giveBack(waiter));
    },
  };
}

const tooMany = () =>
  new Problem('overloaded', { retryAfter: 5, message: 'Too many wait for this at the moment. Try again shortly.' });
