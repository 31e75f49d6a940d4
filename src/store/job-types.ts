// Jobs and batches in the store. A row is the truth: a job is accepted when its row is committed, and it has ended when
// its row says so. Times are Unix milliseconds.
import type { PlanName } from '../kernel/plans.ts';
import type { JobRow } from './schema.ts';

export const jobStatuses = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type JobStatus = (typeof jobStatuses)[number];
export type JobCounts = Readonly<Record<JobStatus, number>>;

export type JobRecord = {
  readonly id: string;
  readonly accountId: string;
  /** The key that sent it. */
  readonly keyId: string;
  readonly batchId: string | null;
  readonly batchIndex: number | null;
  readonly kind: JobRow['kind'];
  /** JSON: the parameters as pairs of name and text, without those that are in `sealed`. A long one is dropped in lists, and when the job ends. */
  readonly request: string;
  /** Its address or template, cut. */
  readonly subject: string;
  /** JSON. */
  readonly metadata: string | null;
  readonly webhook: string | null;
  readonly status: JobStatus;
  readonly createdAt: number;
  /** How often it was begun. */
  readonly attempts: number;
  /** How often it failed through a fault of the service. */
  readonly failures: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** JSON: what `response=json` gives. In lists without its long texts. */
  readonly result: string | null;
  /** JSON: the body of the error. */
  readonly error: string | null;
  /** The result's cache entry. */
  readonly cacheKey: string | null;
};

export type NewJob = Pick<JobRecord, 'id' | 'keyId' | 'kind' | 'request' | 'subject' | 'metadata' | 'webhook'> & {
  /** The encrypted parameters that only a body may carry: secrets, and pages that were sent. Erased when the job ends. */
  readonly sealed: Uint8Array | null;
};

export type NewBatch = { readonly id: string; readonly webhook: string | null };

/** One job, or the jobs of one batch: all are accepted, or none. */
export type Submission = {
  readonly accountId: string;
  readonly jobs: readonly NewJob[];
  readonly batch?: NewBatch | undefined;
  /** `hash` is of the body: the same key with another one is a conflict. */
  readonly idempotency?: { readonly key: string; readonly hash: string } | undefined;
  /**
   * How many jobs may wait and be sent in a minute, and how many bytes all jobs of the account may have: to make room, those
   * that have ended are removed, the oldest first.
   */
  readonly most: { readonly queued: number; readonly aMinute: number; readonly bytes: number };
};

export type Acceptance =
  | { readonly outcome: 'accepted'; readonly at: number }
  /** The idempotency key was used before: for the job or batch of this id, with the same body or with another. */
  | { readonly outcome: 'known'; readonly id: string; readonly hash: string }
  | { readonly outcome: 'full'; readonly queued: number }
  | { readonly outcome: 'too fast'; readonly retryMs: number }
  | { readonly outcome: 'no room' };

/** A job that this process runs. The token proves it: whoever took the job over has another one. */
export type ClaimedJob = JobRecord & { readonly token: string; readonly sealed: Uint8Array | null };

export type BatchRecord = {
  readonly id: string;
  readonly accountId: string;
  readonly webhook: string | null;
  readonly createdAt: number;
  readonly size: number;
  readonly endedAt: number | null;
  readonly counts: JobCounts;
};

/** How a job ends. `summary` is the result without its long texts, where that differs. */
export type JobEnd =
  | {
      readonly status: 'done';
      readonly result: string;
      readonly summary: string | null;
      readonly cacheKey: string | null;
    }
  | { readonly status: 'failed'; readonly error: string };

/** The bodies of the webhooks that are sent when a job or a batch has ended. */
export type JobWebhooks = {
  /** With the summary of its result, if there is one, where the whole would be too long. */
  job(job: JobRecord, summary: string | null): string;
  batch(batch: BatchRecord): string;
};

export type JobsFilter = {
  readonly count: number;
  readonly status?: JobStatus | undefined;
  readonly kind?: JobRow['kind'] | undefined;
  readonly batchId?: string | undefined;
  /** Only those that were made with this key. */
  readonly keyId?: string | undefined;
  /** Only those that were made before the one of this id. */
  readonly after?: string | undefined;
};

export interface JobStore {
  /** Accepts each submission or not, in one transaction that is on the disk when this returns. */
  accept(submissions: readonly Submission[], now: number): Promise<Acceptance[]>;
  /** What this idempotency key was used for, if it is still valid. */
  knownKey(accountId: string, key: string, now: number): Promise<{ id: string; hash: string } | undefined>;

  /** The account whose turn it is: of those with a job to run and room for it, the one that was served longest ago. */
  nextAccount(
    atOnce: Readonly<Record<PlanName, number>>,
    now: number,
  ): Promise<{ readonly accountId: string; readonly plan: PlanName; readonly queued: number } | undefined>;
  /** Takes the account's next job; undefined if it has none that may run now. */
  claim(accountId: string, token: string, leaseUntil: number, now: number): Promise<ClaimedJob | undefined>;
  /** The account has no turn before this time, unless it has got more jobs since `queued` was read. */
  postpone(account: { readonly accountId: string; readonly queued: number }, until: number): Promise<void>;
  /** Returns the tokens that are still valid. */
  renew(jobs: readonly { readonly id: string; readonly token: string }[], leaseUntil: number): Promise<string[]>;
  /** Puts a job back into the queue, if the token is still valid. `counts`: as a try, as a failure, or not at all. */
  putBack(
    job: { readonly id: string; readonly token: string },
    counts: 'as nothing' | 'as try' | 'as failure',
    runAfter: number,
  ): Promise<boolean>;
  /**
   * Puts jobs whose lease is over back into the queue, with all others that run if `all`. Returns how many. Corrects times
   * that were written before the clock went back.
   */
  takeBack(now: number, all?: 'all'): Promise<number>;
  /**
   * Ends the job, once: false if the token is no longer valid, or the job has ended already. Only the summary of a long result
   * is kept if all jobs of the account have more bytes than `most`.
   */
  end(
    job: { readonly id: string; readonly token: string },
    how: JobEnd,
    webhooks: JobWebhooks,
    now: number,
    most?: Readonly<Record<PlanName, number>>,
  ): Promise<boolean>;

  find(accountId: string, id: string): Promise<JobRecord | undefined>;
  /** Newest first; those of a batch in their order. */
  list(accountId: string, filter: JobsFilter): Promise<JobRecord[]>;
  batch(accountId: string, id: string): Promise<BatchRecord | undefined>;
  /** Newest first. */
  batches(accountId: string, count: number, after?: string): Promise<BatchRecord[]>;
  /** Cancels the job if it has not begun. Returns it as it is then. */
  cancel(accountId: string, id: string, webhooks: JobWebhooks, now: number): Promise<JobRecord | undefined>;
  /** Cancels the jobs of the batch that have not begun. Returns the batch as it is then. */
  cancelBatch(accountId: string, id: string, webhooks: JobWebhooks, now: number): Promise<BatchRecord | undefined>;

  /** How many jobs of the account wait and run. */
  load(accountId: string): Promise<{ queued: number; running: number }>;
  /** Of all accounts. `oldestAt` is when the job that waits longest was made. */
  totals(): Promise<{ queued: number; running: number; oldestAt: number | null }>;
  /** Removes jobs and batches that ended before this time or whose account is gone, and idempotency keys that are no longer valid. */
  prune(endedBefore: number, now: number): Promise<void>;
}
