// The gate before the queue of a lane (pages or cards), for the whole cluster, by the rules of render/admission.ts: an
// account has no more in the queue and under way than its plan allows at once, counted by weight; lower plans together
// take a part of all places at most; the others wait at the gate in the order they came. The number of all renders is bound, and
// when it is reached the account with the most waiting loses its newest. Who passes gets a number by which the queue
// sorts: when it is due on a common clock, so that a plan with twice the share is served twice as often and nobody
// starves. Slots are the matter of the render nodes: each takes what it can begin.
import { Problem } from '../kernel/errors.ts';
import type { Lane } from '../kernel/lanes.ts';
import { type PlanName, planNames, planPlaces, planShares } from '../kernel/plans.ts';
import type { Argument, Link, Script } from './link.ts';

export type Applicant = {
  readonly accountId: string;
  readonly plan: PlanName;
  readonly atOnce: number;
  readonly weight: number;
};

/** What all render nodes have together, and how many renders may wait for that. */
export type Room = { readonly slots: number; readonly places: number; readonly queueMax: number };

export type Gate = {
  /**
   * The place in the queue; or undefined: wait for the letter "go" (or "full"); or 'made' if another machine led before
   * and the result lies there already. Throws 503 if there is no room.
   */
  enter(id: string, applicant: Applicant, endsAt: number, room: Room): Promise<number | 'made' | undefined>;
  /** Gives up a place at the gate or behind it. */
  leave(id: string, accountId: string): Promise<void>;
  /** For a render node: when the render must end, or undefined if nobody wants it any more. */
  claim(id: string): Promise<number | undefined>;
  /** For a render node: tells who waits in which step the render is, and whether it has got a slot. */
  report(id: string, step: string, began: boolean): Promise<void>;
  /** For a render node: the render is done. What it made goes to who leads its flight, and the next may pass. */
  finish(id: string, accountId: string, parcel: Buffer): Promise<void>;
};

// What an ordinary render costs an account of a plan, in whole numbers: its share is the inverse.
const costOf = (plan: PlanName): number => Math.round(Math.max(...Object.values(planShares)) / planShares[plan]);

export const overloaded = (): Problem => new Problem('overloaded', { retryAfter: 2 });

export function createGate(link: Link, lane: Lane): Gate {
  const run = (script: Script, ...args: Argument[]) => link.run(script, lane, ...args);
  return {
    async enter(id, { accountId, plan, atOnce, weight }, endsAt, { slots, places, queueMax }) {
      // Where no render node is known yet, the queue is the place to wait for one.
      const most = places === 0 ? lastPlace : Math.max(slots, Math.floor(places * planPlaces[plan]));
      // As in render/admission.ts, a giant takes half the places at most.
      const capped = places === 0 ? weight : Math.min(weight, Math.ceil(places / 2));
      const terms = [atOnce, costOf(plan), planNames.indexOf(plan), most, capped];
      const answer = await run(enterScript, id, accountId, ...terms, endsAt, slots, queueMax);
      const [state, priority] = answer as [string, number];
      if (state === 'full') throw overloaded();
      if (state === 'made') return state;
      return state === 'go' ? Number(priority) : undefined;
    },
    leave: async (id, accountId) => void (await run(leaveScript, id, accountId)),
    async claim(id) {
      const endsAt = await run(claimScript, id);
      return endsAt === null ? undefined : Number(endsAt);
    },
    report: async (id, step, began) => void (await run(reportScript, id, step, began ? 1 : 0)),
    finish: async (id, accountId, parcel) => void (await run(finishScript, id, accountId, parcel)),
  };
}

/** No render weighs more: see captureWeight in capture/budgets.ts. */
const heaviest = 16;
// BullMQ's largest priority.
const lastPlace = 2 ** 21 - 1;
/** A result nobody fetched: the leader died, and so did who led on. */
const parcelKeptMs = 30_000;
// Bytes are published to who waits for them: a third of Redis's work of storing and fetching them, and they never
// reach its append-only file (bench/cluster-bytes.ts). A listener that lags by 32 MB is cut off by Redis's defaults,
// so what is larger is stored.
const publishedMax = 2_000_000;

