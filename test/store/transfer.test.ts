// From one database to another, of either kind, and nothing is lost.
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { authenticate, createKey } from '../../src/access/keys.ts';
import { createRequestSealing } from '../../src/jobs/stored-request.ts';
import type { NewJob } from '../../src/store/job-types.ts';
import type { OpenStore } from '../../src/store/open.ts';
import { type ExportLine, exportedTables, exportLines, importLines } from '../../src/store/transfer.ts';
import { createWebhookSecrets } from '../../src/webhooks/secrets.ts';
import { databases } from '../harness/databases.ts';

afterAll(() => Promise.all(databases.map((kind) => kind.end())));

const pairs = databases.flatMap((from) => databases.map((to) => ({ from, to, name: `${from.name} to ${to.name}` })));

async function fill(store: OpenStore) {
  const account = await store.signIn.create({
    email: 'a@example.test',
    name: 'Änne',
    plan: 'pro',
    admin: true,
    passwordHash: 'hash',
  });
  const { secret, key } = await createKey(store, {
    accountId: account.id,
    name: 'one',
    limit: 9,
    allowedHosts: ['x.test'],
  });
  const gone = await createKey(store, { accountId: account.id, name: 'gone', limit: 9 });
  await store.keys.revoke(gone.key.id);
  await store.values.set('service_secret', 'old secret');
  const at = Date.UTC(2026, 0, 1);
  await store.usage.record(
    Array.from({ length: 1203 }, (_, i) => ({
      id: `request-${i}`,
      accountId: account.id,
      keyId: key.id,
      at: at + i * 1000,
      endpoint: 'screenshot' as const,
      status: 200,
      outcome: 'render' as const,
      code: null,
      renderMs: 12.5,
      totalMs: 20,
      parameters: '{"url":"https://example.com/"}',
      phases: '{}',
      warnings: '[]',
      cacheKey: null,
      verdict: i % 2 === 0 ? '' : 'cut',
    })),
  );
  const delivery = {
    accountId: account.id,
    type: 'job.done',
    subjectId: 'job_1',
    url: 'https://x.test/',
    body: '{}',
  } as const;
  const webhookId = (await store.webhooks.add({ ...delivery, at })) ?? '';
  const [claimed] = await store.webhooks.claim(1, at, 1000, { ofAccount: 1, ofLane: 1 });
  const attempt = { at, status: 500, error: 'It answered 500.', durationMs: 1.5, answer: 'nö' };
  if (claimed) await store.webhooks.note([{ claimed, attempt, outcome: { state: 'pending', dueAt: at + 5000 } }]);
  const { secret: webhookSecret } = await createWebhookSecrets(store.webhooks.secrets, 'old secret').of(account.id);
  await store.sites.create(
    {
      ...{ id: 'site_1', accountId: account.id, origin: 'https://x.test', token: 't', name: 'Änne', description: '' },
      ...{ template: 'my/hero@3', values: { accent: '#fff' }, mapping: { date: null }, createdAt: at, changedAt: at },
      ...{ verifiedAt: at, verifiedBy: 'dns', checkedAt: at, lostAt: null },
    },
    9,
  );
  await store.sites.putPage('site_1', { path: '/a', facts: '{"title":"A"}', readAt: at }, 9);
  await store.invitations.create({
    ...{ id: 'inv_1', tokenHash: 'hash', email: 'new@example.test', plan: 'pro', admin: true },
    ...{ createdBy: account.id, createdAt: at, expiresAt: at + 1000 },
  });
  await fillJobs(store, account.id, key.id, at);
  return { account, secret, revoked: gone.secret, key, at, webhookId, webhookSecret };
}

const sealing = createRequestSealing('old secret');
const sentPage = (id: string) =>
  new Map([
    ['html', `<h1>Änne ${id}</h1>`],
    ['width', '100'],
  ]);

