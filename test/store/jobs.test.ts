// What the store promises about jobs, the same on both databases.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlanName } from '../../src/kernel/plans.ts';
import { timedId } from '../../src/store/identifiers.ts';
import type { JobEnd, JobWebhooks, NewJob, Submission } from '../../src/store/job-types.ts';
import type { OpenStore } from '../../src/store/open.ts';
import { databases, type TestDatabase } from '../harness/databases.ts';

const atOnce: Record<PlanName, number> = { free: 2, starter: 4, pro: 8, business: 16 };
const webhooks: JobWebhooks = { job: (job) => JSON.stringify(job), batch: (batch) => JSON.stringify(batch) };
const done: JobEnd = { status: 'done', result: '{"width":1}', summary: null, cacheKey: 'k' };

const newJob = (more: Partial<NewJob> = {}): NewJob => ({
  id: timedId('job'),
  keyId: 'key_1',
  kind: 'screenshot',
  request: '[["url","https://example.com/"]]',
  subject: 'https://example.com/',
  sealed: null,
  metadata: null,
  webhook: null,
  ...more,
});

describe.each(databases)('jobs on $name', (kind) => {
  let database: TestDatabase;
  let store: OpenStore;
  let now = 1_800_000_000_000;
  let serial = 0;
  beforeEach(async () => {
    database = await kind.create();
    store = await database.open();
  });
  afterEach(() => database.remove());
  afterAll(() => kind.end());

  const account = async (plan: PlanName = 'free') =>
    (await store.accounts.create({ email: `jobs-${++serial}@example.test`, plan })).id;
  const submission = (accountId: string, jobs: readonly NewJob[], more: Partial<Submission> = {}): Submission => ({
    accountId,
    jobs,
    most: { queued: 1000, aMinute: 1e6, bytes: 1e6 },
    ...more,
  });
  const accept = async (...submissions: Submission[]) => store.jobs.accept(submissions, now++);
  const many = (count: number) => Array.from({ length: count }, () => newJob());
  const claimNext = async (token = `t${++serial}`) => {
    const next = await store.jobs.nextAccount(atOnce, now);
    return next && store.jobs.claim(next.accountId, token, now + 30_000, now++);
  };
  /** The counts that are kept agree with the rows. */
  const check = async () => {
    const rows = await store.db.selectFrom('jobs').selectAll().execute();
    const bytesOf = (row: (typeof rows)[number]) =>
      [row.request, row.sealed, row.metadata, row.webhook, row.result, row.summary, row.error]
        .map((text) => (text === null ? 0 : Buffer.from(text).length))
        .reduce((sum, length) => sum + length, 600);
    for (const kept of await store.db.selectFrom('job_accounts').selectAll().execute()) {
      const own = rows.filter((row) => row.account_id === kept.account_id);
      const open = own.filter(({ status }) => status === 'queued' || status === 'running');
      expect(kept).toMatchObject({
        queued: own.filter(({ status }) => status === 'queued').length,
        running: own.filter(({ status }) => status === 'running').length,
        stored_bytes: own.reduce((sum, row) => sum + bytesOf(row), 0),
      });
      for (const row of own) if (!open.includes(row)) expect(row.sealed).toBeNull();
    }
  };

  it('are kept as they were sent, and end once', async () => {
    const accountId = await account();
    const job = newJob({ sealed: Buffer.from([1, 2, 255]), metadata: '{"a":1}', webhook: 'https://example.com/' });
    expect(await accept(submission(accountId, [job]))).toMatchObject([{ outcome: 'accepted' }]);
    const claimed = await claimNext('mine');
    expect(claimed).toMatchObject({ id: job.id, status: 'running', attempts: 1, metadata: '{"a":1}', token: 'mine' });
    expect([...(claimed?.sealed ?? [])]).toEqual([1, 2, 255]);
    await check();
    expect(await store.jobs.end({ id: job.id, token: 'other' }, done, webhooks, now)).toBe(false);
    expect(await store.jobs.end({ id: job.id, token: 'mine' }, done, webhooks, now)).toBe(true);
    expect(await store.jobs.end({ id: job.id, token: 'mine' }, done, webhooks, now)).toBe(false);
    expect(await store.jobs.find(accountId, job.id)).toMatchObject({ status: 'done', result: '{"width":1}' });
    expect(await store.webhooks.list(accountId, 10)).toMatchObject([{ type: 'job.done', subjectId: job.id }]);
    expect(await store.jobs.find(await account(), job.id)).toBeUndefined();
    await check();
  });

  it('take turns by account, and no account has more at once than its plan', async () => {
    const [first, second] = [await account('free'), await account('business')];
    await accept(submission(first, many(10)));
    await accept(submission(second, many(3)));
    const owners: (string | undefined)[] = [];
    for (let at = 0; at < 6; at++) owners.push((await claimNext())?.accountId);
    expect(owners).toEqual([first, second, first, second, second, undefined]);
    await check();
  });

  it('are put back with or without a count, and run no sooner than said', async () => {
    const accountId = await account();
    await accept(submission(accountId, [newJob()]));
    const one = await claimNext('one');
    if (one === undefined) throw new Error('no job');
    expect(await store.jobs.putBack(one, 'as nothing', now + 500)).toBe(true);
    expect(await claimNext()).toBeUndefined();
    now += 1000;
    const two = await claimNext('two');
    expect(two).toMatchObject({ id: one.id, attempts: 1, failures: 0 });
    expect(await store.jobs.putBack(one, 'as failure', now)).toBe(false);
    expect(await store.jobs.putBack({ id: one.id, token: 'two' }, 'as failure', now)).toBe(true);
    expect(await claimNext('three')).toMatchObject({ attempts: 2, failures: 1 });
    await check();
  });

  it('whose lease is over are taken back, and whoever had them cannot end them', async () => {
    const accountId = await account();
    await accept(submission(accountId, many(2)));
    const [one, two] = [await claimNext('one'), await claimNext('two')];
    if (one === undefined || two === undefined) throw new Error('no job');
    const stale = { id: one.id, token: 'stale' };
    expect(await store.jobs.renew([two, stale], now + 90_000)).toEqual(['two']);
    now += 60_000;
    expect(await store.jobs.takeBack(now)).toBe(1);
    expect(await store.jobs.end(one, done, webhooks, now)).toBe(false);
    expect(await claimNext('three')).toMatchObject({ id: one.id, attempts: 2 });
    expect(await store.jobs.takeBack(now, 'all')).toBe(2);
    await check();
  });

  it('are refused as a whole above the limits, and nothing of them is left', async () => {
    const accountId = await account();
    const most = { queued: 3, aMinute: 1e6, bytes: 1e6 };
    const answers = await accept(
      submission(accountId, many(2), { most }),
      submission(accountId, many(2), { most, batch: { id: timedId('batch'), webhook: null } }),
      submission(accountId, many(1), { most }),
    );
    expect(answers.map(({ outcome }) => outcome)).toEqual(['accepted', 'full', 'accepted']);
    const heavy = newJob({ sealed: Buffer.alloc(2000) });
    const [answer] = await accept(submission(accountId, [heavy], { most: { queued: 100, aMinute: 1e6, bytes: 1000 } }));
    expect(answer).toEqual({ outcome: 'no room' });
    expect(await store.jobs.list(accountId, { count: 10 })).toHaveLength(3);
    expect(await store.db.selectFrom('batches').selectAll().execute()).toEqual([]);
    await check();
  });

  it('with an idempotency key are accepted once in a day', async () => {
    const [accountId, other] = [await account(), await account()];
    const idempotency = { key: 'order 7', hash: 'a' };
    const job = newJob();
    const answers = await accept(
      submission(accountId, [job], { idempotency }),
      submission(accountId, many(1), { idempotency: { key: 'order 7', hash: 'b' } }),
      submission(other, many(1), { idempotency }),
    );
    expect(answers).toMatchObject([
      { outcome: 'accepted' },
      { outcome: 'known', id: job.id, hash: 'a' },
      { outcome: 'accepted' },
    ]);
    const most = { queued: 1, aMinute: 1e6, bytes: 1e6 };
    const whenFull = await accept(submission(accountId, many(1), { idempotency, most }));
    expect(whenFull).toMatchObject([{ outcome: 'known', id: job.id }]);
    expect(await store.jobs.knownKey(accountId, 'order 7', now)).toEqual({ id: job.id, hash: 'a' });
    await check();
    now += 24 * 60 * 60 * 1000;
    expect(await store.jobs.knownKey(accountId, 'order 7', now)).toBeUndefined();
    expect(await accept(submission(accountId, many(1), { idempotency }))).toMatchObject([{ outcome: 'accepted' }]);
    await check();
  });

  it('of a batch end it with the last of them, whether they ran or were canceled', async () => {
    const accountId = await account();
    const batch = { id: timedId('batch'), webhook: 'https://example.com/' };
    await accept(submission(accountId, many(120), { batch }));
    const [one, two] = [await claimNext('one'), await claimNext('two')];
    if (one === undefined || two === undefined) throw new Error('no job');
    const ended: number[] = [];
    const noting: JobWebhooks = {
      ...webhooks,
      batch: ({ counts }) => String(ended.push(counts.done + counts.failed + counts.canceled)),
    };
    await store.jobs.end(one, done, noting, now);
    expect(await store.jobs.cancelBatch(accountId, batch.id, noting, now)).toMatchObject({
      counts: { queued: 0, running: 1, done: 1, failed: 0, canceled: 118 },
      endedAt: null,
    });
    expect(ended).toEqual([]);
    await store.jobs.end(two, { status: 'failed', error: '{}' }, noting, now);
    expect(ended).toEqual([120]);
    expect(await store.webhooks.list(accountId, 10)).toMatchObject([{ type: 'batch.done', subjectId: batch.id }]);
    const listed = await store.jobs.list(accountId, { count: 500, batchId: batch.id });
    expect(listed.map(({ batchIndex }) => batchIndex)).toEqual(Array.from({ length: 120 }, (_, index) => index));
    await check();
  });

  it('are listed newest first, page by page, by status; only what has not begun is canceled', async () => {
    const accountId = await account();
    const jobs = many(5);
    await accept(submission(accountId, jobs));
    const ids = jobs.map(({ id }) => id).reverse();
    const [first = ''] = (await store.jobs.list(accountId, { count: 2 })).map(({ id }) => id);
    expect(first).toBe(ids[0]);
    const rest = await store.jobs.list(accountId, { count: 10, after: ids[1] ?? '' });
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(2));
    const running = await claimNext();
    expect(await store.jobs.cancel(accountId, running?.id ?? '', webhooks, now)).toMatchObject({ status: 'running' });
    expect(await store.jobs.cancel(accountId, first, webhooks, now)).toMatchObject({ status: 'canceled' });
    expect(await store.jobs.list(accountId, { count: 10, status: 'queued' })).toHaveLength(3);
    expect(await store.jobs.totals()).toMatchObject({ queued: 3, running: 1 });
    await check();
  });

  it('leave no idempotency key behind after a day, however many there are', async () => {
    const accountId = await account();
    const old = now - 24 * 60 * 60 * 1000;
    const key = (i: number) => ({ account_id: accountId, name: `k${i}`, hash: 'h', subject_id: 's', created_at: old });
    const fresh = { ...key(-1), created_at: old + 1 };
    await store.db
      .insertInto('idempotency_keys')
      .values([...Array.from({ length: 1001 }, (_, i) => key(i)), fresh])
      .execute();
    await store.jobs.prune(0, now);
    const left = store.db.selectFrom('idempotency_keys').select('name').where('account_id', '=', accountId);
    expect(await left.execute()).toEqual([{ name: 'k-1' }]);
  });

  it('that ended long ago are removed; those that wait are not', async () => {
    const accountId = await account();
    await accept(submission(accountId, many(2)));
    const job = await claimNext('one');
    if (job === undefined) throw new Error('no job');
    await store.jobs.end(job, done, webhooks, now);
    await store.jobs.prune(now, now);
    expect(await store.jobs.list(accountId, { count: 10 })).toHaveLength(2);
    await store.jobs.prune(now + 1, now);
    expect(await store.jobs.list(accountId, { count: 10 })).toHaveLength(1);
    await store.accounts.remove(accountId);
    expect(await store.jobs.totals()).toEqual({ queued: 0, running: 0, oldestAt: null });
  });

  it('that were accepted while their account was removed are removed, too', async () => {
    const [accountId, other] = [await account(), await account()];
    await store.accounts.remove(accountId);
    await accept(submission(accountId, many(3), { batch: { id: timedId('batch'), webhook: null } }));
    await accept(submission(other, many(2)));
    await store.jobs.prune(0, now);
    expect(await store.jobs.totals()).toMatchObject({ queued: 2 });
    for (const table of ['jobs', 'batches', 'job_accounts'] as const)
      expect(await store.db.selectFrom(table).selectAll().where('account_id', '=', accountId).execute()).toEqual([]);
    expect(await store.jobs.list(other, { count: 10 })).toHaveLength(2);
    await check();
  });

  it('that were made only to be canceled do not fill the disk', async () => {
    const accountId = await account();
    const most = { queued: 10, aMinute: 1e6, bytes: 100_000 };
    const long = {
      request: `{"given":[["url","${'x'.repeat(3000)}"]],"sealed":[]}`,
      metadata: `"${'m'.repeat(2000)}"`,
    };
    const bytes = async () => {
      const row = store.db.selectFrom('job_accounts').select('stored_bytes').where('account_id', '=', accountId);
      return (await row.executeTakeFirstOrThrow()).stored_bytes;
    };
    for (let at = 0; at < 30; at++) {
      const batch = { id: timedId('batch'), webhook: null };
      const jobs = Array.from({ length: 10 }, () => newJob(long));
      expect(await accept(submission(accountId, jobs, { most, batch }))).toMatchObject([{ outcome: 'accepted' }]);
      expect(await bytes()).toBeLessThan(most.bytes + 10 * 1000);
      await store.jobs.cancelBatch(accountId, batch.id, webhooks, now++);
    }
    const left = await store.db.selectFrom('jobs').select(['request', 'metadata']).execute();
    for (const { request, metadata } of left) expect(`${request}${metadata}`.length).toBeLessThan(100);
    expect((await store.jobs.batches(accountId, 100)).length).toBeLessThan(20);
    await check();
  });

  it('that have ended make room for new ones, and those that wait do not', async () => {
    const accountId = await account();
    const most = { queued: 100, aMinute: 1e6, bytes: 50_000 };
    const heavy = () => newJob({ sealed: Buffer.alloc(20_000) });
    expect(await accept(submission(accountId, [heavy(), heavy()], { most }))).toMatchObject([{ outcome: 'accepted' }]);
    expect(await accept(submission(accountId, [heavy()], { most }))).toEqual([{ outcome: 'no room' }]);
    const first = await claimNext('first');
    if (first === undefined) throw new Error('no job');
    const result = `{"text":"${'x'.repeat(15_000)}"}`;
    await store.jobs.end({ ...first, token: 'first' }, { ...done, result }, webhooks, now);
    expect(await accept(submission(accountId, [heavy()], { most }))).toMatchObject([{ outcome: 'accepted' }]);
    expect(await store.jobs.find(accountId, first.id)).toBeUndefined();
    await check();
  });

  it('are sent at a rate, whatever becomes of them', async () => {
    const [accountId, other] = [await account(), await account()];
    const most = { queued: 10, aMinute: 20, bytes: 1e6 };
    const [one, two] = await accept(submission(accountId, many(10), { most }), submission(other, many(10), { most }));
    expect([one, two]).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
    for (const { id } of await store.jobs.list(accountId, { count: 100 }))
      await store.jobs.cancel(accountId, id, webhooks, now);
    expect(await accept(submission(accountId, many(10), { most }))).toMatchObject([{ outcome: 'accepted' }]);
    for (const { id } of await store.jobs.list(accountId, { count: 100, status: 'queued' }))
      await store.jobs.cancel(accountId, id, webhooks, now);
    const [refused] = await accept(submission(accountId, many(1), { most }));
    expect(refused).toMatchObject({ outcome: 'too fast', retryMs: expect.any(Number) });
    now += 60_000;
    expect(await accept(submission(accountId, many(10), { most }))).toMatchObject([{ outcome: 'accepted' }]);
    await check();
  });

  it('run although the clock went back by hours', async () => {
    const hours = 5 * 60 * 60 * 1000;
    const accountId = await account();
    now += hours;
    await accept(submission(accountId, many(3)));
    const [one, two] = [await claimNext('one'), await claimNext('two')];
    if (one === undefined || two === undefined) throw new Error('no job');
    await store.jobs.putBack(one, 'as failure', now + 30_000);
    await store.jobs.postpone({ accountId, queued: 2 }, now + 60_000);
    now -= hours;
    // The lease of the second ends with the process that has it.
    expect(await store.jobs.takeBack(now)).toBe(1);
    const order: (string | undefined)[] = [];
    while (order.length < 3) {
      const job = (await claimNext(`back ${order.length}`)) ?? (await claimNext(`back ${order.length}`));
      order.push(job?.id);
      if (job === undefined) break;
      await store.jobs.end(job, done, webhooks, now);
    }
    expect(new Set(order).size).toBe(3);
    expect(order).not.toContain(undefined);
    await check();
  });

  it('are not postponed if more were accepted meanwhile', async () => {
    const accountId = await account();
    await accept(submission(accountId, many(1)));
    const next = await store.jobs.nextAccount(atOnce, now);
    if (next === undefined) throw new Error('no account');
    await accept(submission(accountId, many(1)));
    await store.jobs.postpone(next, now + 60_000);
    expect(await claimNext()).toBeDefined();
  });

  it('are listed without long requests', async () => {
    const accountId = await account();
    await accept(submission(accountId, [newJob({ request: 'x'.repeat(100_000) })]));
    const [listed] = await store.jobs.list(accountId, { count: 1 });
    expect(listed).toMatchObject({ subject: 'https://example.com/', request: expect.stringMatching(/^.{1,100}$/) });
    expect((await claimNext())?.request).toHaveLength(100_000);
  });

  it('keep long results up to a limit, and above it their summaries', async () => {
    const accountId = await account();
    await accept(submission(accountId, many(2)));
    const long: JobEnd = { ...done, result: `{"content":"${'x'.repeat(20_000)}"}`, summary: '{"omitted":["content"]}' };
    const [one, two] = [await claimNext('one'), await claimNext('two')];
    if (one === undefined || two === undefined) throw new Error('no job');
    await store.jobs.end(one, long, webhooks, now);
    await check();
    expect((await store.jobs.find(accountId, one.id))?.result).toHaveLength(20_014);
    const [listed] = await store.jobs.list(accountId, { count: 1, after: two.id });
    expect(listed?.result).toBe('{"omitted":["content"]}');
    const most = { free: 30_000, starter: 30_000, pro: 30_000, business: 30_000 };
    await store.jobs.end(two, long, webhooks, now, most);
    expect((await store.jobs.find(accountId, two.id))?.result).toBe('{"omitted":["content"]}');
    await check();
    await store.jobs.prune(now + 1, now);
    await check();
  });

  it('are taken by one of many, however many try', async () => {
    const accountId = await account('business');
    await accept(submission(accountId, many(12)));
    const tries = Array.from({ length: 40 }, (_, at) => store.jobs.claim(accountId, `t${at}`, now + 1000, now));
    const taken = (await Promise.all(tries)).filter((job) => job !== undefined).map(({ id }) => id);
    expect(new Set(taken).size).toBe(taken.length);
    if (kind.name === 'SQLite') expect(taken).toHaveLength(12);
    await check();
  });
});
