// What the HTTP layer is given by app.ts.
import type { FastifyRequest } from 'fastify';
import type { Limits } from '../access/limits.ts';
import type { Quota } from '../access/quota.ts';
import type { CardMaker } from '../cards/card-types.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { SubmissionChecks } from '../jobs/submission.ts';
import type { Log } from '../kernel/log.ts';
import type { Plans } from '../kernel/plans.ts';
import type { Renderer } from '../render/render.ts';
import type { Validate } from '../render/validate.ts';
import type { Sites } from '../sites/sites.ts';
import type { Store } from '../store/store.ts';
import type { OwnTemplates } from '../templates/own-templates.ts';
import type { InFlight } from './in-flight.ts';
import type { Journal } from './journal.ts';
import type { Metrics } from './metrics.ts';

export type HttpDependencies = {
  /** Of this program. */
  readonly version: string;
  readonly baseUrl: () => string;
  readonly trustProxy: readonly string[];
  readonly plans: Plans;
  readonly log: Log;
  readonly store: Store;
  readonly limits: Limits;
  readonly quota: Pick<Quota, 'peek'>;
  readonly renderer: Renderer;
  readonly validate: Validate;
  readonly jobs: Jobs;
  readonly jobChecks: SubmissionChecks;
  readonly sites: Pick<Sites, 'open' | 'card' | 'refresh' | 'own'>;
  readonly cards: Pick<CardMaker, 'catalogue' | 'revision'>;
  readonly ownTemplates: OwnTemplates;
  /** Signs links to stored results. */
  readonly serviceSecret: string;
  /** Notes that a key was used; written later, in batches. */
  readonly keyUsed: (keyId: string) => void;
  /** What this node needs to work, by name: true, or the reason why it is missing. */
  readonly checks: () => Promise<Readonly<Record<string, boolean | string>>>;
  readonly journal: Journal;
  readonly metrics: Metrics;
  /** Requests in flight: a stop waits for them. */
  readonly requests: InFlight<FastifyRequest>;
  readonly stopping: () => boolean;
  /** Removes the account's results of one subject: see render/subject.ts. Returns how many. */
  readonly removeResults: (accountId: string, subject: string) => Promise<number>;
};
