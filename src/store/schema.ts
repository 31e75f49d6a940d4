// The tables as TypeScript types. Times are integer milliseconds, except in the tables that better-auth writes too
// (accounts, sessions, credentials, verifications, two_factors, passkeys): there they are dates, ISO text in SQLite and timestamptz in
// PostgreSQL.

import type { ColumnType } from 'kysely';
import type { PlanName } from '../kernel/plans.ts';
import type { JobStatus } from './job-types.ts';
import type { OwnTemplateFileRow, OwnTemplateRow, OwnTemplateVersionRow } from './own-templates.ts';
import type { AdminAction } from './store.ts';

/** SQLite returns 0 or 1. */
type Flag = ColumnType<boolean | number, boolean, boolean>;
type FlagWithDefault = ColumnType<boolean | number, boolean | undefined, boolean>;
type Time = ColumnType<Date | string, string, string>;

export type AccountRow = {
  id: string;
  email: string;
  name: string;
  email_verified: FlagWithDefault;
  image: ColumnType<string | null, string | null | undefined, string | null>;
  plan: PlanName;
  admin: Flag;
  disabled: FlagWithDefault;
  two_factor: FlagWithDefault;
  created_at: Time;
  updated_at: Time;
};

export type KeyRow = {
  id: string;
  account_id: string;
  name: string;
  hash: string;
  first: string;
  last: string;
  signing_secret: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
  expires_at: number | null;
  /** JSON arrays of strings. */
  allowed_hosts: string | null;
  allowed_templates: string | null;
};

export type CacheRow = {
  key: string;
  account_id: string;
  hash: string;
  size: number;
  type: string;
  meta: string;
  created_at: number;
  used_at: number;
  max_age_ms: number | null;
  kept_until: number;
  subject: string | null;
};

export type RequestRow = {
  id: string;
  account_id: string;
  key_id: string;
  at: number;
  endpoint: 'screenshot' | 'og' | 'content';
  status: number;
  outcome: 'render' | 'hit' | 'error';
  code: string | null;
  render_ms: number | null;
  total_ms: number;
  parameters: string;
  phases: string;
  warnings: string;
  cache_key: string | null;
  verdict: string | null;
};

export type InvitationRow = {
  id: string;
  token_hash: string;
  email: string | null;
  plan: PlanName;
  admin: Flag;
  created_by: string;
  created_at: number;
  expires_at: number;
};

export type JobRow = {
  id: string;
  account_id: string;
  key_id: string;
  batch_id: string | null;
  batch_index: number | null;
  kind: RequestRow['endpoint'];
  request: string;
  /** What the dashboard calls the job: its address or template, cut. */
  subject: string;
  sealed: Uint8Array | null;
  metadata: string | null;
  webhook: string | null;
  status: JobStatus;
  created_at: number;
  run_after: number;
  attempts: number;
  failures: number;
  lease_token: string | null;
  lease_until: number | null;
  started_at: number | null;
  ended_at: number | null;
  result: string | null;
  summary: string | null;
  error: string | null;
  cache_key: string | null;
};

export type BatchRow = {
  id: string;
  account_id: string;
  webhook: string | null;
  created_at: number;
  size: number;
  remaining: number;
  ended_at: number | null;
};

export type WebhookDeliveryRow = {
  /** The `webhook-id`. */
  id: string;
  account_id: string;
  type: 'job.done' | 'job.failed' | 'batch.done' | 'test';
  /** The job or batch. A test is its own subject. */
  subject_id: string;
  url: string;
  /** Deliveries to one host are in one lane, so that a host that hangs delays only its own. */
  lane: number;
  body: string;
  state: 'pending' | 'delivered' | 'failed';
  /** How often it was tried since it was created or sent again. */
  attempts: number;
  /** When it may be claimed: the time of the next attempt, or the end of the lease. */
  due_at: number;
  /** Of the sender that is trying it. */
  lease: string | null;
  created_at: number;
};

