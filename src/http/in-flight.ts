// The requests being answered, those that were answered a moment ago, and the moment there are none.

export type InFlight<T = unknown> = {
  begin(one: T): void;
  end(one: T): void;
  settled(): Promise<void>;
  readonly size: number;
  /** Those in work, the oldest first, and some of those that ended since `forget` was called. */
  lately(): { readonly inWork: readonly T[]; readonly ended: readonly T[] };
  forget(): void;
};

/** Between two looks of the watchdog no more than these are answered, but for a burst. */
const endedMost = 20;

export function createInFlight<T>(): InFlight<T> {
  const all = new Set<T>();
  let ended: T[] = [];
  let waiting: (() => void)[] = [];
  return {
    begin(one) {
      all.add(one);
    },
    end(one) {
      all.delete(one);
      if (ended.length < endedMost) ended.push(one);
      if (all.size > 0) return;
      for (const tell of waiting) tell();
      waiting = [];
    },
    settled: () => (all.size === 0 ? Promise.resolve() : new Promise((tell) => void waiting.push(tell))),
    get size() {
      return all.size;
    },
    lately: () => ({ inWork: [...all], ended }),
    forget() {
      if (ended.length > 0) ended = [];
    },
  };
}
