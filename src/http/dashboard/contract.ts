// The contract between the dashboard's pages (web/src/api.ts) and its JSON API: both sides are checked
// against these types. Times are Unix milliseconds.
import type { ErrorBody } from '../../kernel/error-body.ts';
import type { PlanName } from '../../kernel/plans.ts';
import type { Verdict } from '../../kernel/verdict.ts';
import type { JobStatus } from '../../store/job-types.ts';
import type { OwnershipProof } from '../../store/sites.ts';
import type { AdminAction } from '../../store/store.ts';

export type { ErrorBody } from '../../kernel/error-body.ts';
export type { Verdict, VerdictCode, VerdictFilter } from '../../kernel/verdict.ts';
export type { JobStatus } from '../../store/job-types.ts';

export type ProviderName = 'github' | 'google' | 'oidc';

export type AccountView = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly admin: boolean;
  readonly createdAt: number;
  /** False for an account that signs in with GitHub, Google or OpenID Connect only. */
  readonly hasPassword: boolean;
  readonly twoFactor: boolean;
};

export type PlanView = {
  readonly name: PlanName;
  readonly label: string;
  readonly ttlDays: number;
  readonly keys: number;
  readonly rendersPerMinute: number;
  readonly rendersAtOnce: number;
  readonly rendersPerMonth?: number;
};

/** What the pages load first: who is signed in, and what this server offers. */
export type SessionView = {
  readonly account: AccountView | null;
  /** No administrator exists yet: the server's log has the setup link. */
  readonly setupOpen: boolean;
  readonly signUp: 'open' | 'closed';
  readonly providers: readonly ProviderName[];
  /** What the button for OpenID Connect says. */
  readonly oidcName: string;
  readonly passkeys: boolean;
  /** A lost password: a link is sent by mail, or `contact` is asked. */
  readonly lostPassword: { readonly byMail: boolean; readonly contact: string };
  readonly plans: readonly PlanView[];
  /** Of new accounts. */
  readonly defaultPlan: PlanName;
  /** The lowest plan of each gated parameter, and of the endpoint `og`. */
  readonly gates: Readonly<Record<string, PlanName>>;
  readonly baseUrl: string;
  readonly version: string;
};

export type KeyView = {
  readonly id: string;
  readonly name: string;
  readonly first: string;
  readonly last: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
  readonly status: 'active' | 'expired' | 'revoked';
  readonly allowedHosts: readonly string[] | null;
  readonly allowedTemplates: readonly string[] | null;
};

export type KeysView = { readonly keys: readonly KeyView[]; readonly active: number; readonly limit: number };

export type NewKeyBody = {
  readonly name: string;
  readonly expiresAt?: number | null;
  readonly allowedHosts?: readonly string[] | null;
  readonly allowedTemplates?: readonly string[] | null;
};

/** The response to a key's creation: the only one that ever contains a key. */
export type CreatedKeyView = { readonly key: KeyView; readonly secret: string; readonly signingSecret: string };

export type RangeName = '24h' | '7d' | '30d' | '90d';

export type Sums = { readonly renders: number; readonly hits: number; readonly errors: number };

export type UsageView = {
  readonly range: RangeName;
  readonly by: 'hour' | 'day';
  /** Every hour or day of the range (UTC), oldest first, also the empty ones. */
  readonly buckets: readonly (Sums & { readonly at: number })[];
  readonly totals: Sums;
  readonly renderTimes: { readonly p50: number; readonly p95: number } | null;
  readonly byKey: readonly (Sums & { readonly keyId: string; readonly name: string })[];
  readonly rate: RateView;
  /** The renders of this month, where the plan has an allowance. */
  readonly quota: RateView | null;
};

export type RateView = { readonly limit: number; readonly remaining: number; readonly resetAt: number };

