// The executor of an api node, for one lane: it puts the render into the queue, and a render node executes it.
import type { Queue } from 'bullmq';
import { type Deadline, type Phases, timeoutProblem } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { Applicant, Lane, Load } from '../kernel/lanes.ts';
import { unpack } from '../kernel/payload.ts';
import { type ClusterAdmission, overloaded } from './cluster-admission.ts';
import { takenOverScript } from './flight-scripts.ts';
import { type Link, space } from './link.ts';
import type { Inbox, Membership, Message } from './membership.ts';
import { type ProblemData, problemFrom } from './problems.ts';
import { givingSecrets, type TaskSecrets } from './secret-exchange.ts';

/**
 * The data of a job in the queue. During an upgrade nodes of two versions share the queue, so these names never change:
 * see test/cluster/upgrade.test.ts.
 */
export type QueuedRender<Task> = {
  readonly applicant: Applicant;
  /** The task, without its secrets. */
  readonly job: Task;
  readonly hasSecrets: boolean;
  /** It may have been extended since, never shortened. */
  readonly endsAt: number;
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
  /** Removes a render that nobody waits for from the queue. */
  drop(id: string, accountId: string): Promise<void>;
  readonly load: Load;
};

type Dependencies<Task> = {
  link: Link;
  membership: Membership;
  taskSecrets: TaskSecrets<Task>;
  lane: Lane;
  admission: ClusterAdmission;
  queue: Queue;
  /** How many renders may wait in the whole cluster. */
  queueMax: number;
};

const pollMs = 1000;
/** Restarts and failovers of Redis are shorter. After this time the request fails. */
const redisPatienceMs = 5000;
/** Render nodes that are restarted one after the other may leave a short gap. */
const noRendererMs = 5000;

export function createRemoteExecutor<Task, Output>(dependencies: Dependencies<Task>): RemoteExecutor<Task, Output> {
  const { link, membership, taskSecrets, lane, admission, queue, queueMax } = dependencies;

  /**
   * Waits until the render is admitted: its priority; or its result, if a machine that led this flight before had
   * queued it already.
   */
  async function admitted(id: string, applicant: Applicant, work: Deadline, inbox: Inbox): Promise<number | Buffer> {
    let message: Message | undefined;
    for (;;) {
      if (message?.payload !== undefined) return message.payload;
      if (message?.says === 'full') throw overloaded();
      const endsAt = Math.round(link.now() + work.remaining());
      const room = { ...membership.stats[lane], queueMax };
      const priority = message?.says === 'go' ? message.priority : await admission.enter(id, applicant, endsAt, room);
      const made = priority === 'made' ? await fetchResult(id) : null;
      if (made !== null) return made;
      if (typeof priority === 'number') return priority;
      await throwIfNobodyRenders();
      message = await work.race(inbox.next(pollMs));
    }
  }

  const throwIfNobodyRenders = async () => {
    if (await membership.nobodyRendersFor(noRendererMs))
      throw new Problem('renderer_unavailable', {
        message: 'No render node is up. Try again shortly.',
        retryAfter: 5,
      });
  };

  const fetchResult = (id: string) => link.call((redis) => redis.getdelBuffer(`${space}:payload:${id}`));

  const enqueue = (id: string, render: QueuedRender<Task>, priority: number) =>
    link.call(() => queue.add('render', render, { jobId: id, priority, removeOnComplete: true, removeOnFail: true }));

  /** Waits for the result of a queued render. */
  async function result(
    id: string,
    render: QueuedRender<Task>,
    priority: number,
    work: Deadline,
    inbox: Inbox,
    onStart: () => void,
  ): Promise<Buffer> {
    let lastAnswer = performance.now();
    let lost = 0;
    for (;;) {
      const message = await work.race(inbox.next(pollMs));
      if (message?.payload !== undefined) return message.payload;
      if (message?.step !== undefined) {
        work.elsewhere(message.step);
        if (message.began) onStart();
        continue;
      }
      try {
        const stored = await fetchResult(id);
        if (stored !== null) return stored;
        await throwIfNobodyRenders();
        const inQueue = await link.call((redis) => redis.exists(`${space}:${lane}:${id}`));
        lastAnswer = performance.now();
        if (inQueue === 1) continue;
        // It may have ended between the two questions.
        const late = await fetchResult(id);
        if (late !== null) return late;
        if ((await link.run(takenOverScript, id, membership.id)) === 1) throw new TakenOver();
        // Redis lost the job.
        if (++lost > 3) throw new Problem('renderer_unavailable', { retryAfter: 5 });
        await enqueue(id, render, priority);
      } catch (error) {
        const unavailable = error instanceof Problem && error.code === 'storage_unavailable';
        if (!unavailable || performance.now() - lastAnswer > redisPatienceMs) throw error;
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
      let queued = false;
      try {
        const priority = await admitted(id, applicant, work, inbox);
        if (typeof priority !== 'number') return await open(priority, work, onStart);
        const endsAt = Math.round(link.now() + work.remaining());
        const render = { applicant, job: task, hasSecrets: secrets !== undefined, endsAt };
        await enqueue(id, render, priority);
        queued = true;
        return await open(await result(id, render, priority, work, inbox, onStart), work, onStart);
      } catch (error) {
        // A follower on another machine may take over a queued render: its flight decides whether it is dropped.
        if (!queued && !work.signal.aborted) await admission.leave(id, applicant.accountId).catch(() => {});
        throw error;
      } finally {
        inbox.close();
      }
    },

    async drop(id, accountId) {
      // 0: a render node has taken it. That node was told to cancel, and finishes by itself.
      if ((await link.call(() => queue.remove(id))) === 1 || accountId !== '') await admission.leave(id, accountId);
    },

    get load() {
      return membership.stats[lane];
    },
  };
}
