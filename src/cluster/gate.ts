// The gate before the queue, for the whole cluster: an account has no more renders in the queue and under way than
// its plan allows at once, the others wait at the gate in the order they came; the number of all renders is bound,
// and when it is reached the account with the most waiting loses its newest. Who passes gets a number by which the
// queue sorts: stride scheduling, as in render/admission.ts, so that a plan with twice the share is served twice
// as often and nobody starves.
import { Problem } from '../kernel/errors.ts';
import type { PlanName } from '../kernel/plans.ts';
import type { Argument, Link, Script } from './link.ts';

export type Applicant = {
  readonly accountId: string;
  readonly plan: PlanName;
  readonly atOnce: number;
  readonly weight: number;
};

export type Gate = {
  /**
   * The place in the queue; or undefined: wait for the letter "go" (or "full"); or 'made' if another machine led before
   * and the result lies there already. Throws 503 if there is no room.
   */
  enter(id: string, applicant: Applicant, endsAt: number, room: number): Promise<number | 'made' | undefined>;
  /** Gives up a place at the gate or behind it. */
  leave(id: string, accountId: string): Promise<void>;
  /** For a render node: when the render must end, or undefined if nobody wants it any more. */
  claim(id: string): Promise<number | undefined>;
  /** For a render node: tells who waits in which step the render is. */
  report(id: string, step: string): Promise<void>;
  /** For a render node: the render is done. What it made goes to who leads its flight, and the next may pass. */
  finish(id: string, accountId: string, parcel: Buffer): Promise<void>;
};

// What one render costs an account of a plan: its share is the inverse.
const costs: Readonly<Record<PlanName, number>> = { free: 8, starter: 4, pro: 2, business: 1 };

export const overloaded = (): Problem => new Problem('overloaded', { retryAfter: 2 });

export function createGate(link: Link): Gate {
  const ask = async (script: Script, ...args: Argument[]) => (await link.run(script, ...args)) as [string, number];
  return {
    async enter(id, { accountId, plan, atOnce }, endsAt, room) {
      const [state, priority] = await ask(enterScript, id, accountId, atOnce, costs[plan], endsAt, room);
      if (state === 'full') throw overloaded();
      if (state === 'made') return state;
      return state === 'go' ? Number(priority) : undefined;
    },
    leave: async (id, accountId) => void (await link.run(leaveScript, id, accountId)),
    async claim(id) {
      const endsAt = await link.run(claimScript, id);
      return endsAt === null ? undefined : Number(endsAt);
    },
    report: async (id, step) => void (await link.run(reportScript, id, step)),
    finish: async (id, accountId, parcel) => void (await link.run(finishScript, id, accountId, parcel)),
  };
}

// BullMQ's largest priority.
const lastPlace = 2 ** 21 - 1;
/** A result nobody fetched: the leader died, and so did who led on. */
const parcelKeptMs = 30_000;
// Bytes are published to who waits for them: a third of Redis's work of storing and fetching them, and they never
// reach its append-only file (bench/cluster-bytes.ts). A listener that lags by 32 MB is cut off by Redis's defaults,
// so what is larger is stored.
const publishedMax = 2_000_000;

// jobs: every render asked for and not done, by the time it is forgotten at the latest.
// held:<account>: renders at the gate, by the time they came. run:<account>: those that passed it.
// waiting: accounts by the number they have at the gate. plans: atOnce and cost of accounts.
const gate = `
local function flightOf(id) return P .. 'flight:' .. string.match(id, '^[^.]+') end
local function ownerOf(id)
  local known = redis.call('HMGET', flightOf(id), 'id', 'owner')
  return known[1] == id and known[2]
end
local function count(account)
  local number = redis.call('ZCARD', P .. 'held:' .. account)
  if number > 0 then redis.call('ZADD', P .. 'waiting', number, account)
  else redis.call('ZREM', P .. 'waiting', account) end
end
local function place(account, cost)
  if redis.call('ZCARD', P .. 'jobs') <= 1 or redis.call('HLEN', P .. 'passes') > 10000 then
    redis.call('DEL', P .. 'passes', P .. 'virtual')
  end
  local pass = math.max(tonumber(redis.call('GET', P .. 'virtual') or '0'),
    tonumber(redis.call('HGET', P .. 'passes', account) or '0'))
  redis.call('HSET', P .. 'passes', account, pass + cost)
  return math.min(pass + 1, ${lastPlace})
end
-- Lets those at the account's gate pass as there is room; gives back the place of \`mine\` if it is among them.
local function advance(account, mine)
  local held, run = P .. 'held:' .. account, P .. 'run:' .. account
  local plan = redis.call('HMGET', P .. 'plans', account .. ':atOnce', account .. ':cost')
  local atOnce, cost = tonumber(plan[1] or '1'), tonumber(plan[2] or '8')
  local result
  redis.call('ZREMRANGEBYSCORE', run, '-inf', now)
  while redis.call('ZCARD', run) < atOnce do
    local id = redis.call('ZRANGE', held, 0, 0)[1]
    if not id then break end
    redis.call('ZREM', held, id)
    local owner = ownerOf(id)
    if owner and alive(owner) then
      local ends = redis.call('ZSCORE', P .. 'jobs', id) or (now + 70000)
      redis.call('ZADD', run, ends, id)
      local priority = place(account, cost)
      redis.call('HSET', flightOf(id), 'place', priority)
      if id == mine then result = priority else write(owner, id, { says = 'go', priority = priority }) end
    else
      redis.call('ZREM', P .. 'jobs', id)
    end
  end
  count(account)
  return result
end
`;

