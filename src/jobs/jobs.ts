// The face of jobs: accepting them, showing and cancelling them, and running them.
import { Problem } from '../kernel/errors.ts';
import type { BatchRecord, JobRecord, JobStore, JobsFilter } from '../store/job-types.ts';
import type { Account } from '../store/store.ts';
import { createJobAcceptance, type JobAcceptance } from './acceptance.ts';
import { type BatchView, createJobViews } from './job-view.ts';
import { createRunner, type RunnerDependencies } from './runner.ts';
import { createRequestSealing, erasedNames, keptParameters } from './stored-request.ts';

export type JobTotals = Awaited<ReturnType<JobStore['totals']>>;

export type Jobs = Pick<JobAcceptance, 'idempotency' | 'known' | 'accept'> & {
  /** Each throws 404 if the account has no such job or batch. With `keyId`, also if it was made with another key. */
  find(accountId: string, id: string, keyId?: string): Promise<JobRecord>;
  batchRecord(accountId: string, id: string): Promise<BatchRecord>;
  batch(accountId: string, id: string, keyId?: string): Promise<BatchView>;
  /** Throws 409 if the job has begun. */
  cancel(accountId: string, id: string, keyId?: string): Promise<JobRecord>;
  cancelBatch(accountId: string, id: string, keyId?: string): Promise<BatchView>;
  list(accountId: string, filter: JobsFilter): Promise<JobRecord[]>;
  /** The job as JSON. */
  view(job: JobRecord): string;
  statusUrl(id: string): string;
  /**
   * Accepts a new job with the request of one that failed or was canceled; returns its id. Throws 409 if it is in another
   * state, or parts of its request were erased when it ended.
   */
  runAgain(account: Pick<Account, 'id' | 'plan'>, id: string): Promise<string>;
  /** Of all accounts, a few seconds old. */
  readonly totals: JobTotals;
  /** Begins to run jobs. Those that ran when this machine's last process ended run again, if no other machine has them. */
  start(): Promise<void>;
  drain(): Promise<void>;
  stop(): Promise<void>;
};

type Dependencies = Omit<RunnerDependencies, 'sealing' | 'webhooks'> & {
  readonly baseUrl: () => string;
  readonly serviceSecret: string;
  /** Does only this process use the database? Then all jobs that run at its start were its own. */
  readonly alone: boolean;
};

const totalsEveryMs = 5000;

export function createJobs(dependencies: Dependencies): Jobs {
  const { jobs, plans, serviceSecret, baseUrl, alone, log } = dependencies;
  const sealing = createRequestSealing(serviceSecret);
  const views = createJobViews(baseUrl);
  const { webhooks } = views;
  const runner = createRunner({ ...dependencies, sealing, webhooks });
  const acceptance = createJobAcceptance({ jobs, plans, sealing, serviceSecret, onAccepted: runner.wake });
  let totals: JobTotals = { queued: 0, running: 0, oldestAt: null };
  let counting: NodeJS.Timeout | undefined;

  const batchRecord = async (accountId: string, id: string): Promise<BatchRecord> =>
    (await jobs.batch(accountId, id)) ?? notFound('batch');

  async function find(accountId: string, id: string, keyId?: string): Promise<JobRecord> {
    const job = await jobs.find(accountId, id);
    return job === undefined || (keyId !== undefined && job.keyId !== keyId) ? notFound('job') : job;
  }

  /** All jobs of a batch were made with the same key. */
  async function checkBatchKey(accountId: string, batchId: string, keyId: string | undefined): Promise<void> {
    if (keyId === undefined) return;
    const [first] = await jobs.list(accountId, { count: 1, batchId });
    if (first?.keyId !== keyId) notFound('batch');
  }

  return {
    ...acceptance,
    view: views.job,
    statusUrl: views.statusUrl,
    find,
    batchRecord,
    async batch(accountId, id, keyId) {
      await checkBatchKey(accountId, id, keyId);
      return views.batch(await batchRecord(accountId, id));
    },
    async runAgain(account, id) {
      const job = await find(account.id, id);
      if (job.status !== 'failed' && job.status !== 'canceled') throw conflict(`This job is ${job.status}.`);
      const erased = erasedNames(job.kind, job.request);
      if (erased.length > 0)
        throw conflict(`Its ${erased.join(', ')} was erased when the job ended. Send the request again.`);
      const { kind, keyId, webhook, metadata, request } = job;
      const again = { kind, metadata, parameters: keptParameters(request) };
      return (await acceptance.accept({ account, keyId, webhook, jobs: [again], as: 'job' })).id;
    },
    async cancel(accountId, id, keyId) {
      if (keyId !== undefined) await find(accountId, id, keyId);
      const job = (await jobs.cancel(accountId, id, webhooks, Date.now())) ?? notFound('job');
      if (job.status !== 'canceled')
        throw conflict(`This job is ${job.status}; only a job that has not begun can be canceled.`);
      return job;
    },
    async cancelBatch(accountId, id, keyId) {
      await checkBatchKey(accountId, id, keyId);
      return views.batch((await jobs.cancelBatch(accountId, id, webhooks, Date.now())) ?? notFound('batch'));
    },
    list: jobs.list,
    get totals() {
      return totals;
    },
    async start() {
      if (alone) {
        const count = await jobs.takeBack(Date.now(), 'all');
        if (count > 0) log.warn({ count }, 'jobs that ran when the service ended run again');
      }
      const count = () =>
        void jobs.totals().then(
          (counted) => (totals = counted),
          (error) => log.debug({ err: error }, 'jobs were not counted'),
        );
      counting = setInterval(count, totalsEveryMs).unref();
      runner.start();
    },
    drain: runner.drain,
    async stop() {
      clearInterval(counting);
      await runner.stop();
    },
  };
}

const conflict = (message: string): Problem => new Problem('conflict', { message });

function notFound(what: 'job' | 'batch'): never {
  throw new Problem('not_found', { message: `There is no such ${what}.` });
}
