// The results read or written most recently, kept in memory up to a number of bytes. A result that is too large for that is
// known while somebody uses it: a hundred clients that are sent it share its memory.
import { BoundedMap } from '../kernel/bounded-map.ts';

export type MemoryCache = {
  get(hash: string): Buffer | undefined;
  set(hash: string, bytes: Buffer): void;
  delete(hash: string): void;
  readonly bytes: number;
};

export function createMemoryCache(maxBytes: number): MemoryCache {
  const kept = new BoundedMap<string, Buffer>(maxBytes, (bytes) => bytes.length);
  const large = new BoundedMap<string, WeakRef<ArrayBufferLike>>(1000);
  return {
    get(hash) {
      const shared = large.get(hash)?.deref();
      if (shared !== undefined) return Buffer.from(shared);
      const bytes = kept.get(hash);
      // Now the most recently used.
      if (bytes !== undefined) kept.set(hash, bytes);
      return bytes;
    },
    set(hash, bytes) {
      // One very large result must not displace all others.
      if (bytes.length <= maxBytes / 8) kept.set(hash, inOwnMemory(bytes));
      else if (bytes.buffer.byteLength === bytes.length) large.set(hash, new WeakRef(bytes.buffer));
    },
    delete(hash) {
      kept.delete(hash);
      large.delete(hash);
    },
    get bytes() {
      return kept.weight;
    },
  };
}

/** A copy of bytes that are part of a larger memory, such as Node's pool of small buffers: all of it would be kept. */
function inOwnMemory(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
