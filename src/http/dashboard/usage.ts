// The account's usage, as sums and as single requests.
import type { FastifyInstance } from 'fastify';
import { type VerdictCode, verdictOf } from '../../kernel/verdict.ts';
import { playgroundKeyId } from '../../render/usage-record.ts';
import type { Account, RequestRecord } from '../../store/store.ts';
import { cursorIn, nextPage, type QueryReader, queryOf, readChoice, verdictIn } from './body.ts';
import type { RangeName, RequestsView, RequestView, Sums, UsageView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import type { Guard } from './guard.ts';
import { registerOn } from './route.ts';
import type { QueryOf } from './routes.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

const ranges: Readonly<Record<RangeName, { by: 'hour' | 'day'; count: number }>> = {
  '24h': { by: 'hour', count: 24 },
  '7d': { by: 'day', count: 7 },
  '30d': { by: 'day', count: 30 },
  '90d': { by: 'day', count: 90 },
};
const rangeNames = Object.keys(ranges) as RangeName[];
const outcomes = ['render', 'hit', 'error'] as const;
const pageSize = 25;

type Bucket = UsageView['buckets'][number];

export function registerUsage(app: FastifyInstance, dependencies: DashboardDependencies, guard: Guard): void {
  const route = registerOn(app);
  const { store, limits, quota, plans, cache, journal } = dependencies;

  async function bucketsFor(query: QueryReader<QueryOf<'GET /api/usage'>>, account: Account) {
    const range = readChoice(query.get('range') ?? '7d', 'range', rangeNames);
    const keyId = query.get('key') ?? undefined;
    const { by, count } = ranges[range];
    const size = by === 'hour' ? hourMs : dayMs;
    const to = Date.now();
    const from = Math.floor(to / size) * size - (count - 1) * size;
    await journal.flush();
    const found = await store.usage.buckets(account.id, { from, to, by, ...(keyId && { keyId }) });
    const at = new Map(found.map((bucket) => [bucket.at, bucket]));
    const buckets = Array.from({ length: count }, (_, index): Bucket => {
      const time = from + index * size;
      return at.get(time) ?? { at: time, renders: 0, hits: 0, errors: 0 };
    });
    return { range, by, from, keyId, buckets };
  }

  const namesOf = async (account: Account): Promise<(keyId: string) => string> => {
    const [keys, sites] = await Promise.all([store.keys.list(account.id), store.sites.list(account.id)]);
    const names = new Map([
      ...keys.map(({ id, name }) => [id, name] as const),
      ...sites.map(({ id, origin }) => [id, `Site ${new URL(origin).host}`] as const),
    ]);
    return (keyId) => (keyId === playgroundKeyId ? 'Playground' : (names.get(keyId) ?? 'Unknown key'));
  };

  route('GET /api/usage', async (request, reply): Promise<UsageView> => {
    const account = await guard.account(request, reply);
    const { range, by, from, keyId, buckets } = await bucketsFor(queryOf(request), account);
    const [byKey, renderTimes, nameOf, allowance, monthly] = await Promise.all([
      store.usage.byKey(account.id, from),
      store.usage.renderTimes(account.id, from, keyId),
      namesOf(account),
      limits.peek(account.id, plans[account.plan].rendersPerMinute),
      quota.peek(account.id, plans[account.plan]),
    ]);
    return {
      range,
      by,
      buckets,
      totals: sum(buckets),
      renderTimes: renderTimes ?? null,
      byKey: byKey
        .filter((row) => keyId === undefined || row.keyId === keyId)
        .map((row) => ({ ...row, name: nameOf(row.keyId) }))
        .sort((a, b) => b.renders + b.hits - (a.renders + a.hits)),
      rate: { limit: allowance.limit, remaining: allowance.remaining, resetAt: allowance.reset * 1000 },
      quota: monthly ? { limit: monthly.limit, remaining: monthly.remaining, resetAt: monthly.reset * 1000 } : null,
    };
  });

  route('GET /api/usage.csv', async (request, reply) => {
    const account = await guard.account(request, reply);
    const { range, by, buckets } = await bucketsFor(queryOf(request), account);
    const rows = buckets.map(
      ({ at, renders, hits, errors }) => `${new Date(at).toISOString()},${renders},${hits},${errors}`,
    );
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="tintype-usage-${range}.csv"`)
      .send([`${by} (UTC),renders,hits,errors`, ...rows, ''].join('\r\n'));
  });

  route('GET /api/requests', async (request, reply): Promise<RequestsView> => {
    const account = await guard.account(request, reply);
    const query = queryOf(request);
    const before = cursorIn(query);
    const keyId = query.get('key') ?? undefined;
    const outcome = query.get('outcome');
    const verdict = verdictIn(query);
    await journal.flush();
    const records = await store.usage.recent(account.id, {
      count: pageSize,
      ...(before !== undefined && { before }),
      ...(keyId && { keyId }),
      ...(outcome !== null && { outcome: readChoice(outcome, 'outcome', outcomes) }),
      ...(verdict !== undefined && { verdict }),
    });
    const nameOf = await namesOf(account);
    const requests = await Promise.all(
      records.map(async (record) => requestView(record, nameOf, await isStored(account, record))),
    );
    return { requests, next: nextPage(records, pageSize, ({ at, id }) => ({ at, id })) };
  });

  async function isStored(account: Account, { cacheKey }: RequestRecord): Promise<boolean> {
    return cacheKey !== null && (await cache.find(cacheKey))?.accountId === account.id;
  }
}

const sum = (buckets: readonly Sums[]): Sums =>
  buckets.reduce<Sums>(
    (all, each) => ({
      renders: all.renders + each.renders,
      hits: all.hits + each.hits,
      errors: all.errors + each.errors,
    }),
    { renders: 0, hits: 0, errors: 0 },
  );

function requestView(record: RequestRecord, nameOf: (keyId: string) => string, stored: boolean): RequestView {
  const { id, at, endpoint, status, outcome, code, keyId, renderMs, totalMs } = record;
  return {
    ...{ id, at, endpoint, status, outcome, code, keyId, renderMs, totalMs },
    keyName: nameOf(keyId),
    parameters: JSON.parse(record.parameters),
    phases: JSON.parse(record.phases),
    warnings: JSON.parse(record.warnings),
    verdict: record.verdict === null ? null : verdictOf(record.verdict.split(',') as VerdictCode[]),
    captureId: stored ? record.cacheKey : null,
  };
}
