// The Redis scripts of admission. queue-scripts.ts describes their keys.
import { planNames } from '../kernel/plans.ts';
import { queue, renderKeptMs } from './queue-scripts.ts';

/** No render weighs more: see captureWeight in capture/budgets.ts. */
const heaviest = 16;
export const backgroundLevel = -1;
/** A place and a sequence of 22 bits are one number, which is exact up to 53 bits. */
export const lastPlace = 2 ** 31 - 1;
const sequences = 2 ** 22;
/** A render during which three nodes died is not given to a fourth. */
const deathsMax = 2;
/** How long a result is kept that nobody fetches, because the leader and its successor both died. */
const payloadKeptMs = 30_000;
// Results are published: that costs Redis a third of storing and fetching them, and they never reach its append-only
// file. By default Redis disconnects a subscriber that lags by 32 MB, so larger results are
// stored.
const publishedMax = 2_000_000;

const admission = `${queue}
local function weightOf(id) return tonumber(redis.call('HGET', flightOf(id), 'weight') or '1') end
local function count(account)
  local number = redis.call('ZCARD', G .. 'held:' .. account)
  if number > 0 then redis.call('ZADD', G .. 'waiting', number, account)
  else redis.call('ZREM', G .. 'waiting', account) end
end
local function placeOf(account, cost)
  if redis.call('ZCARD', G .. 'jobs') <= 1 then redis.call('DEL', G .. 'passes', G .. 'virtual') end
  -- Renders that are queued have a place on the clock, so it goes on.
  if redis.call('HLEN', G .. 'passes') > 10000 then redis.call('DEL', G .. 'passes') end
  local due = cost + math.max(tonumber(redis.call('GET', G .. 'virtual') or '0'),
    tonumber(redis.call('HGET', G .. 'passes', account) or '0'))
  redis.call('HSET', G .. 'passes', account, due)
  return math.min(due, ${lastPlace})
end
local function passedUpTo(level)
  if level < 0 then return redis.call('ZCARD', G .. 'passed:' .. level) end
  local number = 0
  for each = 0, level do number = number + redis.call('ZCARD', G .. 'passed:' .. each) end
  return number
end
local function forget(id, account)
  redis.call('ZREM', G .. 'jobs', id)
  redis.call('ZREM', G .. 'queue', id)
  redis.call('ZREM', G .. 'running', id)
  redis.call('ZREM', G .. 'held:' .. account, id)
  redis.call('ZREM', G .. 'run:' .. account, id)
  redis.call('DEL', P .. 'render:' .. id, P .. 'taken:' .. id)
  -- Without the flight it is not known how many members it has, and of which level.
  local known = redis.call('HMGET', flightOf(id), 'id', 'level', 'parts')
  local level, number = known[1] == id and tonumber(known[2]), tonumber(known[3] or '${heaviest}')
  local parts = {}
  for part = 1, number do parts[part] = id .. '#' .. part end
  for each = level or ${backgroundLevel}, level or ${planNames.length - 1} do
    redis.call('ZREM', G .. 'passed:' .. each, unpack(parts))
  end
end
-- Does no machine look after this admitted render any more?
local function isOrphan(id)
  local owner, reader = ownerOf(id), redis.call('GET', P .. 'taken:' .. id)
  return not (owner and alive(owner)) and not (reader and alive(reader)) and not redis.call('ZSCORE', G .. 'queue', id)
end
-- Admits the account's held renders while there is room.
local function advance(account)
  local held, run = G .. 'held:' .. account, G .. 'run:' .. account
  local plan = redis.call('HGET', G .. 'plans', account) or '1 8 0 1'
  local atOnce, cost, level, most = string.match(plan, '^(%S+) (%S+) (%S+) (%S+)$')
  atOnce, cost, level, most = tonumber(atOnce), tonumber(cost), tonumber(level), tonumber(most)
  local short = G .. (level < 0 and 'short:background' or 'short')
  redis.call('ZREMRANGEBYSCORE', run, '-inf', now)
  redis.call('ZREMRANGEBYSCORE', G .. 'passed:' .. level, '-inf', now)
  local running = 0
  for _, id in ipairs(redis.call('ZRANGE', run, 0, -1)) do
    if isOrphan(id) then forget(id, account) else running = running + weightOf(id) end
  end
  local isShort = false
  while true do
    local id = redis.call('ZRANGE', held, 0, 0)[1]
    if not id then break end
    local weight = weightOf(id)
    if running > 0 and running + weight > atOnce then break end
    local passed = passedUpTo(level)
    isShort = passed > 0 and passed + weight > most
    if isShort then break end
    redis.call('ZREM', held, id)
    local owner = ownerOf(id)
    if owner and alive(owner) then
      local ends = redis.call('ZSCORE', G .. 'jobs', id) or (now + 70000)
      redis.call('ZADD', run, ends, id)
      local parts = math.min(weight, ${heaviest})
      for part = 1, parts do redis.call('ZADD', G .. 'passed:' .. level, ends, id .. '#' .. part) end
      running = running + weight
      local place = level < 0 and ${lastPlace} or placeOf(account, cost * weight)
      local rank = string.format('%.0f', place * ${sequences} + redis.call('INCR', G .. 'sequence') % ${sequences})
      -- A place of 0 does not move the clock when the render is taken.
      redis.call('HSET', flightOf(id), 'level', level, 'parts', parts, 'place', level < 0 and 0 or place, 'rank', rank)
      enqueue(id, rank)
    else
      forget(id, account)
    end
  end
  if isShort then redis.call('ZADD', short, 'NX', now, account) else redis.call('ZREM', short, account) end
  -- Nobody who waits makes room for the background, nor the other way round.
  if level >= 0 then count(account) end
end
-- A render has ended: its place is for the account that has waited for one the longest, which then waits behind the others.
local function depart(id, account)
  forget(id, account)
  for _, short in ipairs({ 'short', 'short:background' }) do
    local longest = redis.call('ZRANGE', G .. short, 0, 0)[1]
    if longest then
      advance(longest)
      redis.call('ZADD', G .. short, 'XX', now, longest)
    end
  end
  advance(account)
end
`;

