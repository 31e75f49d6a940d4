// Admission to the queue of a lane (pages or cards) for the whole cluster, by the rules of render/admission.ts:
//
// - An account has no more renders queued and running than its plan allows at once, counted by weight.
// - Lower plans together take at most a part of all places.
// - All other renders are held back, in the order they came. Their number is bounded: when the bound is reached, the
//   account with the most of them loses its newest.
// - An admitted render gets a priority, the time at which it is due on a common virtual clock: a plan with twice the share
//   is served twice as often, and no account starves.
// - Renders in the background (jobs) come after all others in the queue, and together leave one slot free. They have a
//   level of their own below all plans, and no other render loses its turn to them.
//
// Slots are the concern of the render nodes: each takes what it can start.
import { Problem } from '../kernel/errors.ts';
import type { Applicant, Lane } from '../kernel/lanes.ts';
import { type PlanName, planNames, planPlaces, planShares } from '../kernel/plans.ts';
import type { Argument, Link, RedisScript } from './link.ts';

/** What all render nodes have together, and how many renders may wait for it. */
export type Room = { readonly slots: number; readonly places: number; readonly queueMax: number };

export type ClusterAdmission = {
  /**
   * The priority in the queue; or undefined if the render is held back until the message "go" (or "full"); or 'made' if
   * another machine led the flight before and the result is stored already. Throws 503 if the queue is full.
   */
  enter(id: string, applicant: Applicant, endsAt: number, room: Room): Promise<number | 'made' | undefined>;
  /** Withdraws a render, held back or admitted. */
  leave(id: string, accountId: string): Promise<void>;
  /** For a render node: when the render must end, or undefined if nobody waits for it any more. */
  claim(id: string): Promise<number | undefined>;
  /** For a render node: tells the leader of the flight which step the render is in, and whether it has a slot. */
  report(id: string, step: string, began: boolean): Promise<void>;
  /** For a render node: sends the result to the leader of the flight and admits the next render. */
  finish(id: string, accountId: string, payload: Buffer): Promise<void>;
};

// The cost of a render of weight 1, a whole number: the inverse of the plan's share.
const costOf = (plan: PlanName): number => Math.round(Math.max(...Object.values(planShares)) / planShares[plan]);

export const overloaded = (): Problem => new Problem('overloaded', { retryAfter: 2 });

