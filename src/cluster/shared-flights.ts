// Identical requests on different machines are one render. The machine that came first leads: it makes and
// stores the result, and the others get it. If the leader's last client goes, or the leader dies, one of the
// others leads on, with the render under way.
import { randomBytes } from 'node:crypto';
import { type Deadline, sleep } from '../kernel/deadline.ts';
import { lanes } from '../kernel/lanes.ts';
import type { Log } from '../kernel/log.ts';
import { insist, type Link, queueAway, space } from './link.ts';
import type { Letterbox, Member } from './member.ts';
import { pack, unpack } from './parcel.ts';
import { fromLetter, type ProblemLetter, toLetter } from './problems.ts';

export type SharedFlights<T> = {
  /**
   * `run` is called if this machine leads; its id names the render. `again` says that a flight of the same key ended a
   * moment ago, so that its result may be stored by now. Else this is another machine's result.
   */
  fly(key: string, work: Deadline, run: Run<T>): Promise<T>;
};

type Run<T> = (id: string, again: boolean) => Promise<T>;

type Parts<T> = {
  link: Link;
  member: Member;
  log: Log;
  /** A result as what JSON can hold and its bytes, and back (on the machine of a follower). */
  toParts(result: T): { head: unknown; bytes: Buffer };
  fromParts(head: unknown, bytes: Buffer): T;
  /** Nobody anywhere waits for this render any more. */
  abandoned(id: string, account: string): Promise<void>;
};

type Seat = { readonly key: string; readonly name: string; readonly box: Letterbox; readonly work: Deadline };
type Outcome = { head: unknown } | { problem: ProblemLetter };

const askAgainMs = 1000;
/** How long followers bear with a Redis that is away before they are told 503. */
const patienceMs = 5000;
/** How long the end of a flight can be read by who missed the letter. */
const endKeptMs = 15_000;
/** Longer than anybody's way from a look into the cache to a seat. */
const againMs = 10_000;

export function createSharedFlights<T>(parts: Parts<T>): SharedFlights<T> {
  const { link, member, log } = parts;
  let seats = 0;
  const endsAt = (work: Deadline) => Math.round(link.now() + work.remaining());

  async function lead(seat: Seat, id: string, run: Run<T>, again: boolean): Promise<T> {
    // A Redis that came back without its memory learns of the flight again.
    const hold = () => link.run(holdScript, seat.key, id, seat.name, endsAt(seat.work)).catch(() => {});
    const holding = setInterval(hold, askAgainMs).unref();
    try {
      const result = await run(id, again);
      land(() => end(seat, id, result));
      return result;
    } catch (error) {
      const outcome = JSON.stringify({ problem: toLetter(error) });
      if (seat.work.signal.aborted) await leave(seat, id);
      else land(() => link.run(endScript, seat.key, id, seat.name, outcome));
      throw error;
    } finally {
      clearInterval(holding);
    }
  }

  // Those who wait here need not wait for the others to be told. That they are told is insisted on: a flight that is
  // never ended would keep everybody who asks for the same waiting for nothing.
  const land = (tell: () => Promise<unknown>): void =>
    void insist(tell).catch((error) => log.warn({ err: error }, 'the end of a render was not told to other nodes'));

  // Nobody follows, as a rule: then the bytes stay where they are.
  async function end(seat: Seat, id: string, result: T): Promise<void> {
    if (Number(await link.run(endScript, seat.key, id, seat.name, '')) <= 0) return;
    const { head, bytes } = parts.toParts(result);
    await link.call((redis) => redis.set(`${space}:flown:${id}`, pack(head, bytes), 'PX', endKeptMs));
    await link.run(endScript, seat.key, id, seat.name, JSON.stringify({ head: true }));
  }

  /** The leader's result; or undefined if we are to lead; or 'over' if the flight ended without a word. */
  async function follow(seat: Seat, id: string): Promise<T | undefined | 'over'> {
    let lastAnswer = performance.now();
    for (;;) {
      await seat.work.race(seat.box.next(askAgainMs));
      let answer: [string, string];
      try {
        answer = (await link.run(askScript, seat.key, id, seat.name)) as [string, string];
        lastAnswer = performance.now();
      } catch (error) {
        if (performance.now() - lastAnswer > patienceMs) throw queueAway(error);
        continue;
      }
      const [state, text] = answer;
      if (state === 'lead') return undefined;
      if (state === 'over') return text === '' ? 'over' : await arrive(id, JSON.parse(text));
    }
  }

  async function arrive(id: string, outcome: Outcome): Promise<T | 'over'> {
    if ('problem' in outcome) throw fromLetter(outcome.problem);
    const parcel = await link.call((redis) => redis.getBuffer(`${space}:flown:${id}`));
    if (parcel === null) return 'over';
    const { head, bytes } = unpack(parcel);
    return parts.fromParts(head, bytes);
  }

  async function leave(seat: Seat, id: string): Promise<void> {
    const left = (await link.run(leaveScript, seat.key, id, seat.name).catch(() => undefined)) as string | undefined;
    if (left !== undefined && left !== null) await parts.abandoned(id, left).catch(() => {});
  }

  return {
    async fly(key, work, run) {
      const name = `${member.id}/${++seats}`;
      const seat: Seat = { key, name, work, box: member.open(name) };
      try {
        for (;;) {
          const newId = `${key}.${randomBytes(6).toString('hex')}`;
          const answer = await link.run(boardScript, key, newId, name, endsAt(work));
          const [role, id, again] = answer as [string, string, number];
          work.onExtend = () => void link.run(extendScript, key, id, endsAt(work)).catch(() => {});
          if (role === 'lead') return await lead(seat, id, run, again === 1);
          let result: T | undefined | 'over';
          try {
            result = await follow(seat, id);
          } catch (error) {
            if (work.signal.aborted) await leave(seat, id);
            throw error;
          }
          if (result === undefined) return await lead(seat, id, run, true);
          if (result !== 'over') return result;
          await sleep(50, work.signal);
        }
      } finally {
        work.onExtend = undefined;
        seat.box.close();
      }
    },
  };
}

