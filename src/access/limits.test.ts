import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemoryLimits } from './limits.ts';

const minute = 60_000;

function limitsAt(start = 1_700_000_000_000) {
  let now = start;
  return { limits: createMemoryLimits(() => now), pass: (ms: number) => (now += ms), now: () => now };
}

it('lets the limit through and then says when the next one is possible', async () => {
  const { limits, pass, now } = limitsAt();
  expect(await limits.take('a', 3)).toMatchObject({ ok: true, limit: 3, remaining: 2, retryAfter: 0 });
  pass(10_000);
  await limits.take('a', 3);
  expect(await limits.take('a', 3)).toMatchObject({ ok: true, remaining: 0, retryAfter: 0 });
  const refused = await limits.take('a', 3);
  expect(refused).toMatchObject({ ok: false, remaining: 0, retryAfter: 50, reset: Math.ceil((now() + minute) / 1000) });
  pass(49_999);
  expect((await limits.take('a', 3)).ok).toBe(false);
  pass(1);
  expect((await limits.take('a', 3)).ok).toBe(true);
  expect((await limits.take('a', 3)).ok).toBe(false);
});

it('counts every account by itself', async () => {
  const { limits } = limitsAt();
  await limits.take('a', 1);
  expect((await limits.take('b', 1)).ok).toBe(true);
});

it('takes nothing by looking', async () => {
  const { limits, now } = limitsAt();
  for (let i = 0; i < 5; i++)
    expect(await limits.peek('a', 2)).toEqual({
      ok: true,
      limit: 2,
      remaining: 2,
      reset: now() / 1000,
      retryAfter: 0,
    });
});

it('gives back exactly the render that failed, not another one', async () => {
  const { limits, pass } = limitsAt();
  const failed = await limits.take('a', 2);
  pass(30_000);
  await limits.take('a', 2);
  await limits.giveBack('a', failed);
  await limits.giveBack('a', failed);
  expect(await limits.peek('a', 2)).toMatchObject({ remaining: 1 });
  // The one that succeeded at 30 s still counts after the failed one would have run out.
  pass(31_000);
  expect(await limits.peek('a', 2)).toMatchObject({ remaining: 1 });
  pass(29_000);
  expect(await limits.peek('a', 2)).toMatchObject({ remaining: 2 });
});

it('follows a plan that is lowered and one that is raised', async () => {
  const { limits, pass } = limitsAt();
  for (let i = 0; i < 4; i++) {
    await limits.take('a', 4);
    pass(1000);
  }
  expect(await limits.take('a', 2)).toMatchObject({ ok: false, remaining: 0, retryAfter: 58 });
  expect(await limits.take('a', 5)).toMatchObject({ ok: true, remaining: 0 });
});

it('in any minute there are never more than the limit, and never fewer than asked for below it', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.integer({ min: 0, max: 20_000 })),
      async (limit, gaps) => {
        const { limits, pass, now } = limitsAt(1_700_000_000_000);
        const through: number[] = [];
        for (const gap of gaps) {
          pass(gap);
          const lastMinute = through.filter((time) => time > now() - minute).length;
          const { ok } = await limits.take('a', limit);
          expect(ok).toBe(lastMinute < limit);
          if (ok) through.push(now());
        }
      },
    ),
  ));
