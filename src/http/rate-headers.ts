// The remaining rate of the account, in every response to an authenticated caller: in the headers that most services send,
// and in those of the IETF draft (draft-ietf-httpapi-ratelimit-headers).
import type { FastifyRequest } from 'fastify';
import type { HttpDependencies } from './dependencies.ts';

export async function rateHeaders(
  { context: { requester } }: FastifyRequest,
  { limits, plans }: Pick<HttpDependencies, 'limits' | 'plans'>,
): Promise<Record<string, number | string>> {
  if (requester === undefined) return {};
  const { account } = requester;
  const { limit, remaining, reset } = await limits.peek(account.id, plans[account.plan]);
  return {
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': reset,
    'ratelimit-policy': `"renders";q=${limit};w=60`,
    ratelimit: `"renders";r=${remaining};t=${Math.max(0, reset - Math.floor(Date.now() / 1000))}`,
  };
}
