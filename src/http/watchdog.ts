// Logs when the event loop was blocked. One thread serves every request: whatever blocks it (a slow regular expression, a
// large copy) delays all of them, and the log line names the requests that may have done it.
import type { Log } from '../kernel/log.ts';
import type { InFlight } from './in-flight.ts';

/** A request or render in flight, for the log: never a query, a key or a captured address. */
export type InWork = {
  readonly id: string;
  readonly ageMs: number;
  readonly method?: string;
  readonly path?: string;
  readonly endpoint?: string | undefined;
  readonly account?: string | undefined;
  readonly step?: string | undefined;
};

export type Watchdog = {
  /** The longest delay of the last minute, in seconds. */
  longest(): number;
  /** How often the loop was blocked for longer than a quarter of a second. */
  readonly blocks: number;
  stop(): void;
};

const checkEveryMs = 20;
const blockedMs = 250;
const minuteMs = 60_000;
const listMost = 20;

/** `describe` is only called when there is something to log. */
export function startWatchdog<T>(
  log: Log,
  inFlight: Pick<InFlight<T>, 'recent' | 'forget'>,
  describe: (one: T) => InWork,
): Watchdog {
  let checkedAt = performance.now();
  let processor = process.threadCpuUsage();
  let blocks = 0;
  // Of this minute and of the one before: a scraper that asks at least once a minute misses none.
  let minuteAt = checkedAt;
  let longest = 0;
  let longestBefore = 0;

  function check(): void {
    const now = performance.now();
    const delay = now - checkedAt - checkEveryMs;
    const used = process.threadCpuUsage(processor);
    checkedAt = now;
    processor = process.threadCpuUsage();
    if (now - minuteAt > minuteMs) {
      longestBefore = now - minuteAt > 2 * minuteMs ? 0 : longest;
      longest = 0;
      minuteAt = now;
    }
    longest = Math.max(longest, delay);
    if (delay > blockedMs) {
      blocks++;
      // Those that ended before this check may have blocked the loop, too.
      const { inWork, ended } = inFlight.recent();
      const requests = [...ended.map((one) => ({ ...describe(one), ended: true })), ...inWork.map(describe)];
      log.warn(
        {
          ms: Math.round(delay),
          // If this is far less than `ms`, the machine was busy or asleep, not this process.
          processorMs: Math.round((used.user + used.system) / 1000),
          inWork: requests.length,
          requests: requests.slice(0, listMost),
        },
        'event loop was blocked',
      );
    }
    inFlight.forget();
  }

  const timer = setInterval(check, checkEveryMs).unref();
  return {
    longest: () => Math.max(0, longest, longestBefore, performance.now() - checkedAt - checkEveryMs) / 1000,
    get blocks() {
      return blocks;
    },
    stop: () => clearInterval(timer),
  };
}
