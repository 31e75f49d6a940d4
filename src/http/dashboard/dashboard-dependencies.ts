// What the dashboard is given by app.ts.

import type { Limits } from '../../access/limits.ts';
import type { Quota } from '../../access/quota.ts';
import type { SignIn } from '../../access/sign-in.ts';
import type { Cache } from '../../cache/cache.ts';
import type { CardMaker } from '../../cards/card-types.ts';
import type { Egress } from '../../egress/egress-types.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Log } from '../../kernel/log.ts';
import type { Plans } from '../../kernel/plans.ts';
import type { Renderer } from '../../render/render.ts';
import type { Validate } from '../../render/validate.ts';
import type { Sites } from '../../sites/sites.ts';
import type { OpenStore } from '../../store/open.ts';
import type { OwnTemplates } from '../../templates/own-templates.ts';
import type { WebhookSecrets } from '../../webhooks/secrets.ts';
import type { Journal } from '../journal.ts';
import type { HealthView } from './contract.ts';

export type DashboardDependencies = {
  readonly baseUrl: () => string;
  readonly log: Log;
  readonly plans: Plans;
  readonly store: OpenStore;
  readonly signIn: SignIn;
  readonly limits: Pick<Limits, 'peek'>;
  readonly quota: Pick<Quota, 'peek'>;
  readonly validate: Validate;
  readonly renderer: Pick<Renderer, 'start'>;
  readonly jobs: Jobs;
  readonly sites: Sites;
  readonly cards: CardMaker;
  readonly ownTemplates: OwnTemplates;
  readonly cache: Pick<Cache, 'find' | 'read' | 'remove' | 'purge'>;
  readonly journal: Pick<Journal, 'write' | 'flush'>;
  /** What an administrator sees of the service; the version comes with it. */
  readonly health: () => HealthView;
  readonly version: string;
  /** Where Vite put the pages: web/dist. */
  readonly webDir: string;
  readonly webhooks: { readonly secrets: WebhookSecrets; readonly wake: () => void };
  readonly egress: Pick<Egress, 'check'>;
};
