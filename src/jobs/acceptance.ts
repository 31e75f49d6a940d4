// Accepts jobs: a job is accepted when its row is committed. Submissions that arrive together are one commit.
import { createHmac } from 'node:crypto';
import { Problem } from '../kernel/errors.ts';
import { createGroupWriter } from '../kernel/group-writer.ts';
import type { Plan, Plans } from '../kernel/plans.ts';
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

/** What the jobs of one account that have not ended may hold: pages that were sent have up to 2 MB. */
const mostBytes = 256 * 1024 * 1024;
/** An account keeps as many ended jobs as its rate allows in the seven days that jobs are kept: only canceled ones can be more. */
const keptMinutes = 7 * 24 * 60;
/** One commit has at most this many jobs or, as their weight, 4 MB. */
const mostTogether = 500;
const bytesPerWeight = 8192;

export function createJobAcceptance(dependencies: Dependencies): JobAcceptance {
  const { jobs, plans, sealing, serviceSecret, onAccepted } = dependencies;
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
      const ended = plan.rendersPerMinute * keptMinutes + plan.jobsQueued;
      const most = { queued: plan.jobsQueued, bytes: mostBytes, ended };
      const answer = await write({ accountId: account.id, jobs: rows, batch, idempotency, most });
      if (answer.outcome === 'full') throw queueFull(answer, rows.length, plan);
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

function queueFull({ queued }: { readonly queued: number }, wanted: number, plan: Plan): Problem {
  const over = queued + wanted - plan.jobsQueued;
  return new Problem('queue_full', {
    message:
      over > 0
        ? `${plan.label} allows ${plan.jobsQueued} jobs to wait; ${queued} wait, and this request has ${wanted}.`
        : `The jobs of an account may hold ${mostBytes / 1024 / 1024} MB. Wait until some have ended, or send URLs.`,
    // The time in which so many can be rendered at the plan's rate.
    retryAfter: Math.min(3600, Math.ceil((60 * Math.max(1, over)) / plan.rendersPerMinute)),
  });
}
