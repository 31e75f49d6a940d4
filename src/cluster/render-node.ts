// The other end of the queue: takes renders, executes them in this process, and sends the results back. It opens no
// database and no bucket: everything it needs is in the job, but for secrets; see secret-exchange.ts.
import type { Job as BullJob, Worker } from 'bullmq';
import { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { type Applicant, type Lane, lanes } from '../kernel/lanes.ts';
import type { Log } from '../kernel/log.ts';
import { pack } from '../kernel/payload.ts';
import type { ClusterAdmission } from './cluster-admission.ts';
import { type Link, retry, space } from './link.ts';
import type { Membership } from './membership.ts';
import { problemData } from './problems.ts';
import type { QueuedRender, RemoteResult } from './remote-executor.ts';
import { askForSecrets, type TaskSecrets } from './secret-exchange.ts';
import { keepConcurrency, type NodeAdmission, type TakenJob } from './worker-concurrency.ts';

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

// When a node dies, others get its renders after its lock on them has expired: 3 to 5 s, 4 on average (BullMQ's
// defaults, 30 s each, take up to a minute). The lock is renewed every second, so that a busy event loop does not lose
// it.
const lockMs = 4000;
const lockRenewMs = 1000;
const stalledCheckMs = 1000;
/** A render during which three nodes died is not given to a fourth. */
const deathsMax = 2;
/** A render ends this long before its deadline, so that the result arrives in time. */
const headStartMs = 40;
/** With this much time left, a render starts before it is known whether anybody still waits for it. */
const usualMs = 500;
/** How often a node reports the step of each render, in case the result does not arrive in time. */
const reportMs = 250;

/** A render that this node has taken from the queue. */
type Taken = {
  readonly work: Deadline;
  readonly admission: ClusterAdmission;
  readonly job: TakenJob;
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
    else work?.extendTo(performance.now() + Number(endsAt) - link.now() - headStartMs);
  });

  const workers = await Promise.all(lanes.map((lane) => startWorker(dependencies, lane, renders)));
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.close()));
      clearInterval(reporting);
    },
  };
}

async function startWorker<Task, Output extends Bytes>(
  { link, membership, clusterAdmissions, admissions, execute, taskSecrets, log }: Dependencies<Task, Output>,
  lane: Lane,
  renders: Map<string, Taken>,
): Promise<Worker> {
  const { Worker } = await import('bullmq');
  const admission = clusterAdmissions[lane];
  const jobs = new Set<TakenJob>();

  async function render(queued: QueuedRender<Task>, taken: Taken, id: string): Promise<Buffer> {
    const { applicant } = queued;
    const { work } = taken;
    const onStart = () => {
      taken.began = true;
      setStage(taken.job, 'begun');
      // At once: a caller who disconnects from now on has used a slot.
      admission.report(id, work.currentStep, true).catch(() => {});
    };
    const about = () => ({ id, began: taken.began, phases: work.phases() });
    try {
      work.throwIfOver();
      // The cluster's admission has applied the limit of the account.
      const unlimited = { ...applicant, atOnce: Number.POSITIVE_INFINITY };
      const task = queued.hasSecrets
        ? taskSecrets.put(queued.job, await askForSecrets(link, membership, id, work))
        : queued.job;
      const { bytes, ...made } = await execute(task, unlimited, work, id, onStart);
      return pack({ ...about(), made } satisfies RemoteResult, bytes);
    } catch (error) {
      if (!(error instanceof Problem) && !work.signal.aborted) log.error({ err: error, render: id }, 'a render failed');
      return pack({ ...about(), problem: problemData(error), step: work.currentStep } satisfies RemoteResult);
    } finally {
      setStage(taken.job, 'over');
    }
  }

  function setStage(job: TakenJob, stage: TakenJob['stage']): void {
    job.stage = stage;
    adjust();
  }

  async function take(bullJob: BullJob<QueuedRender<Task>>, job: TakenJob): Promise<void> {
    const id = bullJob.id ?? '';
    const { applicant, endsAt } = bullJob.data;
    const timeUntil = (end: number) => Math.max(0, end - link.now() - headStartMs);
    // Usually somebody still waits for it, so it starts while Redis is asked. A render that is late, or that was on a
    // node that died, waits for the answer.
    const claimed = retry(() => admission.claim(id));
    const isUsual = timeUntil(endsAt) > usualMs && bullJob.attemptsStarted <= 1;
    const work = new Deadline(timeUntil(isUsual ? endsAt : ((await claimed) ?? 0)));
    const wanted = claimed.then(
      (end) => {
        if (end === undefined) work.cancel();
        else work.extendTo(performance.now() + timeUntil(end));
        return end !== undefined;
      },
      (error) => {
        work.cancel();
        throw error;
      },
    );
    const taken: Taken = { work, admission, job, began: false };
    renders.set(id, taken);
    try {
      if (!isUsual && !(await wanted)) return await admission.leave(id, applicant.accountId);
      const [payload, isWanted] = await Promise.all([render(bullJob.data, taken, id), wanted]);
      if (isWanted) await retry(() => admission.finish(id, applicant.accountId, payload));
      else await admission.leave(id, applicant.accountId);
    } finally {
      work.done();
      renders.delete(id);
    }
  }

  async function takeCounted(bullJob: BullJob<QueuedRender<Task>>): Promise<void> {
    const job: TakenJob = { stage: 'taken' };
    jobs.add(job);
    adjust();
    try {
      await take(bullJob, job);
    } finally {
      jobs.delete(job);
      adjust();
    }
  }

  const worker: Worker<QueuedRender<Task>> = new Worker(lane, takeCounted, {
    connection: link.connect(),
    prefix: space,
    concurrency: Math.max(1, admissions[lane].room),
    lockDuration: lockMs,
    lockRenewTime: lockRenewMs,
    stalledInterval: stalledCheckMs,
    maxStalledCount: deathsMax,
    // How soon the worker tries again after Redis was unavailable. BullMQ's default is 15 s.
    runRetryDelay: 500,
  });
  worker.on('error', (error) => log.debug({ err: error }, 'error in the queue'));
  worker.on('stalled', (id) => log.warn({ render: id }, 'a render node died; another node takes over its render'));
  worker.on('failed', (bullJob, error) => {
    log.warn({ render: bullJob?.id, reason: error.message }, 'a render was given up');
    if (bullJob?.id === undefined) return;
    const problem = problemData(new Problem('renderer_unavailable', { retryAfter: 5 }));
    const payload = pack({ id: bullJob.id, began: false, problem, step: 'render', phases: {} } satisfies RemoteResult);
    admission.finish(bullJob.id, bullJob.data.applicant.accountId, payload).catch(() => {});
  });
  const adjust = keepConcurrency(worker, admissions[lane], jobs);
  await worker.waitUntilReady();
  return worker;
}
