// The limits per minute shared by all machines: the same sliding window as in limits.ts, kept in Redis and
// measured by its clock.
import { randomBytes } from 'node:crypto';
import { BoundedMap } from '../kernel/bounded-map.ts';
import { sleep } from '../kernel/deadline.ts';
import { type Allowance, type Limits, limitOf } from './limits.ts';

/** Runs a script in Redis, atomically; ARGV[1] is the prefix of its keys. */
export type RunScript = (
  script: { readonly name: string; readonly lua: string },
  ...args: (string | number)[]
) => Promise<unknown>;

const windowMs = 60_000;
// Every response reports the remaining rate, cache hits too. Redis is asked for it at most once a second for each
// account; otherwise Redis would limit the rate of hits. What this machine itself takes is visible at once.
const peekedMs = 1000;
/** A cache hit does not wait longer for Redis. */
const peekPatienceMs = 100;

export function createRedisLimits(run: RunScript): Limits {
  const seen = new BoundedMap<string, { at: number; limit: number; allowance: Allowance }>(10_000);

  const remember = (name: string, allowance: Allowance): Allowance => {
    seen.set(name, { at: performance.now(), limit: allowance.limit, allowance });
    return allowance;
  };

  async function ask(name: string, perMinute: number, ticket: string): Promise<Allowance> {
    const limit = limitOf(perMinute);
    const answer = (await run(takeScript, name, limit, ticket)) as [number, number, number, number];
    const [ok, used, newest, waitMs] = answer.map(Number) as [number, number, number, number];
    const allowance = {
      ok: ok === 1,
      limit,
      remaining: Math.max(0, limit - used),
      reset: Math.ceil(newest / 1000),
      retryAfter: waitMs > 0 ? Math.max(1, Math.ceil(waitMs / 1000)) : 0,
    };
    return remember(name, allowance);
  }

  return {
    async take(name, perMinute) {
      const ticket = randomBytes(9).toString('base64url');
      const allowance = await ask(name, perMinute, ticket);
      return allowance.ok ? { ...allowance, retryAfter: 0, ticket } : allowance;
    },

    async giveBack(name, { ticket }) {
      seen.delete(name);
      // While Redis is unavailable nothing renders, so a render that counts for a minute too long harms nobody.
      if (ticket !== undefined) await run(giveBackScript, name, ticket).catch(() => {});
    },

    async peek(name, perMinute) {
      const known = seen.get(name);
      const limit = limitOf(perMinute);
      if (known !== undefined && known.limit === limit && performance.now() - known.at < peekedMs)
        return known.allowance;
      const asked = ask(name, perMinute, '').catch(() => undefined);
      const answer = await Promise.race([asked, sleep(peekPatienceMs).then(() => undefined)]);
      // If Redis is unavailable: the last known state, or nothing used. It is remembered, so that not every hit waits.
      return answer ?? remember(name, known?.limit === limit ? known.allowance : unused(limit));
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

// rate:<account>: the tickets of the last minute by their time. Returns whether a render is allowed, how many are used,
// when the newest leaves the window, and in how many milliseconds the next is allowed. Without a ticket nothing is
// taken.
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
-- After a change to a lower plan, more than one may have to leave the window first.
if used >= limit then wait = redis.call('ZRANGE', rate, used - limit, used - limit, 'WITHSCORES')[2] + ${windowMs} - now end
return { ok and 1 or 0, used, newest and newest + ${windowMs} or now, wait }
`,
};

const giveBackScript = {
  name: 'tintypeGiveBack',
  lua: `redis.call('ZREM', P .. 'rate:' .. ARGV[2], ARGV[3])`,
};
