// Remembers what could not be rendered recently. Callers that accept a stale result get it at once instead of waiting for
// the same failure again. When the next try is due is decided here, so it does not depend on the number of callers.
import { BoundedMap } from '../kernel/bounded-map.ts';

export type Outages = {
  /** Why this key failed recently, if it did. */
  codeOf(key: string): string | undefined;
  /** Is it time for another try? */
  isDue(key: string): boolean;
  note(key: string, code: string): void;
  /** It was rendered. */
  clear(key: string): void;
  /** What another machine noted. */
  onMessage(news: OutageNews): void;
};

export type OutageNews = { readonly key: string; readonly code?: string };

type Outage = { code: string; at: number; retryAt: number; failures: number };

const firstRetryMs = 15_000;
const lastRetryMs = 5 * 60_000;
/** A failure is forgotten after this time without another try. */
const knownForMs = 10 * 60_000;
const mostKept = 10_000;

export function createOutages(
  broadcast: (news: OutageNews) => void = () => {},
  clock = () => performance.now(),
): Outages {
  const outages = new BoundedMap<string, Outage>(mostKept);

  const known = (key: string): Outage | undefined => {
    const outage = outages.get(key);
    if (outage === undefined || clock() - outage.at <= knownForMs) return outage;
    outages.delete(key);
    return undefined;
  };

  /** False if it is not news: of many callers that share one failure, the first counts. */
  function note(key: string, code: string): boolean {
    const now = clock();
    const before = known(key);
    if (before !== undefined && now < before.retryAt) return false;
    const failures = (before?.failures ?? 0) + 1;
    const waitMs = Math.min(firstRetryMs * 2 ** (failures - 1), lastRetryMs);
    outages.set(key, { code, at: now, retryAt: now + waitMs, failures });
    return true;
  }

  return {
    codeOf: (key) => known(key)?.code,
    isDue: (key) => clock() >= (known(key)?.retryAt ?? 0),
    note(key, code) {
      if (note(key, code)) broadcast({ key, code });
    },
    clear(key) {
      if (outages.delete(key)) broadcast({ key });
    },
    onMessage({ key, code }) {
      if (code === undefined) outages.delete(key);
      else note(key, code);
    },
  };
}
