// Identical requests on different machines share one render, a flight. The machine that came first leads it: it renders
// and stores the result, and the others, its followers, get a copy. If the leader's last client leaves, or the leader
// dies, a follower takes over the render that is under way.
import { randomBytes } from 'node:crypto';
import { type Deadline, sleep } from '../kernel/deadline.ts';
import type { Log } from '../kernel/log.ts';
import { pack, unpack } from '../kernel/payload.ts';
import {
  askScript,
  endScript,
  extendScript,
  holdScript,
  joinScript,
  leaveScript,
  resultKeptMs,
} from './flight-scripts.ts';
import { type Link, queueUnavailable, retry, space } from './link.ts';
import type { Inbox, Membership } from './membership.ts';
import { type ProblemData, problemData, problemFrom } from './problems.ts';
import { TakenOver } from './remote-executor.ts';

export type SharedFlights<T> = {
  /**
   * The result of the flight with this key. `run` is called if this machine leads; `id` names the render, and `again`
   * says that a flight of the same key ended a moment ago, so that its result may be stored by now.
   */
  join(key: string, work: Deadline, run: Run<T>): Promise<T>;
};

type Run<T> = (id: string, again: boolean) => Promise<T>;

type Dependencies<T> = {
  link: Link;
  membership: Membership;
  log: Log;
  /** Splits a result into JSON and bytes, and joins them again on the machine of a follower. */
  toParts(result: T): { head: unknown; bytes: Buffer };
  fromParts(head: unknown, bytes: Buffer): T;
  /** Nobody on any machine waits for this render any more. */
  abandoned(id: string, account: string): Promise<void>;
};

/** A machine that waits for the result of a flight, as its leader or as a follower. */
type FlightWaiter = { readonly key: string; readonly name: string; readonly inbox: Inbox; readonly work: Deadline };
type FlightResult = { head: unknown } | { problem: ProblemData };

const pollMs = 1000;
/** How long followers wait for a Redis that is unavailable before they answer 503. */
const redisPatienceMs = 5000;

export function createSharedFlights<T>(dependencies: Dependencies<T>): SharedFlights<T> {
  const { link, membership, log } = dependencies;
  let waiters = 0;
  const endsAt = (work: Deadline) => Math.round(link.now() + work.remaining());

  async function lead(waiter: FlightWaiter, id: string, run: Run<T>, again: boolean): Promise<T> {
    // Shows the others that this machine still leads. A Redis that was restarted without its data learns of the flight
    // again.
    const hold = () => link.run(holdScript, waiter.key, id, waiter.name, endsAt(waiter.work)).catch(() => {});
    const holding = setInterval(hold, pollMs).unref();
    try {
      const result = await run(id, again);
      publish(() => publishResult(waiter, id, result));
      return result;
    } catch (error) {
      if (error instanceof TakenOver) throw error;
      const outcome = JSON.stringify({ problem: problemData(error) } satisfies FlightResult);
      if (waiter.work.signal.aborted) await leave(waiter, id);
      else publish(() => link.run(endScript, waiter.key, id, waiter.name, outcome));
      throw error;
    } finally {
      clearInterval(holding);
    }
  }

  // The clients of this machine do not wait for this. It is retried, because until another machine notices that nobody
  // leads the flight, everyone who asks for the same key waits in vain.
  const publish = (send: () => Promise<unknown>): void =>
    void retry(send).catch((error) => log.warn({ err: error }, 'the result of a render did not reach the other nodes'));

  // Usually nobody follows, and the bytes are not sent.
  async function publishResult(waiter: FlightWaiter, id: string, result: T): Promise<void> {
    if (Number(await link.run(endScript, waiter.key, id, waiter.name, '')) <= 0) return;
    const { head, bytes } = dependencies.toParts(result);
    await link.call((redis) => redis.set(`${space}:result:${id}`, pack(head, bytes), 'PX', resultKeptMs));
    await link.run(endScript, waiter.key, id, waiter.name, JSON.stringify({ head: true } satisfies FlightResult));
  }

  /** The leader's result; or undefined if this machine is to lead; or 'over' if the flight ended without a result. */
  async function follow(waiter: FlightWaiter, id: string): Promise<T | undefined | 'over'> {
    let lastAnswer = performance.now();
    for (;;) {
      await waiter.work.race(waiter.inbox.next(pollMs));
      let answer: [string, string];
      try {
        answer = (await link.run(askScript, waiter.key, id, waiter.name)) as [string, string];
        lastAnswer = performance.now();
      } catch (error) {
        if (performance.now() - lastAnswer > redisPatienceMs) throw queueUnavailable(error);
        continue;
      }
      const [state, text] = answer;
      if (state === 'lead') return undefined;
      if (state === 'over') return text === '' ? 'over' : await fetchResult(id, JSON.parse(text));
    }
  }

  /** The result; or 'over' if the flight ended without one for this machine. */
  async function leadOrFollow(
    waiter: FlightWaiter,
    id: string,
    run: Run<T>,
    role: 'lead' | 'follow',
    again: boolean,
  ): Promise<T | 'over'> {
    let isSuccessor = false;
    for (;;) {
      try {
        if (role === 'lead' || isSuccessor) return await lead(waiter, id, run, again || isSuccessor);
      } catch (error) {
        if (!(error instanceof TakenOver)) throw error;
      }
      const result = await follow(waiter, id).catch(async (error) => {
        if (waiter.work.signal.aborted) await leave(waiter, id);
        throw error;
      });
      if (result !== undefined) return result;
      isSuccessor = true;
    }
  }

  async function fetchResult(id: string, result: FlightResult): Promise<T | 'over'> {
    if ('problem' in result) throw problemFrom(result.problem);
    const payload = await link.call((redis) => redis.getBuffer(`${space}:result:${id}`));
    if (payload === null) return 'over';
    const { head, bytes } = unpack(payload);
    return dependencies.fromParts(head, bytes);
  }

  async function leave(waiter: FlightWaiter, id: string): Promise<void> {
    const account = await link.run(leaveScript, waiter.key, id, waiter.name).catch(() => undefined);
    if (typeof account === 'string') await dependencies.abandoned(id, account).catch(() => {});
  }

  return {
    async join(key, work, run) {
      const name = `${membership.id}/${++waiters}`;
      const waiter: FlightWaiter = { key, name, work, inbox: membership.openInbox(name) };
      try {
        for (;;) {
          const newId = `${key}.${randomBytes(6).toString('hex')}`;
          const answer = await link.run(joinScript, key, newId, name, endsAt(work)).catch((error) => {
            // Redis may run the script later, when it answers again.
            retry(() => link.run(leaveScript, key, newId, name)).catch(() => {});
            throw error;
          });
          const [role, id, again] = answer as ['lead' | 'follow', string, number];
          work.onExtend = () => void link.run(extendScript, key, id, endsAt(work)).catch(() => {});
          const result = await leadOrFollow(waiter, id, run, role, again === 1);
          if (result !== 'over') return result;
          await sleep(50, work.signal);
        }
      } finally {
        work.onExtend = undefined;
        waiter.inbox.close();
      }
    },
  };
}
