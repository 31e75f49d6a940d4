// Tells when this process could answer nobody. One thread answers everybody: whatever holds it (a slow expression, a large
// copy) holds up every request, and without a word in the log nobody would know which one did it.
import type { Log } from '../kernel/log.ts';

/** Something in work, for the log: never a query, a key or a captured address. */
export type InWork = {
  readonly id: string;
  readonly ageMs: number;
  readonly method?: string;
  readonly path?: string;
  readonly endpoint?: string | undefined;
  readonly account?: string | undefined;
  readonly step?: string | undefined;
  /** It was answered before the watchdog could look. */
  readonly ended?: true;
};

/** What is in work; asked only when there is something to tell. `forget` is called at every look. */
export type Watched = { inWork(): readonly InWork[]; forget(): void };

export type Watchdog = {
  /** The longest delay of the last minute, in seconds. */
  longest(): number;
  /** How often the loop was held for longer than a quarter of a second. */
  readonly holds: number;
  stop(): void;
};

const lookEveryMs = 20;
const heldMs = 250;
const minuteMs = 60_000;
const listMost = 20;

export function startWatchdog(log: Log, watched: Watched): Watchdog {
  let lookedAt = performance.now();
  let processor = process.threadCpuUsage();
  let holds = 0;
  // Of this minute and of the one before: whoever asks once a minute or more often misses none.
  let minuteAt = lookedAt;
  let longest = 0;
  let longestBefore = 0;

  function look(): void {
    const now = performance.now();
    const delay = now - lookedAt - lookEveryMs;
    const used = process.threadCpuUsage(processor);
    lookedAt = now;
    processor = process.threadCpuUsage();
    if (now - minuteAt > minuteMs) {
      longestBefore = now - minuteAt > 2 * minuteMs ? 0 : longest;
      longest = 0;
      minuteAt = now;
    }
    longest = Math.max(longest, delay);
    if (delay > heldMs) {
      holds++;
      const requests = watched.inWork();
      log.warn(
        {
          ms: Math.round(delay),
          // Far less than `ms`: it was the machine that was busy or asleep, not this process.
          processorMs: Math.round((used.user + used.system) / 1000),
          inWork: requests.length,
          requests: requests.slice(0, listMost),
        },
        'event loop was held',
      );
    }
    watched.forget();
  }

  const timer = setInterval(look, lookEveryMs).unref();
  return {
    longest: () => Math.max(0, longest, longestBefore, performance.now() - lookedAt - lookEveryMs) / 1000,
    get holds() {
      return holds;
    },
    stop: () => clearInterval(timer),
  };
}
