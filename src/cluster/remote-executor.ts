// The executor of an api node, for one lane: it puts the render into the queue, and a render node executes it.
import { type Deadline, type Phases, timeoutProblem } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { Applicant, Lane, Load } from '../kernel/lanes.ts';
import { unpack } from '../kernel/payload.ts';
import { type ClusterAdmission, overloaded } from './cluster-admission.ts';
import { type Link, space } from './link.ts';
import type { Inbox, Membership } from './membership.ts';
import { type ProblemData, problemFrom } from './problems.ts';
import { givingSecrets, type TaskSecrets } from './secret-exchange.ts';

/**
 * What a render node gets, as JSON. During an upgrade nodes of two versions share the queue, so these names never change:
 * see test/cluster/upgrade.test.ts.
 */
export type QueuedRender<Task> = {
  readonly applicant: Applicant;
  /** The task, without its secrets. */
  readonly job: Task;
  readonly hasSecrets: boolean;
};

/** What a render node sends back: the head of a payload whose bytes are the image. Its names never change either. */
export type RemoteResult = {
  readonly id: string;
  readonly phases: Phases;
  /** The render had a slot. */
  readonly began: boolean;
} & ({ readonly made: Record<string, unknown> } | { readonly problem: ProblemData; readonly step: string });

/** Thrown if another machine took over the flight of a render and got its result. No caller sees it. */
export class TakenOver extends Error {
  constructor() {
    super('Another machine leads this flight.');
    this.name = 'TakenOver';
  }
}

export type RemoteExecutor<Task, Output> = {
  /** `onStart` is called when the render has a slot. Throws TakenOver if another machine leads the flight by then. */
  execute(task: Task, applicant: Applicant, work: Deadline, id: string, onStart: () => void): Promise<Output>;
  /** Withdraws a render that nobody waits for. Without an account it has not entered. */
  drop(id: string, accountId: string): Promise<void>;
  readonly load: Load;
};

type Dependencies<Task> = {
  link: Link;
  membership: Membership;
  taskSecrets: TaskSecrets<Task>;
  lane: Lane;
  admission: ClusterAdmission;
  /** How many renders may wait in the whole cluster. */
  queueMax: number;
};

const pollMs = 1000;
/** Restarts and failovers of Redis are shorter. After this time the request fails. */
const redisPatienceMs = 5000;
/** A render that is over is forgotten at once, and its result may take a moment to arrive. */
const onItsWayMs = 300;
/** How often a render is entered again after Redis has lost it. */
const lossesMax = 3;
/** Render nodes that are restarted one after the other may leave a short gap. */
const noRendererMs = 5000;

export function createRemoteExecutor<Task, Output>(dependencies: Dependencies<Task>): RemoteExecutor<Task, Output> {
  const { link, membership, taskSecrets, lane, admission, queueMax } = dependencies;

  const throwIfNobodyRenders = async () => {
    if (await membership.nobodyRendersFor(noRendererMs))
      throw new Problem('renderer_unavailable', {
        message: 'No render node is up. Try again shortly.',
        retryAfter: 5,
      });
  };

  const unavailable = () => new Problem('renderer_unavailable', { retryAfter: 5 });

  const fetchResult = (id: string) => link.call((redis) => redis.getdelBuffer(`${space}:payload:${id}`));

  /** Enters the render and waits for its result. */
  async function result(
    id: string,
    applicant: Applicant,
    render: QueuedRender<Task>,
    work: Deadline,
    inbox: Inbox,
    onStart: () => void,
  ): Promise<Buffer> {
    const room = () => ({ ...membership.stats[lane], queueMax });
    const endsAt = () => Math.round(link.now() + work.remaining());
    const enter = () => admission.enter(id, applicant, endsAt(), room(), JSON.stringify(render));
    let waitMs = (await enter()) === 'made' ? 0 : pollMs;
    let lastAnswer = performance.now();
    let isMissing = false;
    let losses = 0;
    for (;;) {
      const message = await work.race(inbox.next(waitMs));
      waitMs = pollMs;
      if (message?.payload !== undefined) return message.payload;
      if (message?.says === 'full') throw overloaded();
      if (message?.step !== undefined) {
        work.elsewhere(message.step);
        if (message.began) onStart();
        continue;
      }
      try {
        await throwIfNobodyRenders();
        const state = await admission.check(id, membership.id);
        lastAnswer = performance.now();
        const stored = state === 'made' ? await fetchResult(id) : null;
        if (stored !== null) return stored;
        if (state === 'held') await admission.retry(id, applicant, room());
        if (state === 'taken over') throw new TakenOver();
        if (state === 'died') throw unavailable();
        isMissing = state === 'lost' && !isMissing;
        if (isMissing) {
          waitMs = onItsWayMs;
        } else if (state === 'lost') {
          if (++losses > lossesMax) throw unavailable();
          await enter();
        }
      } catch (error) {
        const isRedis = error instanceof Problem && error.code === 'storage_unavailable';
        if (!isRedis || performance.now() - lastAnswer > redisPatienceMs) throw error;
      }
    }
  }

  async function open(payload: Buffer, work: Deadline, onStart: () => void): Promise<Output> {
    const { head, bytes } = unpack<RemoteResult>(payload);
    if (head.began) onStart();
    const { start: _, ...phases } = head.phases;
    work.include(phases);
    if ('made' in head) return { ...head.made, bytes } as Output;
    if (head.problem.code !== 'render_timeout') throw problemFrom(head.problem);
    // The render node stops a little early, to report its step. The caller's own deadline ends the request.
    work.elsewhere(head.step);
    if (work.remaining() < 200) await work.race(new Promise(() => {}));
    throw timeoutProblem(work.endsAt - work.startedAt, head.step);
  }

  return {
    async execute(whole, applicant, work, id, onStart) {
      work.step('queue');
      await throwIfNobodyRenders();
      const { task, secrets } = taskSecrets.take(whole);
      const inbox = givingSecrets(membership.openInbox(id), membership, id, secrets);
      const render = { applicant, job: task, hasSecrets: secrets !== undefined };
      try {
        const payload = await result(id, applicant, render, work, inbox, onStart).catch(async (error) => {
          // If the deadline is over, the flight decides: a follower on another machine may take over the render.
          const isOurs = !(error instanceof TakenOver) && !work.signal.aborted;
          if (isOurs) await admission.leave(id, applicant.accountId).catch(() => {});
          throw error;
        });
        return await open(payload, work, onStart);
      } finally {
        inbox.close();
      }
    },

    async drop(id, accountId) {
      if (accountId !== '') await admission.leave(id, accountId);
    },

    get load() {
      return membership.stats[lane];
    },
  };
}
