import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { Deadline, sleep } from '../kernel/deadline.ts';
import { plans } from '../kernel/plans.ts';
import type { Result } from './result.ts';
import type { StoredResults } from './stored-results.ts';
import { createVariants, type VariantRequest } from './variants.ts';

const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#369' } })
  .png()
  .toBuffer();

describe('variants of a stored picture', () => {
  it('read it only when they have a slot, so that those that wait hold nothing', async () => {
    let reading = 0;
    let most = 0;
    const stored = {
      good: async () => ({ young: undefined, stale: async () => undefined }),
      createdAt: async () => Date.now(),
      async young() {
        reading++;
        most = Math.max(most, reading);
        await sleep(5);
        return {
          bytes,
          type: 'image/png',
          meta: { width: 400, height: 300, warnings: [] },
          phases: {},
        } as never as Result;
      },
      variant: async () => undefined,
      async saveVariant(_request: unknown, _original: unknown, picture: object) {
        reading--;
        return { ...picture, key: 'k', hash: 'h', isStored: true };
      },
    } as never as StoredResults;
    const variants = createVariants(stored);
    const request = (at: number) =>
      ({
        key: `key ${at}`,
        maxAgeMs: 60_000,
        requester: { account: { id: 'one' } },
        task: { kind: 'screenshot', request: { format: 'png', quality: 80, resizeWidth: 10 + at, fit: 'inside' } },
        original: { plan: plans.free, maxAgeMs: 60_000 },
      }) as never as VariantRequest;
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, at) => variants.fromCache(request(at), new Deadline(10_000))),
    );
    expect(made.map((result) => result?.meta.width)).toEqual(Array.from({ length: 20 }, (_, at) => 10 + at));
    expect(most).toBe(1);
  });
});