export function createClusterAdmission(link: Link, lane: Lane): ClusterAdmission {
  const run = (script: RedisScript, ...args: Argument[]) => link.run(script, lane, ...args);
  return {
    async enter(id, { accountId, plan, atOnce, weight, background = false }, endsAt, { slots, places, queueMax }) {
      const mostOfPlan = background ? Math.max(1, slots - 1) : Math.max(slots, Math.floor(places * planPlaces[plan]));
      // While no render node is known, renders wait for one in the queue.
      const most = places === 0 ? lastPriority : mostOfPlan;
      const level = background ? backgroundLevel : planNames.indexOf(plan);
      // As in render/admission.ts, a heavy render takes at most half the places.
      const capped = places === 0 ? weight : Math.min(weight, Math.ceil(places / 2));
      const terms = [atOnce, costOf(plan), level, most, capped];
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
    finish: async (id, accountId, payload) => void (await run(finishScript, id, accountId, payload)),
  };
}

/** No render weighs more: see captureWeight in capture/budgets.ts. */
const heaviest = 16;
const backgroundLevel = -1;
// BullMQ's largest priority.
const lastPriority = 2 ** 21 - 1;
/** How long a result is kept that nobody fetches, because the leader and its successor both died. */
const payloadKeptMs = 30_000;
// Results are published: that costs Redis a third of storing and fetching them, and they never reach its append-only
// file (bench/cluster-bytes.ts). By default Redis disconnects a subscriber that lags by 32 MB, so larger results are
// stored.
const publishedMax = 2_000_000;

// The keys of a lane, below admission:<lane>:
//   jobs             all renders that are not done, by the time at which they are forgotten
//   passed:<level>   the admitted renders of one plan, one member for each unit of weight; level 0 is the lowest plan,
//                    -1 the background
//   held:<account>   the renders that are held back, by the time they came
//   run:<account>    the admitted renders
//   waiting          accounts by the number of their held renders
//   short            accounts that wait for a place, by the time since when; short:background for those of jobs
//   plans            for each account: renders at once, cost of a render, level of the plan, and how many renders of
//                    this and lower levels may be admitted at once
//   passes, virtual  the virtual clock: when the last render of each account was due, and the time now
const admission = `
local G = P .. 'admission:' .. ARGV[2] .. ':'
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
  return math.min(due, ${lastPriority})
end
local function passedUpTo(level)
  if level < 0 then return redis.call('ZCARD', G .. 'passed:' .. level) end
  local number = 0
  for each = 0, level do number = number + redis.call('ZCARD', G .. 'passed:' .. each) end
  return number
end
local function forget(id, account)
  redis.call('ZREM', G .. 'jobs', id)
  redis.call('ZREM', G .. 'held:' .. account, id)
  redis.call('ZREM', G .. 'run:' .. account, id)
  local parts = {}
  for part = 1, ${heaviest} do parts[part] = id .. '#' .. part end
  for level = ${backgroundLevel}, ${planNames.length - 1} do redis.call('ZREM', G .. 'passed:' .. level, unpack(parts)) end
end
-- Was it admitted for a machine that died before it put the render into the queue?
local function isOrphan(id)
  local owner = ownerOf(id)
  return not (owner and alive(owner)) and redis.call('EXISTS', P .. ARGV[2] .. ':' .. id) == 0
end
-- Admits the account's held renders while there is room; returns the priority of \`mine\` if it is among them.
local function advance(account, mine)
  local held, run = G .. 'held:' .. account, G .. 'run:' .. account
  local plan = redis.call('HGET', G .. 'plans', account) or '1 8 0 1'
  local atOnce, cost, level, most = string.match(plan, '^(%S+) (%S+) (%S+) (%S+)$')
  atOnce, cost, level, most = tonumber(atOnce), tonumber(cost), tonumber(level), tonumber(most)
  local result
  local short = G .. (level < 0 and 'short:background' or 'short')
  redis.call('ZREMRANGEBYSCORE', run, '-inf', now)
  redis.call('ZREMRANGEBYSCORE', G .. 'passed:' .. level, '-inf', now)
  local running = 0
  for _, id in ipairs(redis.call('ZRANGE', run, 0, -1)) do
    if isOrphan(id) then forget(id, account) else running = running + weightOf(id) end
  end
  redis.call('ZREM', short, account)
  while true do
    local id = redis.call('ZRANGE', held, 0, 0)[1]
    if not id then break end
    local weight = weightOf(id)
    if running > 0 and running + weight > atOnce then break end
    local passed = passedUpTo(level)
    if passed > 0 and passed + weight > most then
      redis.call('ZADD', short, now, account)
      break
    end
    redis.call('ZREM', held, id)
    local owner = ownerOf(id)
    if owner and alive(owner) then
      local ends = redis.call('ZSCORE', G .. 'jobs', id) or (now + 70000)
      redis.call('ZADD', run, ends, id)
      for part = 1, math.min(weight, ${heaviest}) do redis.call('ZADD', G .. 'passed:' .. level, ends, id .. '#' .. part) end
      running = running + weight
      -- A place of 0 does not move the clock when the render is claimed.
      local priority = level < 0 and ${lastPriority} or place(account, cost * weight)
      redis.call('HSET', flightOf(id), 'place', level < 0 and 0 or priority)
      if id == mine then result = priority else send(owner, id, { says = 'go', priority = priority }) end
    else
      redis.call('ZREM', G .. 'jobs', id)
    end
  end
  -- Nobody who waits makes room for the background, nor the other way round.
  if level >= 0 then count(account) end
  return result
end
-- A render has ended: admits the next of its account, and one of an account that waits for a place.
local function depart(id, account)
  forget(id, account)
  advance(account)
  for _, short in ipairs({ 'short', 'short:background' }) do
    local longest = redis.call('ZRANGE', G .. short, 0, 0)[1]
    if longest and longest ~= account then advance(longest) end
  end
end
`;

const enterScript = {
  name: 'tintypeEnter',
  lua: `${admission}
local id, account, weight = ARGV[3], ARGV[4], ARGV[9]
local endsAt, slots, queueMax = tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12])
if redis.call('EXISTS', P .. 'payload:' .. id) == 1 then return { 'made', 0 } end
redis.call('HSET', G .. 'plans', account, table.concat({ ARGV[5], ARGV[6], ARGV[7], ARGV[8] }, ' '))
redis.call('HSET', flightOf(id), 'account', account, 'weight', weight)
-- A machine that took over a flight may ask for a render that was admitted already.
if redis.call('ZSCORE', G .. 'run:' .. account, id) then
  local place = tonumber(redis.call('HGET', flightOf(id), 'place') or '1')
  return { 'go', place == 0 and ${lastPriority} or place }
end
local held = G .. 'held:' .. account
if not redis.call('ZSCORE', held, id) then
  redis.call('ZREMRANGEBYSCORE', G .. 'jobs', '-inf', now)
  -- Pages that only wait run beyond the slots: they do not count as queued.
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
    if owner then send(owner, newest, { says = 'full' }) end
  end
  redis.call('ZADD', G .. 'jobs', endsAt + 5000, id)
  redis.call('ZADD', held, now, id)
end
local priority = advance(account, id)
return { priority and 'go' or 'wait', priority or 0 }
`,
};

const leaveScript = {
  name: 'tintypeRelease',
  lua: `${admission}
depart(ARGV[3], ARGV[4])
`,
};

const claimScript = {
  name: 'tintypeClaim',
  lua: `
local id, virtual = ARGV[3], P .. 'admission:' .. ARGV[2] .. ':virtual'
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
if flight[1] == id then send(flight[2], id, { says = 'step', step = step, began = began }) end
`,
};

const finishScript = {
  name: 'tintypeFinish',
  lua: `${admission}
local id, account, payload = ARGV[3], ARGV[4], ARGV[5]
local owner = ownerOf(id)
if owner and (#payload > ${publishedMax} or redis.call('PUBLISH', P .. 'payloads:' .. machine(owner), payload) == 0) then
  redis.call('SET', P .. 'payload:' .. id, payload, 'PX', ${payloadKeptMs})
  send(owner, id, { says = 'done' })
end
depart(id, account)
`,
};
