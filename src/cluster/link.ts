// The connection to Redis. Commands fail at once while Redis is unavailable, instead of piling up. Scripts are atomic.
// Redis's clock is the common one, because the clocks of the machines may differ.
import type { Redis, RedisOptions } from 'ioredis';
import { sleep } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';

/** The prefix of all our keys and channels in Redis. The number changes when two versions could not share the queue. */
export const space = 'tintype2';

export type RedisScript = { readonly name: string; readonly lua: string };
export type Argument = string | number | Buffer;

export type Link = {
  /** Redis's clock, in Unix milliseconds. */
  now(): number;
  /** Runs a script; ARGV[1] is the prefix of every key. Throws 503 at once while Redis is unavailable. */
  run(script: RedisScript, ...args: readonly Argument[]): Promise<unknown>;
  /** Runs a script on a connection of the caller's own, without that guarantee. */
  runOn(connection: Redis, script: RedisScript, ...args: readonly Argument[]): Promise<unknown>;
  /** Runs another command, with the same guarantee. */
  call<T>(command: (redis: Redis) => Promise<T>): Promise<T>;
  /** The connection for commands. */
  readonly redis: Redis;
  /** A new connection, for long waits: a subscriber, a render node that waits for renders. */
  connect(options?: Pick<RedisOptions, 'socketTimeout'>): Redis;
  /** Does Redis answer? */
  readonly up: boolean;
  /**
   * Runs a script whose answer begins with Redis's time, even if Redis seems to be unavailable. It adjusts the clock
   * and notices that Redis is back.
   */
  probe(script: RedisScript, ...args: readonly Argument[]): Promise<unknown[]>;
  stop(): Promise<void>;
};

// Our commands take microseconds. If one takes longer than this, Redis hangs.
const patienceMs = 1500;

export const queueUnavailable = (cause?: unknown): Problem =>
  new Problem('storage_unavailable', {
    message: 'The queue of renders does not answer. Try again shortly.',
    retryAfter: 2,
    cause,
  });

export async function openLink(url: string, log: Log): Promise<Link> {
  const { Redis } = await import('ioredis');
  const options = {
    connectionName: 'tintype',
    // At most a second after Redis is back.
    retryStrategy: (times: number) => Math.min(50 * 2 ** times, 1000),
    keepAlive: 5000,
  };
  const redis = new Redis(url, {
    ...options,
    enableOfflineQueue: false,
    // A command sent into a connection that broke may have been executed: we decide whether to send it again.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: patienceMs,
  });
  const connections = [redis];
  let offset = Date.now() - performance.now();
  let silent = false;
  let told = false;
  const tell = (error: Error) => {
    if (!told) log.warn({ reason: error.message }, 'Redis does not answer; renders are refused until it does');
    told = true;
  };
  redis.on('error', tell);
  redis.on('ready', () => {
    if (told) log.info('Redis answers again');
    told = false;
    silent = false;
  });

  const isUp = () => redis.status === 'ready' && !silent;

  async function watched<T>(command: () => Promise<T>): Promise<T> {
    try {
      const answer = await command();
      silent = false;
      return answer;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      silent = true;
      throw queueUnavailable(error);
    }
  }

  const evaluate = (connection: Redis, { name, lua }: RedisScript, args: readonly Argument[]) => {
    if (!(name in connection)) connection.defineCommand(name, { numberOfKeys: 0, lua: prelude + lua });
    const command = (connection as unknown as Record<string, (...args: Argument[]) => Promise<unknown>>)[name];
    return command?.call(connection, `${space}:`, ...args) ?? Promise.resolve(undefined);
  };

  return {
    now: () => Math.round(performance.now() + offset),
    run: (script, ...args) =>
      isUp() ? watched(() => evaluate(redis, script, args)) : Promise.reject(queueUnavailable()),
    runOn: (connection, script, ...args) => evaluate(connection, script, args),
    call: (command) => (isUp() ? watched(() => command(redis)) : Promise.reject(queueUnavailable())),
    redis,
    connect(own = {}) {
      const connection = new Redis(url, { ...options, ...own, maxRetriesPerRequest: null });
      connection.on('error', tell);
      connections.push(connection);
      return connection;
    },
    get up() {
      return isUp();
    },
    async probe(script, ...args) {
      const before = performance.now();
      const answer = (await watched(() => evaluate(redis, script, args))) as unknown[];
      offset = Number(answer[0]) - (before + performance.now()) / 2;
      return answer;
    },
    async stop() {
      for (const connection of connections) connection.disconnect();
    },
  };
}

/** Tries for five seconds, or until then: Redis may be unavailable for a moment, and the work is already done. */
export async function retry<T>(ask: () => Promise<T>, until = performance.now() + 5000): Promise<T> {
  for (;;)
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(250);
    }
}

// The beginning of every script: the prefix of the keys, the time in milliseconds, whether a machine is alive, and how
// to send a message. An owner is `machine/waiter`.
const prelude = `
local P = ARGV[1]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local function machine(owner) return string.match(owner, '^[^/]+') end
local function alive(owner)
  local lease = redis.call('ZSCORE', P .. 'nodes', machine(owner))
  return lease and tonumber(lease) > now
end
local function send(owner, to, message)
  message.to = to
  redis.call('PUBLISH', P .. 'to:' .. machine(owner), cjson.encode(message))
end
`;

/** An error reply about the command itself is our defect; every other error means that Redis is unavailable. */
const isUnavailable = (error: unknown): boolean =>
  !(
    error instanceof Error &&
    error.name === 'ReplyError' &&
    !/^(LOADING|READONLY|MASTERDOWN|BUSY|OOM|MISCONF|NOREPLICAS)/.test(error.message)
  );