// A flight: { id, owner, endsAt, account }. It ends with the most patient of those who wait for it, and it is
// forgotten some time later whatever happens.
const extend = `
local function extend(flight, id, endsAt)
  local before = tonumber(redis.call('HGET', flight, 'endsAt') or '0')
  if endsAt <= before then return end
  redis.call('HSET', flight, 'endsAt', endsAt)
  redis.call('PEXPIREAT', flight, endsAt + 10000)
${lanes.map((lane) => `  redis.call('ZADD', P .. 'gate:${lane}:jobs', 'XX', endsAt + 5000, id)`).join('\n')}
  if before > 0 then redis.call('PUBLISH', P .. 'renderers:hear', 'extend ' .. id .. ' ' .. endsAt) end
end
`;

const boardScript = {
  name: 'tintypeBoard',
  lua: `${extend}
local key, newId, seat, endsAt = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local flight = P .. 'flight:' .. key
local known = redis.call('HMGET', flight, 'id', 'owner')
local id, owner = known[1], known[2]
if not id then
  redis.call('HSET', flight, 'id', newId, 'owner', seat)
  extend(flight, newId, endsAt)
  return { 'lead', newId, redis.call('EXISTS', P .. 'again:' .. key) }
end
extend(flight, id, endsAt)
if not alive(owner) then
  redis.call('HSET', flight, 'owner', seat)
  return { 'lead', id, 1 }
end
redis.call('SADD', P .. 'follow:' .. key, seat)
redis.call('PEXPIREAT', P .. 'follow:' .. key, endsAt + 10000)
return { 'follow', id, 0 }
`,
};

const extendScript = {
  name: 'tintypeExtend',
  lua: `${extend}
local flight = P .. 'flight:' .. ARGV[2]
if redis.call('HGET', flight, 'id') == ARGV[3] then extend(flight, ARGV[3], tonumber(ARGV[4])) end
`,
};

const holdScript = {
  name: 'tintypeHold',
  lua: `${extend}
local flight = P .. 'flight:' .. ARGV[2]
if redis.call('EXISTS', flight) == 1 then return end
redis.call('HSET', flight, 'id', ARGV[3], 'owner', ARGV[4])
extend(flight, ARGV[3], tonumber(ARGV[5]))
`,
};

const askScript = {
  name: 'tintypeAsk',
  lua: `
local key, id, seat = ARGV[2], ARGV[3], ARGV[4]
local flight = P .. 'flight:' .. key
local known = redis.call('HMGET', flight, 'id', 'owner')
if known[1] ~= id then return { 'over', redis.call('GET', P .. 'end:' .. id) or '' } end
if known[2] == seat then return { 'lead', '' } end
if alive(known[2]) then
  redis.call('SADD', P .. 'follow:' .. key, seat)
  return { 'wait', '' }
end
redis.call('HSET', flight, 'owner', seat)
redis.call('SREM', P .. 'follow:' .. key, seat)
return { 'lead', '' }
`,
};

// With an outcome the flight ends; without one it ends if nobody follows, else the number of followers comes back.
const endScript = {
  name: 'tintypeEnd',
  lua: `
local key, id, seat, outcome = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local flight, follow = P .. 'flight:' .. key, P .. 'follow:' .. key
local known = redis.call('HMGET', flight, 'id', 'owner')
if known[1] ~= id or known[2] ~= seat then return -1 end
local followers = redis.call('SMEMBERS', follow)
if #followers > 0 and outcome == '' then return #followers end
if #followers > 0 then redis.call('SET', P .. 'end:' .. id, outcome, 'PX', ${endKeptMs}) end
redis.call('DEL', flight, follow)
redis.call('SET', P .. 'again:' .. key, 1, 'PX', ${againMs})
for _, follower in ipairs(followers) do write(follower, follower, { says = 'over' }) end
return 0
`,
};

// Whoever leads hands the flight on; the last one ends it, and gets the account back whose render is to be dropped.
const leaveScript = {
  name: 'tintypeLeaveFlight',
  lua: `
local key, id, seat = ARGV[2], ARGV[3], ARGV[4]
local flight, follow = P .. 'flight:' .. key, P .. 'follow:' .. key
redis.call('SREM', follow, seat)
local known = redis.call('HMGET', flight, 'id', 'owner', 'account')
if known[1] ~= id or known[2] ~= seat then return false end
local heir = redis.call('SPOP', follow)
while heir do
  if alive(heir) then
    redis.call('HSET', flight, 'owner', heir)
    write(heir, heir, { says = 'lead' })
    return false
  end
  heir = redis.call('SPOP', follow)
end
redis.call('DEL', flight)
redis.call('PUBLISH', P .. 'renderers:hear', 'cancel ' .. id)
return known[3] or ''
`,
};