const enterScript = {
  name: 'tintypeEnter',
  lua: `${gate}
local id, account, atOnce, cost = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local endsAt, room = tonumber(ARGV[6]), tonumber(ARGV[7])
if redis.call('EXISTS', P .. 'parcel:' .. id) == 1 then return { 'made', 0 } end
redis.call('HSET', P .. 'plans', account .. ':atOnce', atOnce, account .. ':cost', cost)
redis.call('HSET', flightOf(id), 'account', account)
-- A machine that leads on where another died may ask for what has passed already.
if redis.call('ZSCORE', P .. 'run:' .. account, id) then
  return { 'go', tonumber(redis.call('HGET', flightOf(id), 'place') or '1') }
end
local held = P .. 'held:' .. account
if not redis.call('ZSCORE', held, id) then
  redis.call('ZREMRANGEBYSCORE', P .. 'jobs', '-inf', now)
  if redis.call('ZCARD', P .. 'jobs') >= room then
    local top = redis.call('ZREVRANGE', P .. 'waiting', 0, 0, 'WITHSCORES')
    if not top[1] or top[1] == account or tonumber(top[2]) <= redis.call('ZCARD', held) + 1 then
      return { 'full', 0 }
    end
    local newest = redis.call('ZREVRANGE', P .. 'held:' .. top[1], 0, 0)[1]
    redis.call('ZREM', P .. 'held:' .. top[1], newest)
    redis.call('ZREM', P .. 'jobs', newest)
    count(top[1])
    local owner = ownerOf(newest)
    if owner then write(owner, newest, { says = 'full' }) end
  end
  redis.call('ZADD', P .. 'jobs', endsAt + 5000, id)
  redis.call('ZADD', held, now, id)
end
local priority = advance(account, id)
return { priority and 'go' or 'wait', priority or 0 }
`,
};

const leaveScript = {
  name: 'tintypeLeaveGate',
  lua: `${gate}
local id, account = ARGV[2], ARGV[3]
redis.call('ZREM', P .. 'jobs', id)
redis.call('ZREM', P .. 'held:' .. account, id)
redis.call('ZREM', P .. 'run:' .. account, id)
advance(account)
`,
};

const claimScript = {
  name: 'tintypeClaim',
  lua: `
local id = ARGV[2]
local flight = redis.call('HMGET', P .. 'flight:' .. string.match(id, '^[^.]+'), 'id', 'endsAt', 'place')
if flight[1] ~= id then return false end
local place = tonumber(flight[3] or '1') - 1
if place > tonumber(redis.call('GET', P .. 'virtual') or '0') then redis.call('SET', P .. 'virtual', place) end
return tonumber(flight[2])
`,
};

const reportScript = {
  name: 'tintypeReport',
  lua: `
local id, step = ARGV[2], ARGV[3]
local flight = redis.call('HMGET', P .. 'flight:' .. string.match(id, '^[^.]+'), 'id', 'owner')
if flight[1] == id then write(flight[2], id, { says = 'step', step = step }) end
`,
};

const finishScript = {
  name: 'tintypeFinish',
  lua: `${gate}
local id, account, parcel = ARGV[2], ARGV[3], ARGV[4]
redis.call('ZREM', P .. 'jobs', id)
redis.call('ZREM', P .. 'run:' .. account, id)
local owner = ownerOf(id)
if owner and (#parcel > ${publishedMax} or redis.call('PUBLISH', P .. 'parcels:' .. machine(owner), parcel) == 0) then
  redis.call('SET', P .. 'parcel:' .. id, parcel, 'PX', ${parcelKeptMs})
  write(owner, id, { says = 'done' })
end
advance(account)
`,
};
