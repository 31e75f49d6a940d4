// The bytes asked for most recently, kept in memory up to a number of bytes. A Map remembers the
// order of insertion, so the first key is the one unused for longest.

export type Hot = {
  get(hash: string): Buffer | undefined;
  set(hash: string, bytes: Buffer): void;
  delete(hash: string): void;
  clear(): void;
  readonly bytes: number;
};

export function createHot(maxBytes: number): Hot {
  const kept = new Map<string, Buffer>();
  let total = 0;
  const remove = (hash: string) => {
    total -= kept.get(hash)?.length ?? 0;
    kept.delete(hash);
  };
  return {
    get(hash) {
      const bytes = kept.get(hash);
      if (bytes === undefined) return undefined;
      kept.delete(hash);
      kept.set(hash, bytes);
      return bytes;
    },
    set(hash, bytes) {
      remove(hash);
      // One giant picture must not push out everything else.
      if (bytes.length > maxBytes / 8) return;
      kept.set(hash, bytes);
      total += bytes.length;
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) break;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      kept.clear();
      total = 0;
    },
    get bytes() {
      return total;
    },
  };
}
