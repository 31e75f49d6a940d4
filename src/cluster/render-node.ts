// The other end of the queue: takes renders, makes them with the workshop of this process, and sends back what
// became of them. It holds no database and no bucket: what it knows is in the ticket.
import type { Job as BullJob, Worker } from 'bullmq';
import { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { type Lane, lanes } from '../kernel/lanes.ts';
import type { Log } from '../kernel/log.ts';
import type { Applicant, Gate } from './gate.ts';
import { insist, type Link, space } from './link.ts';
import type { Member } from './member.ts';
import { pack } from './parcel.ts';
import { toLetter } from './problems.ts';
import type { Outcome, Ticket } from './remote-workshop.ts';
import { keepConcurrency, type NodeAdmission, type TakenJob } from './worker-concurrency.ts';

type Bytes = { readonly bytes: Buffer };

type Parts<Job, Made extends Bytes> = {
  link: Link;
  member: Member;
  gates: Readonly<Record<Lane, Gate>>;
  admissions: Readonly<Record<Lane, NodeAdmission>>;
  /** `began` is called when the render has got a slot. */
  make(job: Job, applicant: Applicant, work: Deadline, id: string, began: () => void): Promise<Made>;
  log: Log;
};

export type RenderNode = {
  /** Takes no more, and finishes what it has. */
  stop(): Promise<void>;
};

// A node that dies leaves its renders to others when its lock on them has run out: after 3 to 5 s, 4 on average
// (BullMQ's defaults, 30 s each, take up to a minute). Renewed every second, so that a busy event loop loses none.
const lockMs = 4000;
const lockRenewMs = 1000;
const stalledCheckMs = 1000;
/** A render that took three nodes down with it is not given to a fourth. */
const deathsMax = 2;
/** So much before the deadline a render ends here, so that its answer is there in time. */
const headStartMs = 40;
/** With so much time left a render is begun before it is certain that it is still wanted. */
const usualMs = 500;
/** And so often it says in which step it is, should that not be in time all the same. */
const reportMs = 250;

/** A render this node has taken. */
type Taken = {
  readonly work: Deadline;
  readonly gate: Gate;
  readonly job: TakenJob;
  began: boolean;
  reported?: string;
};

export async function startRenderNode<Job, Made extends Bytes>(parts: Parts<Job, Made>): Promise<RenderNode> {
  const { link, member } = parts;
  const under = new Map<string, Taken>();
  const reporting = setInterval(() => {
    for (const [id, taken] of under) {
      const step = taken.work.currentStep;
      if (taken.reported === step) continue;
      taken.reported = step;
      taken.gate.report(id, step, taken.began).catch(() => {});
    }
  }, reportMs).unref();

  await member.listen('renderers:hear', (text) => {
    const [what, id = '', endsAt] = text.split(' ');
    const work = under.get(id)?.work;
    if (what === 'cancel') work?.cancel();
    else work?.extendTo(performance.now() + Number(endsAt) - link.now() - headStartMs);
  });

  const workers = await Promise.all(lanes.map((lane) => startWorker(parts, lane, under)));
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.close()));
      clearInterval(reporting);
    },
  };
}

async function startWorker<Job, Made extends Bytes>(
  { link, gates, admissions, make, log }: Parts<Job, Made>,
  lane: Lane,
  under: Map<string, Taken>,
): Promise<Worker> {
  const { Worker } = await import('bullmq');
  const gate = gates[lane];
  const jobs = new Set<TakenJob>();

  async function render({ applicant, job }: Ticket<Job>, taken: Taken, id: string): Promise<Buffer> {
    const { work } = taken;
    const began = () => {
      taken.began = true;
      enter(taken.job, 'begun');
      // At once: whoever hangs up now has used a slot.
      gate.report(id, work.currentStep, true).catch(() => {});
    };
    const about = () => ({ id, began: taken.began, phases: work.phases() });
    try {
      work.throwIfOver();
      // The gate has counted it: here it is one of those that the node can begin.
      const { bytes, ...made } = await make(job, { ...applicant, atOnce: Number.POSITIVE_INFINITY }, work, id, began);
      return pack({ ...about(), made } satisfies Outcome, bytes);
    } catch (error) {
      if (!(error instanceof Problem) && !work.signal.aborted) log.error({ err: error, render: id }, 'a render failed');
      return pack({ ...about(), problem: toLetter(error), step: work.currentStep } satisfies Outcome);
    } finally {
      enter(taken.job, 'over');
    }
  }

  function enter(job: TakenJob, stage: TakenJob['stage']): void {
    job.stage = stage;
    adjust();
  }

  async function take(bullJob: BullJob<Ticket<Job>>, job: TakenJob): Promise<void> {
    const id = bullJob.id ?? '';
    const { applicant, endsAt } = bullJob.data;
    const timeUntil = (end: number) => Math.max(0, end - link.now() - headStartMs);
    // Somebody still waits for it, as a rule: it is begun while that is asked. What is late, or was on a node that died,
    // is not begun before the answer.
    const claimed = insist(() => gate.claim(id));
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
    const taken: Taken = { work, gate, job, began: false };
    under.set(id, taken);
    try {
      if (!isUsual && !(await wanted)) return await gate.leave(id, applicant.accountId);
      const [parcel, isWanted] = await Promise.all([render(bullJob.data, taken, id), wanted]);
      if (isWanted) await insist(() => gate.finish(id, applicant.accountId, parcel));
      else await gate.leave(id, applicant.accountId);
    } finally {
      work.done();
      under.delete(id);
    }
  }

  async function takeCounted(bullJob: BullJob<Ticket<Job>>): Promise<void> {
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

  const worker: Worker<Ticket<Job>> = new Worker(lane, takeCounted, {
    connection: link.connect(),
    prefix: space,
    concurrency: Math.max(1, admissions[lane].room),
    lockDuration: lockMs,
    lockRenewTime: lockRenewMs,
    stalledInterval: stalledCheckMs,
    maxStalledCount: deathsMax,
    // How soon it looks again after Redis was away; 15 s is BullMQ's own.
    runRetryDelay: 500,
  });
  worker.on('error', (error) => log.debug({ err: error }, 'the queue'));
  worker.on('stalled', (id) => log.warn({ render: id }, 'a render node died; its render is taken over'));
  worker.on('failed', (bullJob, error) => {
    log.warn({ render: bullJob?.id, reason: error.message }, 'a render was given up');
    if (bullJob?.id === undefined) return;
    const problem = toLetter(new Problem('renderer_unavailable', { retryAfter: 5 }));
    const parcel = pack({ id: bullJob.id, began: false, problem, step: 'render', phases: {} } satisfies Outcome);
    gate.finish(bullJob.id, bullJob.data.applicant.accountId, parcel).catch(() => {});
  });
  const adjust = keepConcurrency(worker, admissions[lane], jobs);
  await worker.waitUntilReady();
  return worker;
}