export type WebhookAttemptRow = {
  id: string;
  delivery_id: string;
  at: number;
  /** Null without an answer. */
  status: number | null;
  /** Why it failed, in plain words; null if it succeeded. */
  error: string | null;
  duration_ms: number;
  /** The start of the answer's body. */
  answer: string;
};

export type SiteRow = {
  id: string;
  account_id: string;
  origin: string;
  token: string;
  name: string;
  description: string;
  template: string;
  /** JSON. */
  fixed_values: string;
  mapping: string;
  created_at: number;
  changed_at: number;
  verified_at: number | null;
  verified_by: 'dns' | 'file' | 'meta' | null;
  checked_at: number | null;
  lost_at: number | null;
};

export type Schema = {
  accounts: AccountRow;
  sessions: { id: string; account_id: string; token: string; expires_at: Time; created_at: Time; updated_at: Time };
  credentials: {
    id: string;
    account_id: string;
    provider_id: string;
    provider_account_id: string;
    password: string | null;
    /** Encrypted by better-auth, which alone inserts them. */
    access_token: ColumnType<string | null, undefined, string | null>;
    refresh_token: ColumnType<string | null, undefined, string | null>;
    created_at: Time;
    updated_at: Time;
  };
  verifications: {
    id: string;
    identifier: string;
    value: string;
    expires_at: Time;
    created_at: Time;
    updated_at: Time;
  };
  api_keys: KeyRow;
  cache_entries: CacheRow;
  /** Written by triggers on cache_entries. */
  cache_accounts: { account_id: string; entries: number; bytes: number };
  requests: RequestRow;
  usage_hours: {
    account_id: string;
    key_id: string;
    hour: number;
    renders: number;
    hits: number;
    errors: number;
  };
  /** Written by triggers on requests. */
  usage_accounts: { account_id: string; bytes: number };
  invitations: InvitationRow;
  admin_actions: {
    id: string;
    at: number;
    actor_id: string;
    actor: string;
    action: AdminAction['action'];
    target: string | null;
    details: string | null;
  };
  /** `secret` and `backup_codes` are encrypted by better-auth. */
  two_factors: { id: string; account_id: string; secret: string; backup_codes: string };
  passkeys: { id: string; account_id: string };
  quota_months: { account_id: string; month: number; used: number };
  jobs: JobRow;
  batches: BatchRow;
  /**
   * Changed in the transaction that changes the jobs.
   */
  job_accounts: {
    account_id: string;
    queued: number;
    running: number;
    /** Of all jobs. Written by triggers. */
    stored_bytes: ColumnType<number, number | undefined, never>;
    /** How many were sent since, within a minute. */
    sent_since: ColumnType<number, number | undefined, number>;
    sent: ColumnType<number, number | undefined, number>;
    served_at: number;
    ready_at: number;
  };
  idempotency_keys: { account_id: string; name: string; hash: string; subject_id: string; created_at: number };
  service_values: { name: string; value: string };
  sign_in_attempts: { subject: string; failures: number; last_at: number; blocked_until: number };
  sign_in_addresses: { account_id: string; address: string; last_at: number };
  migrations: { name: string; at: number };
  /** Encrypted by webhooks/secrets.ts. */
  webhook_secrets: {
    account_id: string;
    secret: string;
    created_at: number;
    previous: string | null;
    previous_until: number | null;
  };
  own_templates: OwnTemplateRow;
  own_template_versions: OwnTemplateVersionRow;
  /** The last version of each, for a new template of the same name. */
  removed_templates: { account_id: string; name: string; latest: number; removed_at: number };
  own_template_files: OwnTemplateFileRow;
  webhook_deliveries: WebhookDeliveryRow;
  webhook_attempts: WebhookAttemptRow;
  sites: SiteRow;
  site_pages: { site_id: string; path: string; facts: string; read_at: number; card_key: string | null };
};
