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

  it('made at the same moment of two pictures of one page are two, each of its own picture', async () => {
    const stored = {
      variant: async () => undefined,
      saveVariant: async (_request: unknown, _original: unknown, picture: object) => ({
        ...picture,
        ...{ key: 'k', hash: 'h', isStored: true },
      }),
    } as never as StoredResults;
    const variants = createVariants(stored);
    const request = {
      key: 'key',
      maxAgeMs: 60_000,
      requester: { account: { id: 'one' } },
      task: { kind: 'screenshot', request: { format: 'png', quality: 80, resizeWidth: 10, fit: 'inside' } },
    } as never as VariantRequest;
    const original = async (background: string, createdAt: number) =>
      ({
        bytes: await sharp({ create: { width: 40, height: 30, channels: 3, background } })
          .png()
          .toBuffer(),
        ...{ type: 'image/png', createdAt, meta: { width: 40, height: 30, warnings: [] }, phases: {} },
      }) as never as Result;
    const [before, after] = await Promise.all([original('#ff0000', 1), original('#0000ff', 2)]);
    const made = await Promise.all([before, after].map((each) => variants.of(each, request, new Deadline(10_000))));
    const colours = await Promise.all(made.map(async (each) => (await sharp(each.bytes).stats()).dominant));
    expect(colours.map(({ r, b }) => r > b)).toEqual([true, false]);
  });
});
