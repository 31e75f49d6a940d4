import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../access/keys.ts';
import { createMemoryLimits } from '../access/limits.ts';
import { Cancelled, type Deadline, sleep } from '../kernel/deadline.ts';
import { type ErrorCode, Problem } from '../kernel/errors.ts';
import { createLog } from '../kernel/log.ts';
import { plans } from '../kernel/plans.ts';
import type { Result } from '../render/result.ts';
import type { ValidatedRequest } from '../render/validated-request.ts';
import { type OpenStore, openStore } from '../store/open.ts';
import { failureOf, mostAttempts } from './failure.ts';
import { createJobs, type Jobs } from './jobs.ts';

describe('a failure', () => {
  const tried = { attempts: 1, failures: 0, queuedMs: 0 };
  const of = (code: ErrorCode, how = tried) => failureOf(new Problem(code, { retryAfter: 9 }), how);

  it('of the page is final', () => {
    for (const code of ['target_unreachable', 'render_timeout', 'capture_rejected', 'plan_required'] as const)
      expect(of(code)).toMatchObject({ final: { code } });
  });

  it('of the service is tried again three times, after growing pauses', () => {
    for (const code of ['renderer_unavailable', 'internal_error'] as const)
      expect([0, 1, 2, 3].map((failures) => of(code, { ...tried, failures }))).toMatchObject([
        { again: 'as failure', afterMs: 5000 },
        { again: 'as failure', afterMs: 30_000 },
        { again: 'as failure', afterMs: 120_000 },
        { final: { code } },
      ]);
    expect(failureOf(new TypeError('a defect'), tried)).toMatchObject({ again: 'as failure' });
    expect(failureOf(new TypeError('a defect'), { ...tried, failures: 3 })).toMatchObject({
      final: { code: 'internal_error' },
    });
  });

  it('that says nothing about the job does not count, however often', () => {
    for (const code of ['rate_limited', 'overloaded', 'storage_unavailable', 'shutting_down'] as const)
      expect(of(code, { ...tried, failures: 3 })).toEqual({ again: 'as nothing', afterMs: 9000 });
    expect(failureOf(new Cancelled(), tried)).toEqual({ again: 'as nothing', afterMs: 0 });
  });

  it('in time that was spent waiting for a slot is tried again, but not for ever', () => {
    expect(of('render_timeout', { ...tried, queuedMs: 5000 })).toMatchObject({ again: 'as try' });
    expect(of('render_timeout', { ...tried, queuedMs: 5000, attempts: mostAttempts })).toHaveProperty('final');
  });
});

