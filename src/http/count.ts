// How many requests are being answered, and the moment there are none.

export type Count = { begin(): void; end(): void; settled(): Promise<void>; readonly size: number };

export function createCount(): Count {
  let size = 0;
  let waiting: (() => void)[] = [];
  return {
    begin() {
      size++;
    },
    end() {
      size--;
      if (size > 0) return;
      for (const tell of waiting) tell();
      waiting = [];
    },
    settled: () => (size === 0 ? Promise.resolve() : new Promise((tell) => void waiting.push(tell))),
    get size() {
      return size;
    },
  };
}
