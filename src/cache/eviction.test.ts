import { afterAll, describe, expect, it } from 'vitest';
import { databases } from '../../test/harness/databases.ts';
import type { CacheEntry } from '../store/store.ts';
import { evict, fairLevel } from './eviction.ts';

const unlimited = { free: Infinity, starter: Infinity, pro: Infinity, business: Infinity };

describe('the level that everybody may keep', () => {
  it.each([
    ['all of it fits', [10, 20, 30], 60, Number.POSITIVE_INFINITY],
    ['one has everything', [100], 60, 60],
    ['equals share equally', [50, 50, 50], 90, 30],
    ['a large one gives, small ones do not', [100, 10, 10], 60, 40],
    ['what small ones leave is shared by the large ones', [100, 80, 10], 100, 45],
    ['there is nobody', [], 0, Number.POSITIVE_INFINITY],
  ])('where %s', (_, sizes, target, level) => {
    expect(fairLevel(sizes, target)).toBe(level);
  });

  it('is never below an equal share, and fills the target', () => {
    for (let run = 0; run < 200; run++) {
      const sizes = Array.from({ length: 1 + (run % 9) }, () => Math.ceil(Math.random() * 1000));
      const target = Math.ceil(Math.random() * 3000);
      const level = fairLevel(sizes, target);
      const kept = sizes.reduce((sum, size) => sum + Math.min(size, level), 0);
      expect(level).toBeGreaterThanOrEqual(target / sizes.length);
      if (level < Number.POSITIVE_INFINITY) expect(kept).toBeCloseTo(target, 5);
    }
  });
});

const times = (count: number, work: (i: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));

describe.each(databases)('eviction on $name', (kind) => {
  afterAll(() => kind.end());

  it('removes expired entries first, then those of the largest accounts, and none of an account below its fair share', async () => {
    const database = await kind.create();
    try {
      const { cache: index } = await database.open();
      const now = Date.now();
      const put = (accountId: string, name: string, more: Partial<CacheEntry> = {}) => {
        const key = `${accountId}-${name}`;
        const dates = { createdAt: now, usedAt: now, keptUntil: now + 1e9 };
        return index.put({
          key,
          accountId,
          hash: key,
          size: 10,
          type: '',
          meta: '',
          maxAgeMs: null,
          subject: null,
          ...dates,
          ...more,
        });
      };
      // small was used longest ago of all; medium is at the level; large has most, with some that are past their TTL.
      await times(3, (i) => put('small', String(i), { usedAt: 1 }));
      await times(10, (i) => put('medium', String(i), { usedAt: 2 }));
      await times(240, (i) => put('large', String(i), { usedAt: now - 240 + i }));
      await times(5, (i) => put('large', `past-${i}`, { createdAt: now - 900, keptUntil: now + 800 }));
      await times(150, (i) => put('small', `expired-${i}`, { keptUntil: now - 1 }));

      const removed: string[] = [];
      await evict(index, 230 / 0.95, unlimited, async (keys) => {
        removed.push(...keys);
        await index.remove(keys);
      });
      expect(Object.fromEntries((await index.accounts()).map((each) => [each.accountId, each.bytes]))).toEqual({
        small: 30,
        medium: 100,
        large: 100,
      });
      expect(removed.slice(0, 150).every((key) => key.startsWith('small-expired'))).toBe(true);
      expect(removed.slice(150, 155).every((key) => key.startsWith('large-past'))).toBe(true);
      // The ten of large that were used last are what it keeps.
      expect((await index.ofAccount('large', 99)).map(({ key }) => Number(key.slice(6))).sort()).toEqual(
        Array.from({ length: 10 }, (_, i) => 230 + i),
      );
    } finally {
      await database.remove();
    }
  });
});
