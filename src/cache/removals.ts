// What was removed lately: a render that was under way then must not put back what its account wanted gone. In a cluster
// this is in Redis; see cluster/shared-removals.ts.

/** Longer than any render. */
const keptMs = 10 * 60 * 1000;
const mostKept = 10_000;

export type Removals = {
  /** The results of one subject of an account are removed from now on, or all of the account, or those of everybody. */
  note(accountId?: string, subject?: string): Promise<void>;
  /** Changes with each removal that concerns this subject. It has no dot in it. */
  last(accountId: string, subject: string | null): Promise<string>;
};

const nameOf = (accountId = '', subject = ''): string => `${accountId} ${subject}`;

/** Those of one machine. */
export function createRemovals(clock: () => number = Date.now): Removals {
  const latest = new Map<string, { readonly number: number; readonly at: number }>();
  let made = 0;

  return {
    async note(accountId, subject) {
      const name = nameOf(accountId, subject);
      // The oldest come first.
      latest.delete(name);
      latest.set(name, { number: ++made, at: clock() });
      for (const [old, { at }] of latest) {
        if (latest.size <= mostKept && at > clock() - keptMs) break;
        latest.delete(old);
      }
    },
    async last(accountId, subject) {
      const names = [nameOf(), nameOf(accountId), nameOf(accountId, subject ?? '')];
      const newest = Math.max(...names.map((name) => latest.get(name)?.number ?? 0));
      return newest === 0 ? '' : String(newest);
    },
  };
}
