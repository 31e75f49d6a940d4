// Accepts jobs: a job is accepted when its row is committed. Submissions that arrive together are one commit.
import { createHmac } from 'node:crypto';
import { Problem } from '../kernel/errors.ts';
import { createGroupWriter } from '../kernel/group-writer.ts';
import { type Plan, type Plans, storageOf } from '../kernel/plans.ts';
import { timedId } from '../store/identifiers.ts';
import type { Acceptance, JobStore, NewJob, Submission } from '../store/job-types.ts';
import type { Account } from '../store/store.ts';
import { jobSubject, type RequestSealing } from './stored-request.ts';
import type { CheckedJob } from './submission.ts';

export type Idempotency = { readonly key: string; readonly hash: string };

export type CheckedSubmission = {
  readonly account: Pick<Account, 'id' | 'plan'>;
  readonly keyId: string;
  readonly jobs: readonly CheckedJob[];
  readonly as: 'job' | 'batch';
  readonly webhook: string | null;
  readonly idempotency?: Idempotency | undefined;
};

export type JobAcceptance = {
  /** The idempotency key together with the body that was sent to this path. */
  idempotency(key: string, path: string, body: unknown): Idempotency;
  /** The job or batch for which this key was used, if it was. Throws 409 if the body is another one. */
  known(accountId: string, idempotency: Idempotency): Promise<string | undefined>;
  /** A new job or batch, or that of the idempotency key, whose time is not known here. Throws 409 or 429. */
  accept(submission: CheckedSubmission): Promise<{ readonly id: string; readonly createdAt?: number }>;
};

type Dependencies = {
  readonly jobs: Pick<JobStore, 'accept' | 'knownKey'>;
  readonly plans: Plans;
  readonly sealing: RequestSealing;
  readonly serviceSecret: string;
  /** Called after jobs were accepted. */
  readonly onAccepted: () => void;
};

/** One commit has at most this many jobs or, as their weight, 4 MB. */
const mostTogether = 500;
const bytesPerWeight = 8192;

export function createJobAcceptance(dependencies: Dependencies): JobAcceptance {
  const { jobs, plans, sealing, serviceSecret, onAccepted } = dependencies;
  const storage = storageOf(plans, 'jobs');
  const write = createGroupWriter<Submission, Acceptance>({
    write: (submissions) => jobs.accept(submissions, Date.now()),
    weigh: ({ jobs: all }) => all.reduce((sum, { sealed }) => sum + 1 + (sealed?.length ?? 0) / bytesPerWeight, 0),
    most: mostTogether,
  });

  const toRow = ({ kind, parameters, metadata }: CheckedJob, keyId: string, webhook: string | null): NewJob => {
    const id = timedId('job');
    return {
      id,
      keyId,
      kind,
      subject: jobSubject(parameters),
      metadata,
      webhook,
      ...sealing.store(kind, parameters, id),
    };
  };

  return {
    idempotency: (key, path, body) => ({
      key,
      hash: createHmac('sha256', serviceSecret)
        .update(`${path} ${JSON.stringify(body)}`)
        .digest('base64url'),
    }),

    async known(accountId, { key, hash }) {
      const known = await jobs.knownKey(accountId, key, Date.now());
      if (known !== undefined && isOther(known.hash, hash)) throw new Problem('idempotency_conflict');
      return known?.id;
    },

    async accept({ account, keyId, jobs: checked, as, webhook, idempotency }) {
      const plan = plans[account.plan];
      const batch = as === 'batch' ? { id: timedId('batch'), webhook } : undefined;
      const rows = checked.map((job) => toRow(job, keyId, batch === undefined ? webhook : null));
      const most = { queued: plan.jobsQueued, aMinute: sentAMinute(plan), bytes: storage[account.plan] };
      const answer = await write({ accountId: account.id, jobs: rows, batch, idempotency, most });
      if (answer.outcome === 'full') throw queueFull(answer, rows.length, plan);
      if (answer.outcome === 'too fast') throw tooFast(answer, plan);
      if (answer.outcome === 'no room') throw noRoom(plan, storage[account.plan]);
      if (answer.outcome === 'accepted') {
        onAccepted();
        return { id: batch?.id ?? rows[0]?.id ?? '', createdAt: answer.at };
      }
      if (isOther(answer.hash, idempotency?.hash)) throw new Problem('idempotency_conflict');
      return { id: answer.id };
    },
  };
}

/** An empty one is of a secret that was replaced: whether the body is the same cannot be known. */
const isOther = (stored: string, hash: string | undefined): boolean => stored !== '' && stored !== hash;

/** More can only be sent by an account that cancels jobs again and again: once it may cancel all, and send others. */
const sentAMinute = ({ jobsQueued, rendersPerMinute }: Plan): number => 2 * jobsQueued + rendersPerMinute;

function queueFull({ queued }: { readonly queued: number }, wanted: number, plan: Plan): Problem {
  const over = queued + wanted - plan.jobsQueued;
  return new Problem('queue_full', {
    message: `${plan.label} allows ${plan.jobsQueued} jobs to wait; ${queued} wait, and this request has ${wanted}.`,
    // The time in which so many can be rendered at the plan's rate.
    retryAfter: Math.min(3600, Math.ceil((60 * Math.max(1, over)) / plan.rendersPerMinute)),
  });
}

const tooFast = ({ retryMs }: { readonly retryMs: number }, plan: Plan): Problem =>
  new Problem('rate_limited', {
    message: `${plan.label} allows ${sentAMinute(plan)} jobs to be sent in a minute.`,
    retryAfter: Math.ceil(retryMs / 1000),
  });

const noRoom = (plan: Plan, bytes: number): Problem =>
  new Problem('queue_full', {
    message: `${plan.label} allows the jobs of an account ${Math.floor(bytes / 1e6)} MB, and those that have not ended need them. Wait until some have ended, or send URLs.`,
    retryAfter: 60,
  });
