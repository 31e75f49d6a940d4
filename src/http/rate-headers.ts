// What is left of the account's rate and monthly allowance, in every response to an authenticated caller: in the headers
// that most services send, and in those of the IETF draft (draft-ietf-httpapi-ratelimit-headers).
import type { FastifyRequest } from 'fastify';
import type { HttpDependencies } from './dependencies.ts';

export async function rateHeaders(
  { context: { requester } }: FastifyRequest,
  { limits, quota, plans }: Pick<HttpDependencies, 'limits' | 'quota' | 'plans'>,
): Promise<Record<string, number | string>> {
  if (requester === undefined) return {};
  const { account } = requester;
  const plan = plans[account.plan];
  const { limit, remaining, reset } = await limits.peek(account.id, plan.rendersPerMinute);
  const monthly = plan.rendersPerMonth === undefined ? undefined : await quota.peek(account.id, plan);
  return {
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': reset,
    ...(monthly && {
      'x-quota-limit': monthly.limit,
      'x-quota-remaining': monthly.remaining,
      'x-quota-reset': monthly.reset,
    }),
    'ratelimit-policy': `"renders";q=${limit};w=60`,
    ratelimit: `"renders";r=${remaining};t=${Math.max(0, reset - Math.floor(Date.now() / 1000))}`,
  };
}
