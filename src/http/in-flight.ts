// Requests (or renders) in flight, those that ended a moment ago, and the moment when none is left.
import type { FastifyRequest } from 'fastify';
import { sleep } from '../kernel/deadline.ts';

export type InFlight<T = unknown> = {
  begin(one: T): void;
  end(one: T): void;
  /** Resolves when none is in flight. */
  settled(): Promise<void>;
  readonly size: number;
  /** Those in flight, the oldest first, and some of those that ended since `forget` was called. */
  recent(): { readonly inWork: readonly T[]; readonly ended: readonly T[] };
  forget(): void;
};

/** Except in a burst, fewer than these end between two checks of the watchdog. */
const endedMost = 20;

export function createInFlight<T>(): InFlight<T> {
  const all = new Set<T>();
  let ended: T[] = [];
  let waiting: (() => void)[] = [];
  return {
    begin(one) {
      all.add(one);
    },
    end(one) {
      all.delete(one);
      if (ended.length < endedMost) ended.push(one);
      if (all.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    settled: () => (all.size === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve))),
    get size() {
      return all.size;
    },
    recent: () => ({ inWork: [...all], ended }),
    forget() {
      if (ended.length > 0) ended = [];
    },
  };
}

/** A stop does not wait longer than this for clients that do not read their answers. */
const unreadMs = 3000;

/** Resolves when every request has its answer, and the clients had some time to read it. */
export async function allAnswered(requests: InFlight<FastifyRequest>): Promise<void> {
  // The whole answer is written; the client may not have read it.
  const isAnswered = ({ context }: FastifyRequest) => context.response.writableEnded;
  while (!requests.recent().inWork.every(isAnswered)) await Promise.race([requests.settled(), sleep(100)]);
  await Promise.race([requests.settled(), sleep(unreadMs)]);
}