export type RequestView = {
  readonly id: string;
  readonly at: number;
  readonly endpoint: EndpointName;
  readonly status: number;
  readonly outcome: 'render' | 'hit' | 'error';
  readonly code: string | null;
  readonly keyId: string;
  readonly keyName: string;
  readonly renderMs: number | null;
  readonly totalMs: number;
  readonly parameters: Readonly<Record<string, string>>;
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  /** Null where nothing was captured. */
  readonly verdict: Verdict | null;
  /** Its picture, while that is still cached. */
  readonly captureId: string | null;
};

export type RequestsView = { readonly requests: readonly RequestView[]; readonly next: string | null };

export type CaptureView = {
  readonly id: string;
  readonly kind: EndpointName;
  /** The page's title, or the template's name. */
  readonly title: string;
  /** The page's address, or html or markdown where the caller sent the page; empty for a card. */
  readonly source: string;
  readonly type: string;
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly pages: number | null;
  /** Null for a card. */
  readonly verdict: Verdict | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Its content hash: in the picture's address, so that a browser may keep it. */
  readonly version: string;
};

export type CapturesView = { readonly captures: readonly CaptureView[]; readonly next: string | null };

/** A parameter as a form shows it. */
export type ParameterView = {
  readonly name: string;
  readonly input: 'text' | 'number' | 'checkbox' | 'select' | 'code' | 'url' | 'color';
  readonly expects: string;
  readonly doc: string;
  /** The title of its group in the form. */
  readonly group: string;
  /** Its type in a JSON body. */
  readonly json: 'string' | 'number' | 'boolean' | 'object';
  /** Why it is in no address, if it is taken from the body of a POST only. */
  readonly notInUrl: string | null;
  readonly isSecret: boolean;
  readonly required: boolean;
  readonly default: string | null;
  readonly plan: PlanName | null;
  readonly onlyFormat: string | null;
  readonly options: readonly string[] | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly maxLength: number | null;
  readonly example: string | null;
};

export type VariableView = {
  readonly name: string;
  readonly type: 'text' | 'color' | 'image_url' | 'items';
  readonly doc: string;
  readonly default: string | null;
};

export type TemplateView = {
  readonly name: string;
  readonly description: string;
  readonly variables: readonly VariableView[];
  readonly example: Readonly<Record<string, string>>;
  /** The address of its picture. */
  readonly picture: string;
};

export type OwnTemplateView = {
  readonly name: string;
  readonly description: string;
  /** The number of the newest version; 0 if only files were uploaded. */
  readonly latest: number;
  /** The version that `my/<name>` shows; 0 if none is. */
  readonly published: number;
  readonly updatedAt: number;
  readonly picture: string | null;
};

export type OwnTemplatesView = { readonly templates: readonly OwnTemplateView[]; readonly limit: number };

export type TemplateFileView = {
  readonly name: string;
  readonly kind: 'image' | 'font';
  readonly size: number;
  /** The address of its thumbnail; null for a font. */
  readonly picture: string | null;
};

export type TemplateVariablesView = {
  readonly variables: readonly VariableView[];
  readonly example: Readonly<Record<string, string>>;
};

/** What the editor opens: a version of a template. */
export type OwnTemplateDetailsView = TemplateVariablesView & {
  readonly name: string;
  readonly description: string;
  readonly latest: number;
  readonly published: number;
  readonly version: number;
  readonly html: string;
  readonly files: readonly TemplateFileView[];
};

export type TemplateVersionView = { readonly version: number; readonly createdAt: number };

/** What somebody says of a variable. */
export type VariableBody = { readonly default?: string; readonly example?: string; readonly doc?: string };

export type TemplateBody = {
  readonly html: string;
  readonly description?: string;
  readonly variables?: Readonly<Record<string, VariableBody>>;
};

export type SavedTemplateView = { readonly version: number; readonly published: number };

export type PreviewBody = TemplateBody & {
  /** The template whose uploaded files may be shown. */
  readonly name?: string;
  readonly values: Readonly<Record<string, string>>;
  readonly width: number;
  readonly height: number;
};

export type StarterSummaryView = { readonly name: string; readonly description: string };
export type StarterView = StarterSummaryView & TemplateVariablesView & { readonly html: string };