describe('the runner', () => {
  let dataDir: string;
  let store: OpenStore;
  let jobs: Jobs | undefined;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tintype-runner-'));
    store = await openStore({ dataDir, log: createLog('silent') });
  });
  afterEach(async () => {
    await jobs?.stop();
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const validated = { timeoutMs: 20_000, warnings: [], key: 'key' } as unknown as ValidatedRequest;
  const result = { key: 'key', stored: false, meta: { warnings: [] }, phases: {} } as unknown as Result;

  async function start(render: (deadline: Deadline) => Promise<Result>, limits = createMemoryLimits()) {
    const account = await store.accounts.create({ email: 'a@example.test', plan: 'business' });
    const { key } = await createKey(store, { accountId: account.id, name: 'k', limit: 5 });
    jobs = createJobs({
      jobs: store.jobs,
      keys: store.keys,
      plans,
      limits,
      validate: () => validated,
      renderer: {
        start: (_request, deadline) => ({
          key: 'key',
          result: render(deadline),
          step: () => '',
          phases: () => ({}),
          cancel: () => deadline.cancel(),
        }),
      },
      describe: () => ({ width: 1 }),
      capacity: () => 2,
      record: () => {},
      onEnd: () => {},
      baseUrl: () => 'http://x',
      serviceSecret: 's',
      alone: true,
      log: createLog('silent'),
    });
    await jobs.start();
    const submit = async (keyId = key.id) => {
      const { id } = await (jobs as Jobs).accept({
        account,
        keyId,
        jobs: [{ kind: 'screenshot', parameters: new Map([['url', 'https://example.com/']]), metadata: null }],
        as: 'job',
        webhook: null,
      });
      return id;
    };
    const status = async (id: string) => (await store.jobs.find(account.id, id))?.status;
    return { account, key, submit, status };
  }

  it('jobs that are over at once do not share a turn of the event loop', async () => {
    let ended = 0;
    const { submit } = await start(async () => {
      ended++;
      return result;
    });
    await jobs?.drain();
    for (let i = 0; i < 40; i++) await submit();
    const together: number[] = [];
    let before = ended;
    await jobs?.start();
    await expect
      .poll(
        async () => {
          for (let i = 0; i < 50; i++) {
            await setImmediate();
            together.push(ended - before);
            before = ended;
          }
          return ended;
        },
        { timeout: 20_000 },
      )
      .toBe(40);
    expect(Math.max(...together)).toBeLessThanOrEqual(3);
  });

  it('puts a job back that failed through the service, and ends one whose page failed', async () => {
    const failures: Problem[] = [new Problem('renderer_unavailable'), new Problem('target_unreachable')];
    const { account, submit, status } = await start(() => Promise.reject(failures.shift()));
    const id = await submit();
    await expect.poll(async () => (await store.jobs.find(account.id, id))?.failures).toBe(1);
    expect(await status(id)).toBe('queued');
    const other = await submit();
    await expect.poll(() => status(other)).toBe('failed');
  });

  it('puts what it runs back when it stops, and that does not count as a try', async () => {
    const { account, submit, status } = await start((deadline) => deadline.race(new Promise<Result>(() => {})));
    const id = await submit();
    await expect.poll(() => status(id)).toBe('running');
    await jobs?.stop();
    expect(await store.jobs.find(account.id, id)).toMatchObject({ status: 'queued', attempts: 0 });
  });

  it('keeps the second run of a job that was taken over, when the first one ends', async () => {
    const runs: PromiseWithResolvers<Result>[] = [];
    const { account, submit, status } = await start((deadline) => {
      const run = Promise.withResolvers<Result>();
      runs.push(run);
      return deadline.race(run.promise);
    });
    const id = await submit();
    await expect.poll(() => runs.length).toBe(1);
    await store.jobs.takeBack(Date.now(), 'all');
    await expect.poll(() => runs.length).toBe(2);
    runs[0]?.reject(new Problem('target_unreachable'));
    await sleep(50);
    expect(await status(id)).toBe('running');
    await jobs?.stop();
    expect(await store.jobs.find(account.id, id)).toMatchObject({ status: 'queued', attempts: 1 });
  });

  it('does not run jobs of a key that was revoked', async () => {
    const { account, key, submit, status } = await start(async () => result);
    const first = await submit();
    await expect.poll(() => status(first)).toBe('done');
    await store.keys.revoke(key.id);
    const second = await submit();
    await expect.poll(() => status(second)).toBe('failed');
    expect((await store.jobs.find(account.id, second))?.error).toContain('invalid_api_key');
  });

  it('runs jobs of a key that has only expired since, and none of an account that was disabled', async () => {
    const { account, submit, status } = await start(async () => result);
    await jobs?.drain();
    const expiresAt = Date.now() + 50;
    const { key } = await createKey(store, { accountId: account.id, name: 'short', limit: 5, expiresAt });
    const first = await submit(key.id);
    await sleep(100);
    await jobs?.start();
    await expect.poll(() => status(first)).toBe('done');
    await store.accounts.setDisabled(account.id, true);
    const second = await submit();
    await expect.poll(() => status(second)).toBe('failed');
  });

  it("leaves a quarter of the account's rate to requests that somebody waits for", async () => {
    const limits = createMemoryLimits();
    const rate = plans.business.rendersPerMinute;
    let accountId = '';
    const { account, submit, status } = await start(async () => {
      await limits.take(accountId, rate);
      return result;
    }, limits);
    accountId = account.id;
    for (let taken = 0; taken < rate * 0.75 - 1; taken++) await limits.take(accountId, rate);
    const last = await submit();
    await expect.poll(() => status(last)).toBe('done');
    const next = await submit();
    await sleep(300);
    expect(await status(next)).toBe('queued');
    expect((await limits.peek(accountId, rate)).remaining).toBe(rate / 4);
  });

  it('ends a job when the database answers again', async () => {
    const { submit, status } = await start(async () => {
      const { end } = store.jobs;
      let tries = 0;
      Object.assign(store.jobs, {
        end: (...args: Parameters<typeof end>) =>
          ++tries < 3 ? Promise.reject(new Problem('storage_unavailable')) : end(...args),
      });
      await sleep(1);
      return result;
    });
    const id = await submit();
    await expect.poll(() => status(id)).toBe('done');
  });
});