/** A job alone, which has ended, and a batch of two, of which one runs. */
async function fillJobs(store: OpenStore, accountId: string, keyId: string, at: number): Promise<void> {
  const job = (id: string): NewJob => ({
    ...{ id, keyId, kind: 'screenshot', subject: 'html', metadata: '{"n":1}', webhook: 'https://x.test/' },
    ...sealing.store('screenshot', sentPage(id), id),
  });
  const most = { queued: 9, aMinute: 1e6, bytes: 1e6 };
  const webhooks = { job: () => '{}', batch: () => '{}' };
  await store.jobs.accept([{ accountId, jobs: [job('job_1')], most, batch: undefined, idempotency: undefined }], at);
  const ended = await store.jobs.claim(accountId, 'token 1', at + 1000, at);
  if (ended) await store.jobs.end(ended, { status: 'failed', error: '{}' }, webhooks, at);
  const batch = { id: 'batch_1', webhook: 'https://x.test/' };
  const jobs = [job('job_2'), job('job_3')];
  await store.jobs.accept([{ accountId, jobs, most, batch, idempotency: { key: 'once', hash: 'hash' } }], at);
  await store.jobs.claim(accountId, 'token 2', at + 1000, at);
}

async function* of(lines: readonly ExportLine[]): AsyncGenerator<ExportLine> {
  yield* lines;
}

describe.each(pairs)('$name', ({ from, to }) => {
  it('carries accounts, passwords, keys, usage, jobs, invitations, webhooks, sites and the secrets', async () => {
    const [source, target] = await Promise.all([from.create(), to.create()]);
    try {
      const [old, fresh] = await Promise.all([source.open(), target.open()]);
      const { account, secret, revoked, key, at, webhookId, webhookSecret } = await fill(old);
      await fresh.values.set('service_secret', 'made by a start on the new database');
      const counts = await importLines(fresh, exportLines(old));
      expect(counts).toMatchObject({ accounts: 1, api_keys: 2, requests: 1203, credentials: 1 });

      expect(await fresh.accounts.byEmail('a@example.test')).toEqual(account);
      expect(await fresh.signIn.passwordHash(account.id)).toBe('hash');
      expect((await authenticate({ header: secret }, fresh)).key).toEqual(
        await old.keys.list(account.id).then((all) => all.find(({ id }) => id === key.id)),
      );
      await expect(authenticate({ header: revoked }, fresh)).rejects.toMatchObject({ status: 401 });
      expect(await fresh.values.get('service_secret')).toBe('old secret');
      const range = { from: at, to: at + 86_400_000, by: 'day' as const };
      expect(await fresh.usage.buckets(account.id, range)).toEqual(await old.usage.buckets(account.id, range));
      expect(await fresh.usage.recent(account.id, { count: 5 })).toEqual(
        await old.usage.recent(account.id, { count: 5 }),
      );
      const webhook = await fresh.webhooks.find(account.id, webhookId);
      expect(webhook).toMatchObject({ state: 'pending', attempts: 1, tries: [{ answer: 'nö' }] });
      expect(webhook).toEqual(await old.webhooks.find(account.id, webhookId));
      const secrets = createWebhookSecrets(fresh.webhooks.secrets, 'old secret');
      expect((await secrets.of(account.id)).secret).toBe(webhookSecret);
      expect(await fresh.sites.list(account.id)).toEqual(await old.sites.list(account.id));
      expect(await fresh.sites.page('site_1', '/a')).toMatchObject({ facts: '{"title":"A"}', readAt: at });
      expect(await fresh.invitations.list(at)).toEqual([expect.objectContaining({ id: 'inv_1', admin: true })]);
      expect(await fresh.invitations.list(at)).toEqual(await old.invitations.list(at));
      expect(await fresh.jobs.knownKey(account.id, 'once', at)).toEqual({ id: 'batch_1', hash: 'hash' });
      expect(await fresh.jobs.batch(account.id, 'batch_1')).toMatchObject({ counts: { queued: 1, running: 1 } });
      for (const read of [
        (store: OpenStore) => store.jobs.list(account.id, { count: 9 }),
        (store: OpenStore) => store.jobs.batch(account.id, 'batch_1'),
        (store: OpenStore) => store.db.selectFrom('job_accounts').selectAll().execute(),
      ])
        expect(await read(fresh)).toEqual(await read(old));
    } finally {
      await Promise.all([source.remove(), target.remove()]);
    }
  });
});

