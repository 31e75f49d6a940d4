// Waiting lines, simulated: chance that is the same each time, and stations that serve in the order of arrival.

/** Numbers from 0 to 1 that look like chance and are the same each time (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The smallest of many times, soon: a binary heap. */
class Times {
  readonly #times: number[] = [];
  get size(): number {
    return this.#times.length;
  }
  get first(): number {
    return this.#times[0] ?? Number.POSITIVE_INFINITY;
  }
  add(time: number): void {
    let at = this.#times.push(time) - 1;
    for (let above = (at - 1) >> 1; at > 0 && this.#at(above) > time; above = (at - 1) >> 1) {
      this.#times[at] = this.#at(above);
      at = above;
    }
    this.#times[at] = time;
  }
  take(): number {
    const first = this.first;
    const last = this.#times.pop() ?? first;
    if (this.size === 0) return first;
    let at = 0;
    for (let below = 1; below < this.size; below = 2 * at + 1) {
      if (below + 1 < this.size && this.#at(below + 1) < this.#at(below)) below++;
      if (this.#at(below) >= last) break;
      this.#times[at] = this.#at(below);
      at = below;
    }
    this.#times[at] = last;
    return first;
  }
  #at(index: number): number {
    return this.#times[index] ?? Number.POSITIVE_INFINITY;
  }
}

export type Station = { servers: number; serviceMs: () => number; room?: number; patienceMs?: number };

/** First come, first served, at `servers` places: when each would begin, or undefined where it is turned away. */
export function pass(station: Station) {
  const { servers, serviceMs, room = Number.POSITIVE_INFINITY, patienceMs = Number.POSITIVE_INFINITY } = station;
  const free = new Times();
  const inside = new Times();
  for (let i = 0; i < servers; i++) free.add(0);
  return (arrival: number): { begins: number; ends: number } | undefined => {
    while (inside.first <= arrival) inside.take();
    const begins = Math.max(arrival, free.first);
    if (inside.size >= room || begins - arrival > patienceMs) return undefined;
    const ends = begins + serviceMs();
    free.take();
    free.add(ends);
    inside.add(ends);
    return { begins, ends };
  };
}
