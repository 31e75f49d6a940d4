import { expect, it } from 'vitest';
import { createMemoryCache } from './memory-cache.ts';

it('shares the memory of a large result while somebody uses it, and counts nothing for it', () => {
  const cache = createMemoryCache(1000);
  const large = Buffer.alloc(500, 7);
  cache.set('large', large);
  expect(cache.get('large')?.buffer).toBe(large.buffer);
  expect(cache.bytes).toBe(0);
  cache.delete('large');
  expect(cache.get('large')).toBeUndefined();
});

it('keeps no more memory than it counts', () => {
  const cache = createMemoryCache(1_000_000);
  // From Node's pool, as a small file or a part of a message is.
  const small = Buffer.from('a picture');
  const part = Buffer.alloc(100_000).subarray(5, 1005);
  cache.set('small', small);
  cache.set('part', part);
  const kept = [cache.get('small'), cache.get('part')];
  expect(kept).toEqual([small, part]);
  expect(kept.map((bytes) => bytes?.buffer.byteLength)).toEqual([small.length, 1000]);
  expect(cache.bytes).toBe(small.length + 1000);
});
