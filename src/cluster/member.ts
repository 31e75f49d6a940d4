// This machine as one of the cluster: it says once a second that it is alive, hears how the whole stands, and
// gets letters. A letter may be lost (Redis's channels promise nothing), so whoever waits for one also asks again
// once a second.
import { randomBytes } from 'node:crypto';
import { sleep } from '../kernel/deadline.ts';
import { type Capacity, type Lane, type Load, lanes } from '../kernel/lanes.ts';
import type { Log } from '../kernel/log.ts';
import { type Link, space } from './link.ts';
import { unpack } from './parcel.ts';

export type Letter = {
  readonly to: string;
  readonly says: string;
  readonly priority?: number;
  /** The step a render is in. */
  readonly step?: string;
  /** It has got a slot. */
  readonly began?: boolean;
  /** What a render node made, if it came with the letter. */
  readonly parcel?: Buffer;
};

export type Letterbox = {
  /** The next letter, or undefined if none comes within this time. */
  next(ms: number): Promise<Letter | undefined>;
  close(): void;
};

/** How the cluster stood a second ago: the render nodes that are alive, and what waits and runs on all of them. */
export type Standing = { readonly renderers: number } & Readonly<Record<Lane, Load & Capacity>>;

export type Member = {
  readonly id: string;
  readonly standing: Standing;
  /** Has there been no render node for this long? Asks once more before it says so. */
  nobodyRendersFor(ms: number): Promise<boolean>;
  /** A box for letters to this address, which is `id/…` of this member or the id of a render it leads. */
  open(address: string): Letterbox;
  /** Messages to everybody on a channel. */
  listen(channel: string, hear: (text: string) => void): Promise<void>;
  tell(channel: string, text: string): Promise<void>;
  stop(): Promise<void>;
};

const beatMs = 1000;
/** A machine not heard of for this long is taken for dead: its flights are led on by others. */
const leaseMs = 4000;

export async function joinCluster(link: Link, log: Log, capacity?: Record<Lane, Capacity>): Promise<Member> {
  const id = randomBytes(9).toString('base64url');
  const boxes = new Map<string, (letter: Letter) => void>();
  const listeners = new Map<string, (text: string) => void>();
  const subscriber = link.connect();
  const nothing = { waiting: 0, running: 0, slots: 0, places: 0 };
  let standing: Standing = { renderers: 0, pages: nothing, cards: nothing };
  let rendererSeenAt = performance.now();

  async function beat(): Promise<void> {
    const own = lanes.map((lane) => (capacity === undefined ? '' : `${capacity[lane].slots} ${capacity[lane].places}`));
    const answer = await link.probe(beatScript, id, leaseMs, ...own);
    const numbers = answer.map(Number);
    const laneAt = (at: number) => {
      const [all = 0, running = 0, slots = 0, places = 0] = numbers.slice(at, at + 4);
      return { waiting: Math.max(0, all - running), running, slots, places };
    };
    standing = { renderers: numbers[1] ?? 0, pages: laneAt(2), cards: laneAt(6) };
    if (standing.renderers > 0) rendererSeenAt = performance.now();
  }

  subscriber.on('message', (channel, text) => {
    if (channel === channelOf(id)) {
      const letter = JSON.parse(text) as Letter;
      return boxes.get(letter.to)?.(letter);
    }
    listeners.get(channel)?.(text);
  });

  // A line of its own: a short letter does not wait behind megabytes.
  const parcels = link.connect();
  parcels.on('messageBuffer', (_channel: Buffer, parcel: Buffer) => {
    const { id: to } = unpack<{ id: string }>(parcel).head;
    boxes.get(to)?.({ to, says: 'done', parcel });
  });

  const timer = setInterval(() => beat().catch((error) => log.debug({ err: error }, 'Redis was not reached')), beatMs);
  timer.unref();
  // A start waits for Redis as it does for the database: a node that cannot work yet is not ready.
  for (let tries = 1; ; tries++)
    try {
      await beat();
      break;
    } catch (error) {
      if (tries === 100) throw new Error('Redis does not answer. Is REDIS_URL right?', { cause: error });
      await sleep(100);
    }
  await Promise.all([subscriber.subscribe(channelOf(id)), parcels.subscribe(`${space}:parcels:${id}`)]);

  return {
    id,
    get standing() {
      return standing;
    },
    async nobodyRendersFor(ms) {
      const nobody = () => performance.now() - rendererSeenAt > ms;
      if (!nobody()) return false;
      await beat();
      return nobody();
    },

    open(address) {
      const waiting: Letter[] = [];
      let wake: (() => void) | undefined;
      boxes.set(address, (letter) => {
        waiting.push(letter);
        wake?.();
      });
      return {
        async next(ms) {
          if (waiting.length === 0) {
            const pause = new AbortController();
            wake = () => pause.abort();
            await sleep(ms, pause.signal).catch(() => {});
            wake = undefined;
          }
          return waiting.shift();
        },
        close() {
          boxes.delete(address);
          wake?.();
        },
      };
    },

    async listen(channel, hear) {
      listeners.set(`${space}:${channel}`, hear);
      await subscriber.subscribe(`${space}:${channel}`);
    },
    tell: async (channel, text) => void (await link.call((redis) => redis.publish(`${space}:${channel}`, text))),

    async stop() {
      clearInterval(timer);
      await link.run(leaveScript, id).catch(() => {});
    },
  };
}

const channelOf = (id: string): string => `${space}:to:${id}`;

// capacity:<lane>: of every render node, its slots and places. active: BullMQ's list of what is being rendered.
const beatScript = {
  name: 'tintypeBeat',
  lua: `
local node, lease = ARGV[2], tonumber(ARGV[3])
local lanes = { ${lanes.map((lane) => `'${lane}'`).join(', ')} }
redis.call('ZADD', P .. 'nodes', now + lease, node)
for at, lane in ipairs(lanes) do
  local own = ARGV[3 + at]
  if own ~= '' then
    redis.call('ZADD', P .. 'renderers', now + lease, node)
    redis.call('HSET', P .. 'capacity:' .. lane, node, own)
  end
end
redis.call('ZREMRANGEBYSCORE', P .. 'nodes', '-inf', now)
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', P .. 'renderers', '-inf', now)) do
  redis.call('ZREM', P .. 'renderers', gone)
  for _, lane in ipairs(lanes) do redis.call('HDEL', P .. 'capacity:' .. lane, gone) end
end
local answer = { now, redis.call('ZCARD', P .. 'renderers') }
for _, lane in ipairs(lanes) do
  local jobs, slots, places = P .. 'gate:' .. lane .. ':jobs', 0, 0
  redis.call('ZREMRANGEBYSCORE', jobs, '-inf', now)
  for _, own in ipairs(redis.call('HVALS', P .. 'capacity:' .. lane)) do
    local of, outOf = string.match(own, '^(%d+) (%d+)$')
    slots, places = slots + of, places + outOf
  end
  for _, each in ipairs({ redis.call('ZCARD', jobs), redis.call('LLEN', P .. lane .. ':active'), slots, places }) do
    table.insert(answer, each)
  end
end
return answer
`,
};

const leaveScript = {
  name: 'tintypeLeave',
  lua: `
redis.call('ZREM', P .. 'nodes', ARGV[2])
redis.call('ZREM', P .. 'renderers', ARGV[2])
${lanes.map((lane) => `redis.call('HDEL', P .. 'capacity:${lane}', ARGV[2])`).join('\n')}
`,
};
