// The Redis scripts of shared flights. Each is atomic.
//
// flight:<key>   { id, owner, endsAt, account, …, seen:<waiter>, … }: it lasts as long as the longest deadline of those who
//                wait for it, and expires some time later in any case. Each waiter notes every second that it still waits
// follow:<key>   the waiters that follow
// end:<id>       how the flight ended, for followers that missed the message
// result:<id>    its result, for followers
// again:<key>    set while a flight of this key has just ended
import { extendRender } from './queue-scripts.ts';

/** How long the result of a flight can be read by a follower that missed the message. */
export const resultKeptMs = 15_000;
/** Longer than a request takes from its look into the cache to joining a flight. */
const againMs = 10_000;

/**
 * A waiter that has not been seen for this long is gone, even if its machine is alive: its request failed while Redis did
 * not answer. Longer than the lease of a machine, so that a leader with a slow connection is not replaced any sooner.
 */
const unseenMs = 5000;

// Nodes of earlier versions do not note when they were seen: they wait for as long as their machine is alive.
const seen = `
local function see(flight, waiter) redis.call('HSET', flight, 'seen:' .. waiter, now) end
local function waits(flight, waiter)
  if not alive(waiter) then return false end
  local at = redis.call('HGET', flight, 'seen:' .. waiter)
  return not at or tonumber(at) > now - ${unseenMs}
end
`;

const extend = `${extendRender}
local function extend(flight, id, endsAt)
  local before = tonumber(redis.call('HGET', flight, 'endsAt') or '0')
  if endsAt <= before then return end
  redis.call('HSET', flight, 'endsAt', endsAt)
  redis.call('PEXPIREAT', flight, endsAt + 10000)
  if before == 0 then return end
  extendRender(id, endsAt)
  redis.call('PUBLISH', P .. 'renderers:messages', 'extend ' .. id .. ' ' .. endsAt)
end
`;

export const joinScript = {
  name: 'tintypeJoin',
  lua: `${extend}${seen}
local key, newId, waiter, endsAt = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local flight = P .. 'flight:' .. key
local known = redis.call('HMGET', flight, 'id', 'owner')
local id, owner = known[1], known[2]
if not id then
  redis.call('HSET', flight, 'id', newId, 'owner', waiter)
  see(flight, waiter)
  extend(flight, newId, endsAt)
  return { 'lead', newId, redis.call('EXISTS', P .. 'again:' .. key) }
end
extend(flight, id, endsAt)
see(flight, waiter)
if not waits(flight, owner) then
  redis.call('HSET', flight, 'owner', waiter)
  return { 'lead', id, 1 }
end
redis.call('SADD', P .. 'follow:' .. key, waiter)
redis.call('PEXPIREAT', P .. 'follow:' .. key, endsAt + 10000)
return { 'follow', id, 0 }
`,
};

export const extendScript = {
  name: 'tintypeExtend',
  lua: `${extend}
local flight = P .. 'flight:' .. ARGV[2]
if redis.call('HGET', flight, 'id') == ARGV[3] then extend(flight, ARGV[3], tonumber(ARGV[4])) end
`,
};

// A leader that others took for gone follows the one that replaced it.
export const holdScript = {
  name: 'tintypeHold',
  lua: `${extend}${seen}
local key, id, waiter, endsAt = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local flight = P .. 'flight:' .. key
local known = redis.call('HMGET', flight, 'id', 'owner')
if known[1] == id then
  see(flight, waiter)
  if known[2] ~= waiter then
    redis.call('SADD', P .. 'follow:' .. key, waiter)
    redis.call('PEXPIREAT', P .. 'follow:' .. key, endsAt + 10000)
  end
end
if known[1] or redis.call('EXISTS', P .. 'again:' .. key) == 1 then return end
redis.call('HSET', flight, 'id', id, 'owner', waiter)
see(flight, waiter)
extend(flight, id, endsAt)
`,
};

export const askScript = {
  name: 'tintypeAsk',
  lua: `${seen}
local key, id, waiter = ARGV[2], ARGV[3], ARGV[4]
local flight = P .. 'flight:' .. key
local known = redis.call('HMGET', flight, 'id', 'owner')
if known[1] ~= id then return { 'over', redis.call('GET', P .. 'end:' .. id) or '' } end
see(flight, waiter)
if known[2] == waiter then return { 'lead', '' } end
if waits(flight, known[2]) then
  redis.call('SADD', P .. 'follow:' .. key, waiter)
  return { 'wait', '' }
end
redis.call('HSET', flight, 'owner', waiter)
redis.call('SREM', P .. 'follow:' .. key, waiter)
return { 'lead', '' }
`,
};

// With a result the flight ends. Without one it ends if nobody follows; otherwise this returns the number of followers.
export const endScript = {
  name: 'tintypeEnd',
  lua: `
local key, id, waiter, result = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local flight, follow = P .. 'flight:' .. key, P .. 'follow:' .. key
local known = redis.call('HMGET', flight, 'id', 'owner')
if known[1] ~= id or known[2] ~= waiter then return -1 end
local followers = redis.call('SMEMBERS', follow)
if #followers > 0 and result == '' then return #followers end
if #followers > 0 then redis.call('SET', P .. 'end:' .. id, result, 'PX', ${resultKeptMs}) end
redis.call('DEL', flight, follow)
redis.call('SET', P .. 'again:' .. key, 1, 'PX', ${againMs})
for _, follower in ipairs(followers) do send(follower, follower, { says = 'over' }) end
return 0
`,
};

// A leader hands the flight to a follower. The last waiter ends it, and gets the account whose render is to be dropped.
export const leaveScript = {
  name: 'tintypeLeaveFlight',
  lua: `${seen}
local key, id, waiter = ARGV[2], ARGV[3], ARGV[4]
local flight, follow = P .. 'flight:' .. key, P .. 'follow:' .. key
redis.call('SREM', follow, waiter)
local known = redis.call('HMGET', flight, 'id', 'owner', 'account')
if known[1] ~= id or known[2] ~= waiter then return false end
local successor = redis.call('SPOP', follow)
while successor do
  if waits(flight, successor) then
    redis.call('HSET', flight, 'owner', successor)
    send(successor, successor, { says = 'lead' })
    return false
  end
  successor = redis.call('SPOP', follow)
end
redis.call('DEL', flight)
redis.call('PUBLISH', P .. 'renderers:messages', 'cancel ' .. id)
return known[3] or ''
`,
};
