// The other end of the queue: takes renders, executes them in this process, and sends the results back. It opens no
// database and no bucket: everything it needs comes with the render, but for secrets; see secret-exchange.ts.
import { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { type Applicant, type Lane, lanes } from '../kernel/lanes.ts';
import type { Log } from '../kernel/log.ts';
import { pack } from '../kernel/payload.ts';
import type { ClusterAdmission } from './cluster-admission.ts';
import { type Link, retry } from './link.ts';
import type { Membership } from './membership.ts';
import { problemData } from './problems.ts';
import { type NodeAdmission, type QueuedText, type QueueReader, startQueueReader } from './queue-reader.ts';
import { renderKeptMs } from './queue-scripts.ts';
import type { QueuedRender, RemoteResult } from './remote-executor.ts';
import { askForSecrets, type TaskSecrets } from './secret-exchange.ts';

type Bytes = { readonly bytes: Buffer };

type Dependencies<Task, Output extends Bytes> = {
  link: Link;
  membership: Membership;
  clusterAdmissions: Readonly<Record<Lane, ClusterAdmission>>;
  /** The admission of this process, which gives renders their slots. */
  admissions: Readonly<Record<Lane, NodeAdmission>>;
  /** `onStart` is called when the render has a slot. */
  execute(task: Task, applicant: Applicant, work: Deadline, id: string, onStart: () => void): Promise<Output>;
  taskSecrets: TaskSecrets<Task>;
  log: Log;
};

export type RenderNode = {
  /** Takes no more renders, and finishes those it has. */
  stop(): Promise<void>;
};

/** A render ends this long before its deadline, so that the result arrives in time. */
const headStartMs = 40;
/** How often a node reports the step of each render, in case the result does not arrive in time. */
const reportMs = 250;

/** A render that this node has taken from the queue. */
type Taken = {
  readonly work: Deadline;
  readonly admission: ClusterAdmission;
  began: boolean;
  reported?: string;
};

export async function startRenderNode<Task, Output extends Bytes>(
  dependencies: Dependencies<Task, Output>,
): Promise<RenderNode> {
  const { link, membership } = dependencies;
  const renders = new Map<string, Taken>();
  const reporting = setInterval(() => {
    for (const [id, taken] of renders) {
      const step = taken.work.currentStep;
      if (taken.reported === step) continue;
      taken.reported = step;
      taken.admission.report(id, step, taken.began).catch(() => {});
    }
  }, reportMs).unref();

  await membership.onMessage('renderers:messages', (text) => {
    const [what, id = '', endsAt] = text.split(' ');
    const work = renders.get(id)?.work;
    if (what === 'cancel') work?.cancel();
    else work?.extendTo(performance.now() + timeUntil(Number(endsAt), link));
  });

  const readers = await Promise.all(lanes.map((lane) => startLane(dependencies, lane, renders)));
  return {
    async stop() {
      await Promise.all(readers.map((reader) => reader.stop()));
      clearInterval(reporting);
    },
  };
}

const timeUntil = (end: number, link: Link): number => Math.max(0, end - link.now() - headStartMs);

async function startLane<Task, Output extends Bytes>(
  { link, membership, clusterAdmissions, admissions, execute, taskSecrets, log }: Dependencies<Task, Output>,
  lane: Lane,
  renders: Map<string, Taken>,
): Promise<QueueReader> {
  const admission = clusterAdmissions[lane];
  const name = `${membership.id}/${lane}`;

  /** What the leader gets. */
  async function render(
    id: string,
    { applicant, job, hasSecrets }: QueuedRender<Task>,
    taken: Taken,
    onBegin: () => void,
  ): Promise<{ readonly head: RemoteResult; readonly bytes?: Buffer }> {
    const { work } = taken;
    const onStart = () => {
      taken.began = true;
      onBegin();
      // At once: a caller who disconnects from now on has used a slot.
      admission.report(id, work.currentStep, true).then(
        // A message about the end may have arrived before this node had the render.
        (endsAt) => (endsAt === undefined ? work.cancel() : work.extendTo(performance.now() + timeUntil(endsAt, link))),
        () => {},
      );
    };
    const about = () => ({ id, began: taken.began, phases: work.phases() });
    try {
      work.throwIfOver();
      // The cluster's admission has applied the limit of the account.
      const unlimited = { ...applicant, atOnce: Number.POSITIVE_INFINITY };
      const task = hasSecrets ? taskSecrets.put(job, await askForSecrets(link, membership, id, work)) : job;
      const { bytes, ...made } = await execute(task, unlimited, work, id, onStart);
      return { head: { ...about(), made }, bytes };
    } catch (error) {
      if (!(error instanceof Problem) && !work.signal.aborted) log.error({ err: error, render: id }, 'a render failed');
      return { head: { ...about(), problem: problemData(error), step: work.currentStep } };
    }
  }

  async function take({ id, render: text, endsAt }: QueuedText, onBegin: () => void): Promise<void> {
    const queued = JSON.parse(text) as QueuedRender<Task>;
    const { accountId } = queued.applicant;
    if (endsAt === undefined) return admission.leave(id, accountId);
    const work = new Deadline(timeUntil(endsAt, link));
    const taken: Taken = { work, admission, began: false };
    renders.set(id, taken);
    // Until Redis knows that it is over, the render takes a place of its account.
    const told = (tell: () => Promise<void>) => retry(tell, work.endsAt + renderKeptMs);
    try {
      const { head, bytes } = await render(id, queued, taken, onBegin);
      const payload = pack(head, bytes);
      await told(() => admission.finish(id, accountId, payload, 'problem' in head ? name : undefined));
    } catch (error) {
      await told(() => admission.release(id, name));
      throw error;
    } finally {
      work.done();
      renders.delete(id);
    }
  }

  return startQueueReader({ link, lane, name, admission: admissions[lane], log }, take);
}
