// The line to Redis: one connection for commands, which fail at once while Redis is away instead of piling up;
// scripts, each of them one atomic step; and Redis's clock, by which every machine counts, since the machines'
// own may differ.
import type { Redis } from 'ioredis';
import { sleep } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';

/** The name of everything of ours in Redis. */
export const space = 'tintype';

export type Script = { readonly name: string; readonly lua: string };
export type Argument = string | number | Buffer;

export type Link = {
  /** Redis's clock, in Unix milliseconds. */
  now(): number;
  /** Runs a script; ARGV[1] is the prefix of every key. Throws 503 at once while Redis is away. */
  run(script: Script, ...args: readonly Argument[]): Promise<unknown>;
  /** Another command, with the same promise. */
  call<T>(command: (redis: Redis) => Promise<T>): Promise<T>;
  /** The connection for commands itself, for BullMQ's side that adds. */
  readonly redis: Redis;
  /** A connection of its own, for who waits on it for long: a subscriber, a worker. */
  connect(): Redis;
  /** Does Redis answer? */
  readonly up: boolean;
  /** Runs a script that begins with the clock's time even if Redis seems to be away: how its return is noticed. */
  probe(script: Script, ...args: readonly Argument[]): Promise<unknown[]>;
  stop(): Promise<void>;
};

// A command that takes longer has met a Redis that hangs: everything we ask is done in microseconds.
const patienceMs = 1500;

export const queueAway = (cause?: unknown): Problem =>
  new Problem('storage_unavailable', {
    message: 'The queue of renders does not answer. Try again shortly.',
    retryAfter: 2,
    cause,
  });

export async function openLink(url: string, log: Log): Promise<Link> {
  const { Redis } = await import('ioredis');
  const options = {
    connectionName: 'tintype',
    // Soon back after Redis is: a second at most.
    retryStrategy: (times: number) => Math.min(50 * 2 ** times, 1000),
    keepAlive: 5000,
  };
  const redis = new Redis(url, {
    ...options,
    enableOfflineQueue: false,
    // A command sent into a connection that broke may have been done: it is for us to ask again, not for the client.
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
      if (!isAway(error)) throw error;
      silent = true;
      throw queueAway(error);
    }
  }

  const evaluate = ({ name, lua }: Script, args: readonly Argument[]) => {
    if (!(name in redis)) redis.defineCommand(name, { numberOfKeys: 0, lua: prelude + lua });
    const command = (redis as unknown as Record<string, (...args: Argument[]) => Promise<unknown>>)[name];
    return command?.call(redis, `${space}:`, ...args) ?? Promise.resolve(undefined);
  };

  return {
    now: () => Math.round(performance.now() + offset),
    run: (script, ...args) => (isUp() ? watched(() => evaluate(script, args)) : Promise.reject(queueAway())),
    call: (command) => (isUp() ? watched(() => command(redis)) : Promise.reject(queueAway())),
    redis,
    connect() {
      const connection = new Redis(url, { ...options, maxRetriesPerRequest: null });
      connection.on('error', tell);
      connections.push(connection);
      return connection;
    },
    get up() {
      return isUp();
    },
    async probe(script, ...args) {
      const before = performance.now();
      const answer = (await watched(() => evaluate(script, args))) as unknown[];
      offset = Number(answer[0]) - (before + performance.now()) / 2;
      return answer;
    },
    async stop() {
      for (const connection of connections) connection.disconnect();
    },
  };
}

/** Redis may be away for a moment just now: what was taken or made is worth a few more tries. */
export async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await ask();
    } catch (error) {
      if (tries === 20) throw error;
      await sleep(250);
    }
}

// Every script knows the prefix of the keys and the time in milliseconds, who is alive, and how to write a letter.
// An owner is `machine/seat`.
const prelude = `
local P = ARGV[1]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local function machine(owner) return string.match(owner, '^[^/]+') end
local function alive(owner)
  local lease = redis.call('ZSCORE', P .. 'nodes', machine(owner))
  return lease and tonumber(lease) > now
end
local function write(owner, to, letter)
  letter.to = to
  redis.call('PUBLISH', P .. 'to:' .. machine(owner), cjson.encode(letter))
end
`;

/** An error of Redis about the command itself is a defect of ours; every other says that Redis is not there. */
const isAway = (error: unknown): boolean =>
  !(
    error instanceof Error &&
    error.name === 'ReplyError' &&
    !/^(LOADING|READONLY|MASTERDOWN|BUSY)/.test(error.message)
  );