// Of each lane, below gate:<lane>:
// jobs: every render asked for and not done, by the time it is forgotten at the latest.
// passed:<level>: those of one plan that passed, each as often as it weighs; 0 is the lowest plan.
// held:<account>: renders at the gate, by the time they came. run:<account>: those that passed it.
// waiting: accounts by the number they have at the gate. short: accounts that wait for a place, by how long.
// plans: of accounts, how many at once, what an ordinary render costs, the plan's level, and how many renders of this
// and lower levels may have passed at once.
const gate = `
local G = P .. 'gate:' .. ARGV[2] .. ':'
local function flightOf(id) return P .. 'flight:' .. string.match(id, '^[^.]+') end
local function ownerOf(id)
  local known = redis.call('HMGET', flightOf(id), 'id', 'owner')
  return known[1] == id and known[2]
end
local function weightOf(id) return tonumber(redis.call('HGET', flightOf(id), 'weight') or '1') end
local function count(account)
  local number = redis.call('ZCARD', G .. 'held:' .. account)
  if number > 0 then redis.call('ZADD', G .. 'waiting', number, account)
  else redis.call('ZREM', G .. 'waiting', account) end
end
local function place(account, cost)
  if redis.call('ZCARD', G .. 'jobs') <= 1 or redis.call('HLEN', G .. 'passes') > 10000 then
    redis.call('DEL', G .. 'passes', G .. 'virtual')
  end
  local due = cost + math.max(tonumber(redis.call('GET', G .. 'virtual') or '0'),
    tonumber(redis.call('HGET', G .. 'passes', account) or '0'))
  redis.call('HSET', G .. 'passes', account, due)
  return math.min(due, ${lastPlace})
end
local function passedUpTo(level)
  local number = 0
  for each = 0, level do number = number + redis.call('ZCARD', G .. 'passed:' .. each) end
  return number
end
-- Lets those at the account's gate pass as there is room; gives back the place of \`mine\` if it is among them.
local function advance(account, mine)
  local held, run = G .. 'held:' .. account, G .. 'run:' .. account
  local plan = redis.call('HGET', G .. 'plans', account) or '1 8 0 1'
  local atOnce, cost, level, most = string.match(plan, '^(%S+) (%S+) (%S+) (%S+)$')
  atOnce, cost, level, most = tonumber(atOnce), tonumber(cost), tonumber(level), tonumber(most)
  local result
  redis.call('ZREMRANGEBYSCORE', run, '-inf', now)
  redis.call('ZREMRANGEBYSCORE', G .. 'passed:' .. level, '-inf', now)
  local running = 0
  for _, id in ipairs(redis.call('ZRANGE', run, 0, -1)) do running = running + weightOf(id) end
  redis.call('ZREM', G .. 'short', account)
  while true do
    local id = redis.call('ZRANGE', held, 0, 0)[1]
    if not id then break end
    local weight = weightOf(id)
    if running > 0 and running + weight > atOnce then break end
    local passed = passedUpTo(level)
    if passed > 0 and passed + weight > most then
      redis.call('ZADD', G .. 'short', now, account)
      break
    end
    redis.call('ZREM', held, id)
    local owner = ownerOf(id)
    if owner and alive(owner) then
      local ends = redis.call('ZSCORE', G .. 'jobs', id) or (now + 70000)
      redis.call('ZADD', run, ends, id)
      for part = 1, math.min(weight, ${heaviest}) do redis.call('ZADD', G .. 'passed:' .. level, ends, id .. '#' .. part) end
      running = running + weight
      local priority = place(account, cost * weight)
      redis.call('HSET', flightOf(id), 'place', priority)
      if id == mine then result = priority else write(owner, id, { says = 'go', priority = priority }) end
    else
      redis.call('ZREM', G .. 'jobs', id)
    end
  end
  count(account)
  return result
end
-- A render has ended: the next of its account may pass, and one of those that wait for a place.
local function depart(id, account)
  redis.call('ZREM', G .. 'jobs', id)
  redis.call('ZREM', G .. 'held:' .. account, id)
  redis.call('ZREM', G .. 'run:' .. account, id)
  local parts = {}
  for part = 1, ${heaviest} do parts[part] = id .. '#' .. part end
  for level = 0, ${planNames.length - 1} do redis.call('ZREM', G .. 'passed:' .. level, unpack(parts)) end
  advance(account)
  local longest = redis.call('ZRANGE', G .. 'short', 0, 0)[1]
  if longest and longest ~= account then advance(longest) end
end
`;

