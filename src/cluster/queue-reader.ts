// Takes renders from the queue of a lane: as many as this node could start at once. Renders that would wait here are left to
// other nodes.
import { sleep } from '../kernel/deadline.ts';
import type { Lane } from '../kernel/lanes.ts';
import type { Log } from '../kernel/log.ts';
import { type Link, space } from './link.ts';
import { takeScript } from './queue-scripts.ts';

export type NodeAdmission = {
  /** How many ordinary renders could start now. */
  readonly room: number;
  /** How many of the renders that were taken wait for room, as a very large one may. */
  readonly waiting: number;
  /** Without room: the accounts that have a slot, if another account may take one away. */
  readonly crowding: readonly string[];
  onChange: (() => void) | undefined;
};

type Dependencies = {
  readonly link: Link;
  readonly lane: Lane;
  /** As `node/…`. */
  readonly name: string;
  readonly admission: NodeAdmission;
  readonly log: Log;
};

/** A render from the queue, as the leader of its flight entered it. */
export type QueuedText = {
  readonly id: string;
  readonly render: string;
  /** Undefined if nobody waits for it any more. */
  readonly endsAt: number | undefined;
};

export type QueueReader = {
  /** Takes no more renders, and resolves when those it has are over. */
  stop(): Promise<void>;
};

/** Nobody may ring: then the queue is looked into after this time. */
const waitSeconds = 2;
/** A connection that is silent for longer is broken, and made again. */
const silenceMs = 5000;
const retryMs = 250;
/** How often a node without room looks for a render of an account that has no slot. */
const crowdedMs = 100;

/** `render` is called with each render, and calls `onBegin` when that has a slot. */
export async function startQueueReader(
  { link, lane, name, admission, log }: Dependencies,
  render: (queued: QueuedText, onBegin: () => void) => Promise<void>,
): Promise<QueueReader> {
  const connection = link.connect({ socketTimeout: silenceMs });
  const clientId = await connection.client('ID');
  const renders = new Set<Promise<void>>();
  /** Taken from the queue, without a slot so far. */
  let arriving = 0;
  let last = '';
  let isStopped = false;
  let wake: (() => void) | undefined;
  admission.onChange = () => wake?.();

  const hasRoom = () => admission.room > Math.max(0, arriving - admission.waiting);

  function start(queued: QueuedText): void {
    let hasArrived = false;
    const arrive = () => {
      if (!hasArrived) arriving--;
      hasArrived = true;
      wake?.();
    };
    arriving++;
    const one = render(queued, arrive)
      .catch((error) => log.warn({ err: error, render: queued.id }, 'a render was not finished'))
      .finally(() => {
        renders.delete(one);
        arrive();
      });
    renders.add(one);
  }

  /**
   * Redis executes the second command as soon as the first has waited long enough: one round trip, not two. A render that is left
   * out keeps its bell.
   */
  async function take(leftOut: readonly string[]): Promise<QueuedText | undefined> {
    const [, taken] = await Promise.all([
      leftOut.length > 0 || connection.blpop(`${space}:admission:${lane}:bell`, waitSeconds),
      link.runOn(connection, takeScript, lane, name, last, ...leftOut) as Promise<[string, string, number?] | null>,
    ]);
    if (taken === null) return undefined;
    const [id, text, endsAt] = taken;
    // One that nobody waits for any more is not noted as given.
    if (endsAt !== undefined) last = id;
    return { id, render: text, endsAt };
  }

  async function read(): Promise<void> {
    while (!isStopped) {
      const leftOut = hasRoom() || arriving > admission.waiting ? [] : admission.crowding;
      if (!hasRoom() && leftOut.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      try {
        const queued = await take(leftOut);
        if (queued) start(queued);
        else if (leftOut.length > 0) await sleep(crowdedMs);
      } catch (error) {
        log.debug({ err: error }, 'the queue cannot be read');
        await sleep(retryMs);
      }
    }
  }
  const reading = read();

  return {
    async stop() {
      isStopped = true;
      wake?.();
      // It need not wait any longer.
      await link.call((redis) => redis.client('UNBLOCK', clientId)).catch(() => {});
      await reading;
      await Promise.all(renders);
    },
  };
}
