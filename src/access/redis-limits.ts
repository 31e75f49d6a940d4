// The limit of renders a minute, shared by all machines: the same exact sliding minute as in limits.ts, kept in
// Redis and counted by its clock.
import { randomBytes } from 'node:crypto';
import { BoundedMap } from '../kernel/bounded-map.ts';
import { sleep } from '../kernel/deadline.ts';
import { type Allowance, type Limits, limitOf, type Rate } from './limits.ts';

/** Runs a script of this name in Redis in one step; ARGV[1] is a prefix for its keys. */
export type RunScript = (
  script: { readonly name: string; readonly lua: string },
  ...args: (string | number)[]
) => Promise<unknown>;

const windowMs = 60_000;
// How things stand is on every answer, hits among them. It is asked of Redis once a second an account, else a
// cluster's hits would be bound by its one Redis; what this machine takes it sees at once.
const peekedMs = 1000;
/** A hit does not wait for a Redis that hangs. */
const peekPatienceMs = 100;

export function createRedisLimits(run: RunScript): Limits {
  const seen = new BoundedMap<string, { at: number; limit: number; allowance: Allowance }>(10_000);

  const remember = (accountId: string, allowance: Allowance): Allowance => {
    seen.set(accountId, { at: performance.now(), limit: allowance.limit, allowance });
    return allowance;
  };

  async function ask(accountId: string, plan: Rate, ticket: string): Promise<Allowance> {
    const limit = limitOf(plan);
    const answer = (await run(takeScript, accountId, limit, ticket)) as [number, number, number, number];
    const [ok, used, newest, waitMs] = answer.map(Number) as [number, number, number, number];
    const allowance = {
      ok: ok === 1,
      limit,
      remaining: Math.max(0, limit - used),
      reset: Math.ceil(newest / 1000),
      retryAfter: waitMs > 0 ? Math.max(1, Math.ceil(waitMs / 1000)) : 0,
    };
    return remember(accountId, allowance);
  }

  return {
    async take(accountId, plan) {
      const ticket = randomBytes(9).toString('base64url');
      const allowance = await ask(accountId, plan, ticket);
      return allowance.ok ? { ...allowance, retryAfter: 0, ticket } : allowance;
    },

    async giveBack(accountId, { ticket }) {
      seen.delete(accountId);
      // Where Redis is away it counts for a minute: nobody is refused for it who could render now.
      if (ticket !== undefined) await run(giveBackScript, accountId, ticket).catch(() => {});
    },

    async peek(accountId, plan) {
      const known = seen.get(accountId);
      const limit = limitOf(plan);
      if (known !== undefined && known.limit === limit && performance.now() - known.at < peekedMs)
        return known.allowance;
      const asked = ask(accountId, plan, '').catch(() => undefined);
      const answer = await Promise.race([asked, sleep(peekPatienceMs).then(() => undefined)]);
      // Away: what was last known, or nothing used yet. It is put down as seen, so that not every hit waits for it.
      return answer ?? remember(accountId, known?.limit === limit ? known.allowance : unused(limit));
    },
  };
}

const unused = (limit: number): Allowance => ({
  ok: true,
  limit,
  remaining: limit,
  reset: Math.ceil(Date.now() / 1000),
  retryAfter: 0,
});

// rate:<account>: the tickets of the last minute by their time. Gives back: may it, how many are used, when the
// newest runs out, and in how many milliseconds there is room. Without a ticket nothing is taken.
const takeScript = {
  name: 'tintypeTake',
  lua: `
local rate, limit, ticket = P .. 'rate:' .. ARGV[2], tonumber(ARGV[3]), ARGV[4]
redis.call('ZREMRANGEBYSCORE', rate, '-inf', now - ${windowMs})
local used = redis.call('ZCARD', rate)
local ok = used < limit
if ok and ticket ~= '' then
  redis.call('ZADD', rate, now, ticket)
  redis.call('PEXPIRE', rate, ${windowMs})
  used = used + 1
end
local newest = redis.call('ZRANGE', rate, -1, -1, 'WITHSCORES')[2]
local wait = 0
-- Of a plan that was lowered more than one may have to run out before there is room.
if used >= limit then wait = redis.call('ZRANGE', rate, used - limit, used - limit, 'WITHSCORES')[2] + ${windowMs} - now end
return { ok and 1 or 0, used, newest and newest + ${windowMs} or now, wait }
`,
};

const giveBackScript = {
  name: 'tintypeGiveBack',
  lua: `redis.call('ZREM', P .. 'rate:' .. ARGV[2], ARGV[3])`,
};