it('leaves out only tables that fill again, or end when users sign in again', async () => {
  const database = await databases[0]?.create();
  try {
    const store = await database?.open();
    const found =
      store && (await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(store.db));
    const others = (found?.rows ?? []).map(({ name }) => name).filter((name) => !exportedTables.includes(name));
    expect(others.sort()).toEqual([
      ...[
        'cache_accounts',
        'cache_entries',
        'migrations',
        'sessions',
        'sign_in_addresses',
        'sign_in_attempts',
        'usage_accounts',
        'verifications',
      ],
    ]);
  } finally {
    await database?.remove();
  }
});

describe.each(pairs)('the jobs of an export, $name', ({ from, to }) => {
  it('run with their encrypted requests, those that ran too, once their lease is over', async () => {
    const [source, target] = await Promise.all([from.create(), to.create()]);
    try {
      const [old, fresh] = await Promise.all([source.open(), target.open()]);
      const { account, at } = await fill(old);
      await importLines(fresh, exportLines(old));
      expect(await fresh.jobs.takeBack(at + 2000)).toBe(1);
      for (const id of ['job_3', 'job_2']) {
        const job = await fresh.jobs.claim(account.id, `token of ${id}`, at + 4000, at + 2000);
        expect(job?.id).toBe(id);
        if (job) expect(sealing.read(job.request, job.sealed, id)).toEqual(sentPage(id));
      }
    } finally {
      await Promise.all([source.remove(), target.remove()]);
    }
  });
});

describe.each(databases)('an export of $name', (kind) => {
  it('has everything as it was when it began, although a service goes on writing', async () => {
    const database = await kind.create();
    try {
      const [reading, writing] = await Promise.all([database.open(), database.open()]);
      const { account } = await fill(reading);
      const tables: string[] = [];
      for await (const line of exportLines(reading)) {
        // The first line is written before any row is read.
        if ('tintype' in line) await writing.accounts.remove(account.id);
        if ('row' in line) tables.push(line.table);
      }
      expect(tables.filter((name) => name === 'accounts')).toHaveLength(1);
      expect(tables.filter((name) => name === 'jobs')).toHaveLength(3);
    } finally {
      await database.remove();
    }
  });
});

describe.each(databases)('an import into $name', (kind) => {
  it('takes an export of an earlier build, which has no jobs and no invitations', async () => {
    const [source, target] = await Promise.all([databases[0]?.create(), kind.create()]);
    if (source === undefined) throw new Error('no database');
    try {
      const [old, fresh] = await Promise.all([source.open(), target.open()]);
      const { account } = await fill(old);
      const added = ['jobs', 'batches', 'job_accounts', 'idempotency_keys', 'invitations'];
      const lines: ExportLine[] = [];
      for await (const line of exportLines(old))
        if (!('row' in line && added.includes(line.table)))
          lines.push('end' in line ? { end: true, rows: lines.length - 1 } : line);
      await importLines(fresh, of(lines));
      expect(await fresh.accounts.list()).toEqual([account]);
      expect(await fresh.jobs.list(account.id, { count: 9 })).toEqual([]);
    } finally {
      await Promise.all([source.remove(), target.remove()]);
    }
  });

  it('is all or nothing, and only into an empty database', async () => {
    const [source, target] = await Promise.all([databases[0]?.create(), kind.create()]);
    if (source === undefined) throw new Error('no database');
    try {
      const [old, fresh] = await Promise.all([source.open(), target.open()]);
      await fill(old);
      const lines: ExportLine[] = [];
      for await (const line of exportLines(old)) lines.push(line);
      await expect(importLines(fresh, of(lines.slice(0, -1)))).rejects.toThrow('no end');
      await expect(importLines(fresh, of(lines.toSpliced(5, 1)))).rejects.toThrow('damaged');
      await expect(importLines(fresh, of([...lines.slice(0, 1), { table: 'pg_user', row: {} }]))).rejects.toThrow();
      const other = { tintype: 'export', migrations: ['other'], at: '' } as const;
      await expect(importLines(fresh, of([other, ...lines.slice(1)]))).rejects.toThrow('another version');
      expect(await fresh.accounts.list()).toEqual([]);
      await importLines(fresh, of(lines));
      await expect(importLines(fresh, of(lines))).rejects.toThrow('accounts already');
    } finally {
      await Promise.all([source.remove(), target.remove()]);
    }
  });
});