/** Without a render only tries again to admit what is held back. */
export const enterScript = {
  name: 'tintypeEnter',
  lua: `${admission}
local id, account, weight = ARGV[3], ARGV[4], ARGV[9]
local endsAt, slots, queueMax, render = tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12]), ARGV[13]
-- A machine that took over a flight may ask for a render that has entered already, or whose result is made.
if redis.call('EXISTS', P .. 'payload:' .. id) == 1 then return 'made' end
-- Redis lost the flight. The leader will enter it again.
if not ownerOf(id) then return 'entered' end
redis.call('HSET', G .. 'plans', account, table.concat({ ARGV[5], ARGV[6], ARGV[7], ARGV[8] }, ' '))
redis.call('HSET', flightOf(id), 'account', account, 'weight', weight)
local held = G .. 'held:' .. account
local hasEntered = redis.call('ZSCORE', G .. 'run:' .. account, id) or redis.call('ZSCORE', held, id)
if render ~= '' and not hasEntered then
  redis.call('ZREMRANGEBYSCORE', G .. 'jobs', '-inf', now)
  -- Pages that only wait run beyond the slots: they do not count as queued.
  local running = math.max(slots, redis.call('ZCARD', G .. 'running'))
  if redis.call('ZCARD', G .. 'jobs') >= running + queueMax then
    if tonumber(ARGV[7]) == ${backgroundLevel} then return 'full' end
    local top = redis.call('ZREVRANGE', G .. 'waiting', 0, 0, 'WITHSCORES')
    if not top[1] or top[1] == account or tonumber(top[2]) <= redis.call('ZCARD', held) + 1 then
      return 'full'
    end
    local newest = redis.call('ZREVRANGE', G .. 'held:' .. top[1], 0, 0)[1]
    local owner = ownerOf(newest)
    forget(newest, top[1])
    count(top[1])
    if owner then send(owner, newest, { says = 'full' }) end
  end
  redis.call('ZADD', G .. 'jobs', endsAt + 5000, id)
  redis.call('SET', P .. 'render:' .. id, render, 'PXAT', endsAt + ${renderKeptMs})
  redis.call('ZADD', held, now, id)
end
advance(account)
return 'entered'
`,
};

export const checkScript = {
  name: 'tintypeCheck',
  lua: `${admission}
local id, node = ARGV[3], ARGV[4]
if redis.call('EXISTS', P .. 'payload:' .. id) == 1 then return 'made' end
local flight = flightOf(id)
local known = redis.call('HMGET', flight, 'id', 'owner', 'account', 'rank')
if not known[1] then
  return redis.call('EXISTS', P .. 'again:' .. string.match(id, '^[^.]+')) == 1 and 'taken over' or 'lost'
end
if known[1] ~= id or machine(known[2]) ~= node then return 'taken over' end
local account, rank = known[3], known[4]
if not account or redis.call('EXISTS', P .. 'render:' .. id) == 0 then return 'lost' end
if redis.call('ZSCORE', G .. 'held:' .. account, id) then return 'held' end
if redis.call('ZSCORE', G .. 'queue', id) then return 'queued' end
local reader = redis.call('GET', P .. 'taken:' .. id)
if reader and alive(reader) then return 'taken' end
if not redis.call('ZSCORE', G .. 'run:' .. account, id) then return 'lost' end
giveUp(id)
if redis.call('HINCRBY', flight, 'deaths', reader and 1 or 0) > ${deathsMax} then
  depart(id, account)
  return 'died'
end
enqueue(id, rank)
return 'queued'
`,
};

export const leaveScript = {
  name: 'tintypeRelease',
  lua: `${admission}
depart(ARGV[3], ARGV[4])
`,
};

export const finishScript = {
  name: 'tintypeFinish',
  lua: `${admission}
local id, account, payload, failedOn = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
-- A node that was taken for dead may fail with a render that another one has now.
if failedOn ~= '' and redis.call('GET', P .. 'taken:' .. id) ~= failedOn then return end
local owner = ownerOf(id)
if owner and (#payload > ${publishedMax} or redis.call('PUBLISH', P .. 'payloads:' .. machine(owner), payload) == 0) then
  redis.call('SET', P .. 'payload:' .. id, payload, 'PX', ${payloadKeptMs})
  send(owner, id, { says = 'done' })
end
depart(id, account)
`,
};
