// The remaining rate of the account: in every response to an authenticated caller.
import type { FastifyRequest } from 'fastify';
import type { HttpDependencies } from './dependencies.ts';

export async function rateHeaders(
  { context: { requester } }: FastifyRequest,
  { limits, plans }: Pick<HttpDependencies, 'limits' | 'plans'>,
): Promise<Record<string, number>> {
  if (requester === undefined) return {};
  const { account } = requester;
  const { limit, remaining, reset } = await limits.peek(account.id, plans[account.plan]);
  return { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset };
}
