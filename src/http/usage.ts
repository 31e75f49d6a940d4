// GET /v1/usage: what the account has used in this month, and what is left.
import type { FastifyInstance } from 'fastify';
import { monthOf, nextMonth } from '../access/quota.ts';
import { invalidParameter } from '../kernel/errors.ts';
import { readQuery } from '../kernel/parameters.ts';
import { identify } from './caller.ts';
import type { HttpDependencies } from './dependencies.ts';
import { rawQueryOf } from './request-context.ts';

export function registerUsageOfMonth(app: FastifyInstance, dependencies: HttpDependencies): void {
  const { store, limits, quota, plans, journal } = dependencies;
  app.get('/v1/usage', async (request, reply) => {
    const { account } = await identify(request, dependencies);
    for (const name of readQuery(rawQueryOf(request)).keys())
      if (name !== 'api_key') throw invalidParameter(name, `${name} is unknown here; only api_key is taken.`);
    const plan = plans[account.plan];
    const from = monthOf(Date.now());
    const to = nextMonth(from);
    await journal.flush();
    const [rate, monthly, days] = await Promise.all([
      limits.peek(account.id, plan.rendersPerMinute),
      quota.peek(account.id, plan),
      store.usage.buckets(account.id, { from, to, by: 'day' }),
    ]);
    const sum = (name: 'renders' | 'hits' | 'errors') => days.reduce((total, day) => total + day[name], 0);
    const renders = sum('renders');
    reply.header('cache-control', 'no-store');
    return {
      plan: account.plan,
      period: { from, to },
      quota: {
        limit: monthly?.limit ?? null,
        used: monthly?.used ?? renders,
        remaining: monthly?.remaining ?? null,
        resetAt: to,
      },
      rate: { limit: rate.limit, remaining: rate.remaining, resetAt: rate.reset * 1000 },
      requests: { renders, hits: sum('hits'), errors: sum('errors') },
    };
  });
}
