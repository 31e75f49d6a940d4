// A map of bounded size: when it is full, the entries that were set longest ago are dropped.

export class BoundedMap<K, V> {
  // A Map iterates in the order of insertion; `set` moves an entry to the end.
  readonly #entries = new Map<K, V>();
  readonly #limit: number;
  readonly #weigh: (value: V) => number;
  #weight = 0;

  /** `limit` is the number of entries, or their total weight if `weigh` is given. */
  constructor(limit: number, weigh: (value: V) => number = () => 1) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The total weight of the entries. */
  get weight(): number {
    return this.#weight;
  }

  /** Does not change the order: moving an entry takes half a microsecond, and most callers do not need it. */
  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value);
    if (this.#weight <= this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#limit) break;
      this.delete(oldest);
    }
  }

  delete(key: K): boolean {
    const value = this.#entries.get(key);
    if (value === undefined) return false;
    this.#weight -= this.#weigh(value);
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  /** From the oldest to the newest. */
  entries(): MapIterator<[K, V]> {
    return this.#entries.entries();
  }

  values(): MapIterator<V> {
    return this.#entries.values();
  }
}