const enterScript = {
  name: 'tintypeEnter',
  lua: `${gate}
local id, account, weight = ARGV[3], ARGV[4], ARGV[9]
local endsAt, slots, queueMax = tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12])
if redis.call('EXISTS', P .. 'parcel:' .. id) == 1 then return { 'made', 0 } end
redis.call('HSET', G .. 'plans', account, table.concat({ ARGV[5], ARGV[6], ARGV[7], ARGV[8] }, ' '))
redis.call('HSET', flightOf(id), 'account', account, 'weight', weight)
-- A machine that leads on where another died may ask for what has passed already.
if redis.call('ZSCORE', G .. 'run:' .. account, id) then
  return { 'go', tonumber(redis.call('HGET', flightOf(id), 'place') or '1') }
end
local held = G .. 'held:' .. account
if not redis.call('ZSCORE', held, id) then
  redis.call('ZREMRANGEBYSCORE', G .. 'jobs', '-inf', now)
  -- Pages that only wait are under way beyond the slots: they take nobody's place in the queue.
  local running = math.max(slots, redis.call('LLEN', P .. ARGV[2] .. ':active'))
  if redis.call('ZCARD', G .. 'jobs') >= running + queueMax then
    local top = redis.call('ZREVRANGE', G .. 'waiting', 0, 0, 'WITHSCORES')
    if not top[1] or top[1] == account or tonumber(top[2]) <= redis.call('ZCARD', held) + 1 then
      return { 'full', 0 }
    end
    local newest = redis.call('ZREVRANGE', G .. 'held:' .. top[1], 0, 0)[1]
    redis.call('ZREM', G .. 'held:' .. top[1], newest)
    redis.call('ZREM', G .. 'jobs', newest)
    count(top[1])
    local owner = ownerOf(newest)
    if owner then write(owner, newest, { says = 'full' }) end
  end
  redis.call('ZADD', G .. 'jobs', endsAt + 5000, id)
  redis.call('ZADD', held, now, id)
end
local priority = advance(account, id)
return { priority and 'go' or 'wait', priority or 0 }
`,
};

const leaveScript = {
  name: 'tintypeLeaveGate',
  lua: `${gate}
depart(ARGV[3], ARGV[4])
`,
};

const claimScript = {
  name: 'tintypeClaim',
  lua: `
local id, virtual = ARGV[3], P .. 'gate:' .. ARGV[2] .. ':virtual'
local flight = redis.call('HMGET', P .. 'flight:' .. string.match(id, '^[^.]+'), 'id', 'endsAt', 'place')
if flight[1] ~= id then return false end
local place = tonumber(flight[3] or '1')
if place > tonumber(redis.call('GET', virtual) or '0') then redis.call('SET', virtual, place) end
return tonumber(flight[2])
`,
};

const reportScript = {
  name: 'tintypeReport',
  lua: `
local id, step, began = ARGV[3], ARGV[4], ARGV[5] == '1'
local flight = redis.call('HMGET', P .. 'flight:' .. string.match(id, '^[^.]+'), 'id', 'owner')
if flight[1] == id then write(flight[2], id, { says = 'step', step = step, began = began }) end
`,
};

const finishScript = {
  name: 'tintypeFinish',
  lua: `${gate}
local id, account, parcel = ARGV[3], ARGV[4], ARGV[5]
local owner = ownerOf(id)
if owner and (#parcel > ${publishedMax} or redis.call('PUBLISH', P .. 'parcels:' .. machine(owner), parcel) == 0) then
  redis.call('SET', P .. 'parcel:' .. id, parcel, 'PX', ${parcelKeptMs})
  write(owner, id, { says = 'done' })
end
depart(id, account)
`,
};