export type ParametersView = {
  /** The titles of the groups of `screenshot` and `content`, in order. */
  readonly groups: readonly string[];
  readonly screenshot: readonly ParameterView[];
  readonly content: readonly ParameterView[];
  readonly og: readonly ParameterView[];
  readonly templates: readonly TemplateView[];
};

export type EndpointName = 'screenshot' | 'og' | 'content';

export type RenderBody = { readonly endpoint: EndpointName; readonly parameters: Readonly<Record<string, string>> };

export type RenderedView = {
  /** Where the bytes are: a path of this server, or a data: URL where they could not be stored. */
  readonly image: string;
  /** The first page of a PDF as a picture; null for anything else, and where the PDF could not be stored. */
  readonly firstPage: string | null;
  /** The beginning of a text; null for a picture or a PDF. */
  readonly text: string | null;
  readonly type: string;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  readonly pages: number | null;
  readonly page: { readonly status: number; readonly finalUrl: string | null; readonly title: string } | null;
  readonly verdict: Verdict | null;
  readonly renderTime: number;
  readonly totalTime: number;
  readonly cache: 'HIT' | 'MISS';
  readonly warnings: readonly string[];
  readonly phases: Readonly<Record<string, number>>;
};

/** A line of the playground's answer, which is a stream of JSON lines. */
export type RenderEvent =
  | { readonly event: 'step'; readonly step: string; readonly ms: number }
  | { readonly event: 'done'; readonly result: RenderedView }
  | { readonly event: 'error'; readonly error: ErrorBody };

export type LinkBody = RenderBody & { readonly keyId: string; readonly expiresAt?: number | null };
export type LinkView = { readonly url: string };

/** With what the account used in the last 30 days. */
export type AdminAccountView = Omit<AccountView, 'hasPassword'> & { readonly disabled: boolean; readonly usage: Sums };
export type AdminAccountsView = { readonly accounts: readonly AdminAccountView[] };
export type AdminAccountBody = {
  readonly plan?: PlanName;
  readonly disabled?: boolean;
  readonly admin?: boolean;
  /** Only false: removes the second factor of somebody who lost it. */
  readonly twoFactor?: false;
};

export type InvitationView = {
  readonly id: string;
  readonly email: string | null;
  readonly plan: PlanName;
  readonly admin: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
};
export type NewInvitationBody = {
  readonly email: string;
  readonly plan: PlanName;
  readonly admin: boolean;
  readonly days: number;
};
/** The only response that ever contains the link. */
export type NewInvitationView = {
  readonly invitation: InvitationView;
  readonly link: string;
  readonly sent: boolean;
};
export type OpenInvitationView = { readonly open: boolean; readonly email: string | null };

export type AuditView = {
  readonly actions: readonly (Omit<AdminAction, 'actorId'> & { readonly id: string })[];
  readonly next: string | null;
};

export type PasskeyView = { readonly id: string; readonly name: string; readonly createdAt: number };
export type TwoFactorView = { readonly uri: string; readonly backupCodes: readonly string[] };

export type HealthView = {
  readonly version: string;
  readonly node: string;
  readonly uptimeMs: number;
  readonly memoryBytes: number;
  readonly database: string;
  readonly browser: {
    readonly ready: boolean;
    readonly name: string;
    /** Undefined on an api node: the browsers are elsewhere. */
    readonly sandbox?: boolean | undefined;
    readonly restarts: number;
    readonly renders: number;
    readonly pagesReady: number;
    readonly pagesOpen: number;
  };
  /** Pages and cards together; `slots` and `places` are those of pages. */
  readonly queue: {
    readonly waiting: number;
    readonly running: number;
    readonly slots: number;
    readonly places: number;
    readonly max: number;
  };
  readonly cache: {
    readonly entries: number;
    readonly bytes: number;
    readonly maxBytes: number;
    readonly memoryBytes: number;
  };
  /** The lists against advertisements and banners. */
  readonly lists: {
    readonly source: 'fetched' | 'built-in';
    readonly fetchedAt: number | null;
    readonly version: string | null;
  };
};

