// The Redis scripts of the queue, and the keys of a lane. Those of admission are in admission-scripts.ts. Each is atomic.
//
// The keys of a lane, below admission:<lane>:
//   jobs             all renders that are not done, by the time at which they are forgotten
//   queue            the admitted renders that no node has taken, by their rank
//   bell             a list with an element for each render that was queued: nodes wait for one, then look into the queue
//   running          the renders that a node has taken
//   passed:<level>   the admitted renders of one plan, one member for each unit of weight; level 0 is the lowest plan,
//                    -1 the background
//   held:<account>   the renders that are held back, by the time they came
//   run:<account>    the admitted renders
//   waiting          accounts by the number of their held renders
//   short            accounts that wait for a place, by the time since when; short:background for those of jobs
//   plans            for each account: renders at once, cost of a render, level of the plan, and how many renders of
//                    this and lower levels may be admitted at once
//   passes, virtual  the virtual clock: when the last render of each account was due, and the time now
//   sequence         how many renders were queued: of two with the same place, the first one is first
//
// render:<id>        what a render node needs
// taken:<id>         the reader (of a node: node/…) that has taken it
// given:<reader>     the last render that this reader was given
// flight:<key>       has fields of the queue, too: account, weight, level, parts (members in passed:<level>), place, rank
//                    (the place and the sequence) and deaths (of nodes that had the render)
import { lanes } from '../kernel/lanes.ts';

/** Nodes that find no bell look into the queue every two seconds anyway. */
const bellsMax = 1000;
/** How long Redis keeps a render after its deadline. */
export const renderKeptMs = 10_000;
/** Longer than any render. */
const givenKeptMs = 120_000;

/** For flight-scripts.ts: a render may take longer than it could when it entered. */
export const extendRender = `
local function extendRender(id, endsAt)
${lanes
  .map(
    (lane) => `  redis.call('ZADD', P .. 'admission:${lane}:jobs', 'XX', endsAt + 5000, id)
  redis.call('ZADD', P .. 'admission:${lane}:running', 'XX', endsAt + 5000, id)`,
  )
  .join('\n')}
  for _, key in ipairs({ 'render:', 'taken:' }) do redis.call('PEXPIREAT', P .. key .. id, endsAt + ${renderKeptMs}) end
end
`;

/** For every script of a lane. */
export const queue = `
local G = P .. 'admission:' .. ARGV[2] .. ':'
local function flightOf(id) return P .. 'flight:' .. string.match(id, '^[^.]+') end
local function ownerOf(id)
  local known = redis.call('HMGET', flightOf(id), 'id', 'owner')
  return known[1] == id and known[2]
end
local function enqueue(id, rank)
  redis.call('ZADD', G .. 'queue', rank, id)
  redis.call('LPUSH', G .. 'bell', 1)
  redis.call('LTRIM', G .. 'bell', 0, ${bellsMax - 1})
end
-- The reader does not have this render any more.
local function giveUp(id)
  redis.call('ZREM', G .. 'running', id)
  redis.call('DEL', P .. 'taken:' .. id)
end
`;

/** Renders of accounts that are left out, and of jobs then, are looked past this far. */
const passedOver = 64;

/**
 * Returns the first render of the queue that is of none of the accounts named at the end: its id, the render, and when it must end
 * unless nobody waits for it; nothing if there is none. `last` is the one that the reader got before: if it was given another one,
 * that answer was lost.
 */
export const takeScript = {
  name: 'tintypeTakeRender',
  lua: `${queue}
local reader, last = ARGV[3], ARGV[4]
local given = redis.call('GET', P .. 'given:' .. reader)
if given and given ~= last and redis.call('GET', P .. 'taken:' .. given) == reader then
  local known = redis.call('HMGET', flightOf(given), 'id', 'rank')
  giveUp(given)
  if known[1] == given then enqueue(given, known[2]) end
end
local leftOut = {}
for at = 5, #ARGV do leftOut[ARGV[at]] = true end
local function pop()
  if #ARGV < 5 then return redis.call('ZPOPMIN', G .. 'queue')[1] end
  for _, id in ipairs(redis.call('ZRANGE', G .. 'queue', 0, ${passedOver - 1})) do
    local known = redis.call('HMGET', flightOf(id), 'account', 'place')
    if not leftOut[known[1]] and known[2] ~= '0' then
      redis.call('ZREM', G .. 'queue', id)
      return id
    end
  end
end
while true do
  local id = pop()
  if not id then
    if redis.call('EXISTS', G .. 'queue') == 0 then redis.call('DEL', G .. 'bell') end
    return false
  end
  local render = redis.call('GET', P .. 'render:' .. id)
  if render then
    local known = redis.call('HMGET', flightOf(id), 'id', 'endsAt', 'place')
    if known[1] ~= id then return { id, render } end
    local endsAt, place = tonumber(known[2]), tonumber(known[3] or '1')
    redis.call('SET', P .. 'taken:' .. id, reader, 'PXAT', endsAt + ${renderKeptMs})
    redis.call('SET', P .. 'given:' .. reader, id, 'PX', ${givenKeptMs})
    redis.call('ZADD', G .. 'running', endsAt + 5000, id)
    if place > tonumber(redis.call('GET', G .. 'virtual') or '0') then redis.call('SET', G .. 'virtual', place) end
    return { id, render, endsAt }
  end
end
`,
};

export const releaseScript = {
  name: 'tintypeReleaseRender',
  lua: `${queue}
local id, reader = ARGV[3], ARGV[4]
if redis.call('GET', P .. 'taken:' .. id) == reader then giveUp(id) end
`,
};

/** Returns when the render must end, or nothing if nobody waits for it any more. */
export const reportScript = {
  name: 'tintypeReport',
  lua: `${queue}
local id, step, began = ARGV[3], ARGV[4], ARGV[5] == '1'
local owner = ownerOf(id)
if not owner then return false end
send(owner, id, { says = 'step', step = step, began = began })
return tonumber(redis.call('HGET', flightOf(id), 'endsAt'))
`,
};
