// This machine's membership in the cluster. Once a second it renews its lease and reads the cluster's statistics. It
// also receives messages. Redis does not guarantee their delivery, so whoever waits for one also polls once a second.
import { randomBytes } from 'node:crypto';
import { sleep } from '../kernel/deadline.ts';
import { type Capacity, type Lane, type Load, lanes } from '../kernel/lanes.ts';
import type { Log } from '../kernel/log.ts';
import { unpack } from '../kernel/payload.ts';
import { type Link, space } from './link.ts';

export type Message = {
  /** The address of the inbox. */
  readonly to: string;
  /** What has happened: `full`, `step`, `done`, `over` or `lead`; or `secrets?` and its answer `secrets`. */
  readonly says: string;
  /** With `step`: the step that the render is in. */
  readonly step?: string;
  /** With `step`: the render has a slot. */
  readonly began?: boolean;
  /** With `done`: the result, if it was sent with the message. */
  readonly payload?: Buffer;
  /** With `secrets?`: the machine that asks, and its public key, which is also the address for the answer. */
  readonly node?: string;
  readonly key?: string;
  /** With `secrets`: see secret-exchange.ts. */
  readonly sealed?: string;
};

export type Inbox = {
  /** The next message, or undefined if none arrives within this time. */
  next(ms: number): Promise<Message | undefined>;
  close(): void;
};

/** The state of the cluster, at most a second old: the render nodes that are alive, and what waits and runs on them. */
export type ClusterStats = { readonly renderers: number } & Readonly<Record<Lane, Load & Capacity>>;

export type Membership = {
  readonly id: string;
  readonly stats: ClusterStats;
  /** Has there been no render node for this long? Asks Redis once more before it says so. */
  nobodyRendersFor(ms: number): Promise<boolean>;
  /** The inbox for this address, which is `id/…` of this machine or the id of a render that it leads. */
  openInbox(address: string): Inbox;
  /** Sends to an inbox of this machine. */
  send(machine: string, message: Message): Promise<void>;
  /** Calls the handler with every message that any machine broadcasts on the channel. */
  onMessage(channel: string, handle: (text: string) => void): Promise<void>;
  broadcast(channel: string, text: string): Promise<void>;
  stop(): Promise<void>;
};

const beatMs = 1000;
/** A machine whose lease has expired counts as dead, and others take over its flights. */
const leaseMs = 4000;

export async function joinCluster(link: Link, log: Log, capacity?: Record<Lane, Capacity>): Promise<Membership> {
  const id = randomBytes(9).toString('base64url');
  const inboxes = new Map<string, (message: Message) => void>();
  const listeners = new Map<string, (text: string) => void>();
  const subscriber = link.connect();
  const nothing = { waiting: 0, running: 0, slots: 0, places: 0 };
  let stats: ClusterStats = { renderers: 0, pages: nothing, cards: nothing };
  let rendererSeenAt = performance.now();

  async function beat(): Promise<void> {
    const own = lanes.map((lane) => (capacity === undefined ? '' : `${capacity[lane].slots} ${capacity[lane].places}`));
    const answer = await link.probe(beatScript, id, leaseMs, ...own);
    const numbers = answer.map(Number);
    const laneAt = (at: number) => {
      const [all = 0, running = 0, slots = 0, places = 0] = numbers.slice(at, at + 4);
      return { waiting: Math.max(0, all - running), running, slots, places };
    };
    stats = { renderers: numbers[1] ?? 0, pages: laneAt(2), cards: laneAt(6) };
    if (stats.renderers > 0) rendererSeenAt = performance.now();
  }

  subscriber.on('message', (channel, text) => {
    if (channel === channelOf(id)) {
      const message = JSON.parse(text) as Message;
      return inboxes.get(message.to)?.(message);
    }
    listeners.get(channel)?.(text);
  });

  // A connection of its own, so that a short message does not wait behind megabytes.
  const payloads = link.connect();
  payloads.on('messageBuffer', (_channel: Buffer, payload: Buffer) => {
    const { id: to } = unpack<{ id: string }>(payload).head;
    inboxes.get(to)?.({ to, says: 'done', payload });
  });

  const timer = setInterval(
    () => beat().catch((error) => log.debug({ err: error }, 'the lease in Redis was not renewed')),
    beatMs,
  );
  timer.unref();
  // A start waits for Redis as it does for the database.
  for (let tries = 1; ; tries++)
    try {
      await beat();
      break;
    } catch (error) {
      if (tries === 100) throw new Error('Redis does not answer. Is REDIS_URL right?', { cause: error });
      await sleep(100);
    }
  await Promise.all([subscriber.subscribe(channelOf(id)), payloads.subscribe(`${space}:payloads:${id}`)]);

  return {
    id,
    get stats() {
      return stats;
    },
    async nobodyRendersFor(ms) {
      const nobody = () => performance.now() - rendererSeenAt > ms;
      if (!nobody()) return false;
      await beat();
      return nobody();
    },

    openInbox(address) {
      const waiting: Message[] = [];
      let wake: (() => void) | undefined;
      inboxes.set(address, (message) => {
        waiting.push(message);
        wake?.();
      });
      return {
        async next(ms) {
          if (waiting.length === 0) {
            const pause = new AbortController();
            // With a reason: otherwise an exception with a stack is made for every message.
            wake = () => pause.abort(null);
            await sleep(ms, pause.signal).catch(() => {});
            wake = undefined;
          }
          return waiting.shift();
        },
        close() {
          inboxes.delete(address);
          wake?.();
        },
      };
    },

    send: async (machine, message) =>
      void (await link.call((redis) => redis.publish(channelOf(machine), JSON.stringify(message)))),

    async onMessage(channel, handle) {
      listeners.set(`${space}:${channel}`, handle);
      await subscriber.subscribe(`${space}:${channel}`);
    },
    broadcast: async (channel, text) => void (await link.call((redis) => redis.publish(`${space}:${channel}`, text))),

    async stop() {
      clearInterval(timer);
      await link.run(leaveScript, id).catch(() => {});
    },
  };
}

const channelOf = (id: string): string => `${space}:to:${id}`;

// capacity:<lane>: the slots and places of each render node. admission:<lane>: see queue-scripts.ts.
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
  local G, slots, places = P .. 'admission:' .. lane .. ':', 0, 0
  for _, key in ipairs({ 'jobs', 'running' }) do redis.call('ZREMRANGEBYSCORE', G .. key, '-inf', now) end
  for _, own in ipairs(redis.call('HVALS', P .. 'capacity:' .. lane)) do
    local of, outOf = string.match(own, '^(%d+) (%d+)$')
    slots, places = slots + of, places + outOf
  end
  for _, each in ipairs({ redis.call('ZCARD', G .. 'jobs'), redis.call('ZCARD', G .. 'running'), slots, places }) do
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