export type WebhookSecretView = {
  readonly secret: string;
  readonly createdAt: number;
  /** Until then the secret before the last rotation signs too. */
  readonly previousUntil: number | null;
};

export type WebhookDeliveryView = {
  /** The `webhook-id`. */
  readonly id: string;
  readonly type: 'job.done' | 'job.failed' | 'batch.done' | 'test';
  /** The job or batch. */
  readonly subjectId: string;
  readonly url: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  /** How often it was tried since it was created or sent again. */
  readonly attempts: number;
  readonly createdAt: number;
  /** When it is tried next; null if it has ended, or is being sent. */
  readonly nextAt: number | null;
};

export type WebhookDeliveriesView = {
  readonly deliveries: readonly WebhookDeliveryView[];
  readonly next: string | null;
};

export type WebhookAttemptView = {
  readonly id: string;
  readonly at: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** The first kilobyte of the answer. */
  readonly answer: string;
};

export type WebhookDetailsView = { readonly body: string; readonly attempts: readonly WebhookAttemptView[] };

export type JobItemView = {
  readonly id: string;
  readonly kind: EndpointName;
  readonly status: JobStatus;
  /** The page's address, the card's template, or html or markdown where the caller sent the page. */
  readonly subject: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly batchId: string | null;
  readonly batchIndex: number | null;
  readonly attempts: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly error: { readonly text: string; readonly code: string } | null;
  /** What response=json gives, without its long texts. */
  readonly result: Readonly<Record<string, unknown>> | null;
  /** Its picture, while that is still cached. */
  readonly captureId: string | null;
  /** It failed or was canceled, and nothing that it needs was erased when it ended. */
  readonly canRunAgain: boolean;
};

/** `queued` and `running` are of the account, whatever the filter is. */
export type JobsView = {
  readonly jobs: readonly JobItemView[];
  readonly next: string | null;
  readonly queued: number;
  readonly running: number;
};

export type BatchProgressView = {
  readonly id: string;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly size: number;
  readonly counts: Readonly<Record<JobStatus, number>>;
};

export type BatchesView = { readonly batches: readonly BatchProgressView[]; readonly next: string | null };

export type SiteView = {
  readonly id: string;
  readonly origin: string;
  readonly token: string;
  /** Empty where the home page says it. */
  readonly name: string;
  readonly description: string;
  readonly template: string;
  readonly values: Readonly<Record<string, string>>;
  /** What differs from the usual: a part of the page, or null for nothing. */
  readonly mapping: Readonly<Record<string, string | null>>;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly verifiedAt: number | null;
  readonly verifiedBy: OwnershipProof | null;
  readonly checkedAt: number | null;
  /** Since when the proof is missing. */
  readonly lostAt: number | null;
  /** It has been missing for a week: nothing is fetched any more. */
  readonly isStopped: boolean;
  /** Pages whose facts are stored. */
  readonly pages: number;
  /** Followed by the path of a page: its card. */
  readonly cardUrl: string;
  /** Where each proof is looked for, and what it is. */
  readonly proofs: Readonly<Record<OwnershipProof, { readonly place: string; readonly value: string }>>;
};

export type SitesView = {
  readonly sites: readonly SiteView[];
  readonly limit: number;
  readonly parts: readonly { readonly name: string; readonly label: string; readonly isPicture: boolean }[];
  /** The built-in ones and the account's own. `usual`: the part that fills a variable if the owner says nothing. */
  readonly templates: readonly (Pick<TemplateView, 'name' | 'variables'> & {
    readonly usual: Readonly<Record<string, string>>;
  })[];
};

export type SiteSettingsBody = Partial<Pick<SiteView, 'name' | 'description' | 'template' | 'values' | 'mapping'>>;

export type SiteCheckView = {
  readonly site: SiteView;
  readonly by: OwnershipProof | null;
  /** What was found in each place. */
  readonly found: Readonly<Record<OwnershipProof, string>>;
};
