// Removes old rows from the database, once an hour. How long each kind is kept is here.
import { longestMemoryMs } from '../access/throttle.ts';
import { sleep } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import type { OpenStore } from '../store/open.ts';

type Prunes = Pick<OpenStore, 'signIn' | 'invitations' | 'audit' | 'quota' | 'usage' | 'jobs' | 'webhooks'>;

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Jobs are removed this soon, too, for a service that starts more often than once an hour; not at once, when there is other work. */
const firstMs = 2 * 60 * 1000;

const removals: Readonly<Record<string, (store: Prunes, now: number) => Promise<void>>> = {
  'sessions and sign-in attempts': ({ signIn }, now) => signIn.prune(now, now - longestMemoryMs, now - 180 * dayMs),
  invitations: ({ invitations }, now) => invitations.prune(now),
  'audit entries': ({ audit }, now) => audit.prune(now - 365 * dayMs),
  // Those of the month before are kept, too.
  'counters of monthly renders': ({ quota }, now) => quota.prune(now - 62 * dayMs),
  'usage records': ({ usage }, now) => usage.prune(now - 90 * dayMs),
  jobs: ({ jobs }, now) => jobs.prune(now - 7 * dayMs, now),
  webhooks: ({ webhooks }, now) => webhooks.prune(now - 7 * dayMs),
};

export function startRetention(store: Prunes, log: Log): { stop(): void } {
  const remove = async (kinds: readonly string[]): Promise<void> => {
    for (const kind of kinds)
      await removals[kind]?.(store, Date.now()).catch((error: Error) =>
        log.warn({ kind, reason: error.message }, 'old rows were not removed yet'),
      );
  };
  const timer = setInterval(() => void remove(Object.keys(removals)), hourMs).unref();
  const stopped = new AbortController();
  sleep(firstMs, stopped.signal).then(
    () => remove(['jobs']),
    () => {},
  );
  return {
    stop() {
      clearInterval(timer);
      stopped.abort();
    },
  };
}
