// The route map of the dashboard's JSON API. The server registers these routes (route.ts) and the pages call them
// (web/src/api.ts), so the compiler finds every path, field or answer on which the two differ.
import type {
  AdminAccountBody,
  AdminAccountsView,
  AuditView,
  BatchesView,
  BatchProgressView,
  CapturesView,
  CreatedKeyView,
  EndpointName,
  HealthView,
  InvitationView,
  JobStatus,
  JobsView,
  KeysView,
  LinkBody,
  LinkView,
  NewInvitationBody,
  NewInvitationView,
  NewKeyBody,
  OpenInvitationView,
  OwnTemplateDetailsView,
  OwnTemplatesView,
  ParametersView,
  PasskeyView,
  PreviewBody,
  RangeName,
  RenderBody,
  RequestsView,
  SavedTemplateView,
  SessionView,
  SiteCheckView,
  SiteSettingsBody,
  SitesView,
  SiteView,
  StarterSummaryView,
  StarterView,
  TemplateBody,
  TemplateFileView,
  TemplateVariablesView,
  TemplateVersionView,
  TemplateView,
  TwoFactorView,
  UsageView,
  VerdictFilter,
  WebhookDeliveriesView,
  WebhookDetailsView,
  WebhookSecretView,
} from './contract.ts';

type Credentials = { readonly email: string; readonly password: string };
export type NewAccountBody = Credentials & { readonly name: string };

type UsageQuery = { readonly range: RangeName; readonly key?: string | undefined };
export type RequestsQuery = {
  readonly key?: string;
  readonly outcome?: 'render' | 'hit' | 'error';
  readonly verdict?: VerdictFilter;
  readonly before?: string;
};
export type JobsQuery = {
  readonly status?: JobStatus;
  readonly kind?: EndpointName;
  readonly batch?: string;
  readonly after?: string;
};
type CapturesQuery = { readonly before?: string; readonly verdict?: VerdictFilter };
/** The first characters of the content hash: with them in its URL, a browser may keep the picture. */
type PictureQuery = { readonly v?: string | undefined };

type VersionQuery = { readonly version?: number | undefined };

/**
 * A route without `answer` has an empty response, or one that is not JSON: bytes, CSV, JSON lines. One with `file` takes a
 * file as its body.
 */
export type Routes = {
  'GET /api/session': { answer: SessionView };
  'POST /api/sign-up': { body: NewAccountBody };
  'POST /api/sign-in': { body: Credentials; answer: { readonly needsCode: boolean } };
  'POST /api/sign-in/code': { body: { readonly code: string } };
  'POST /api/sign-in/passkey/options': { answer: { readonly options: unknown } };
  'POST /api/sign-in/passkey': { body: { readonly answer: unknown } };
  'POST /api/sign-in/:provider': { body: { readonly next: string }; answer: { readonly url: string } };
  'POST /api/sign-out': object;
  'POST /api/sign-out-everywhere': object;
  'POST /api/setup/check': { body: { readonly token: string }; answer: { readonly open: boolean } };
  'POST /api/setup': { body: NewAccountBody & { readonly token: string } };

  'POST /api/invitation/check': { body: { readonly token: string }; answer: OpenInvitationView };
  'POST /api/invitation': { body: NewAccountBody & { readonly token: string } };
  'POST /api/password/lost': { body: { readonly email: string } };
  'POST /api/password/new': { body: { readonly token: string; readonly password: string } };

  'PATCH /api/account': { body: { readonly name: string } };
  'POST /api/account/password': { body: { readonly current: string; readonly password: string } };
  'DELETE /api/account': { body: Credentials };
  'POST /api/account/two-factor': { body: { readonly password: string }; answer: TwoFactorView };
  'POST /api/account/two-factor/confirm': { body: { readonly code: string } };
  'DELETE /api/account/two-factor': { body: { readonly password: string } };
  'GET /api/account/passkeys': { answer: { readonly passkeys: readonly PasskeyView[] } };
  'POST /api/account/passkeys/options': { answer: { readonly options: unknown } };
  'POST /api/account/passkeys': { body: { readonly name: string; readonly answer: unknown } };
  'DELETE /api/account/passkeys/:id': object;

  'GET /api/keys': { answer: KeysView };
  'POST /api/keys': { body: NewKeyBody; answer: CreatedKeyView };
  'PATCH /api/keys/:id': { body: { readonly name: string } };
  'DELETE /api/keys/:id': object;

  'GET /api/usage': { query: UsageQuery; answer: UsageView };
  'GET /api/usage.csv': { query: UsageQuery };
  'GET /api/requests': { query: RequestsQuery; answer: RequestsView };

  'GET /api/captures': { query: CapturesQuery; answer: CapturesView };
  'DELETE /api/captures': { answer: { readonly removed: number } };
  'DELETE /api/captures/:id': object;
  'GET /api/captures/:id/image': { query: PictureQuery };
  'GET /api/captures/:id/thumbnail': { query: PictureQuery };

  'GET /api/jobs': { query: JobsQuery; answer: JobsView };
  'GET /api/jobs.csv': { query: JobsQuery };
  'DELETE /api/jobs/:id': object;
  'POST /api/jobs/:id/retry': { answer: { readonly id: string } };
  'GET /api/batches': { query: { readonly after?: string }; answer: BatchesView };
  'GET /api/batches/:id': { answer: BatchProgressView };
  'DELETE /api/batches/:id': object;

  'GET /api/parameters': { answer: ParametersView };
  'GET /api/templates': { answer: { readonly templates: readonly TemplateView[] } };
  'GET /api/templates/:name/picture': { query: PictureQuery };
  'GET /api/own-templates': { answer: OwnTemplatesView };
  'GET /api/own-templates/:name': { query: VersionQuery; answer: OwnTemplateDetailsView };
  'PUT /api/own-templates/:name': { body: TemplateBody & { readonly publish: boolean }; answer: SavedTemplateView };
  'DELETE /api/own-templates/:name': object;
  'GET /api/own-templates/:name/versions': { answer: { readonly versions: readonly TemplateVersionView[] } };
  'POST /api/own-templates/:name/publish': { body: { readonly version: number } };
  'GET /api/own-templates/:name/picture': { query: PictureQuery };
  'PUT /api/own-templates/:name/files/:file': { file: true; answer: TemplateFileView };
  'DELETE /api/own-templates/:name/files/:file': object;
  'GET /api/own-templates/:name/files/:file/thumbnail': { query: PictureQuery };
  'GET /api/own-templates/:name/export': { query: VersionQuery };
  'PUT /api/own-templates/:name/import': { file: true; answer: SavedTemplateView };
  'POST /api/template-preview': { body: PreviewBody };
  'POST /api/template-variables': { body: TemplateBody; answer: TemplateVariablesView };
  'GET /api/starters': { answer: { readonly starters: readonly StarterSummaryView[] } };
  'GET /api/starters/:name': { answer: StarterView };
  'GET /api/starters/:name/picture': object;

  'GET /api/example': { query: { readonly template: string; readonly title: string } };
  'POST /api/playground/render': { body: RenderBody };
  'POST /api/playground/link': { body: LinkBody; answer: LinkView };

  'GET /api/admin/accounts': { answer: AdminAccountsView };
  'PATCH /api/admin/accounts/:id': { body: AdminAccountBody };
  'POST /api/admin/accounts/:id/password': { body: { readonly password: string } };
  'GET /api/admin/invitations': { answer: { readonly invitations: readonly InvitationView[] } };
  'POST /api/admin/invitations': { body: NewInvitationBody; answer: NewInvitationView };
  'DELETE /api/admin/invitations/:id': object;
  'GET /api/admin/audit': { query: { readonly before?: string }; answer: AuditView };
  'GET /api/admin/health': { answer: HealthView };
  'POST /api/admin/cache/purge': { answer: { readonly removed: number } };

  'GET /api/webhooks/secret': { answer: WebhookSecretView };
  'POST /api/webhooks/secret': { answer: WebhookSecretView };
  'GET /api/webhooks/deliveries': { query: { readonly before?: string | undefined }; answer: WebhookDeliveriesView };
  'GET /api/webhooks/deliveries/:id': { answer: WebhookDetailsView };
  'POST /api/webhooks/deliveries/:id/send': object;
  'POST /api/webhooks/test': { body: { readonly url: string }; answer: { readonly id: string } };

  'GET /api/sites': { answer: SitesView };
  'POST /api/sites': { body: { readonly origin: string }; answer: SiteView };
  'GET /api/sites/:id': { answer: SiteView };
  'PATCH /api/sites/:id': { body: SiteSettingsBody; answer: SiteView };
  'DELETE /api/sites/:id': object;
  'POST /api/sites/:id/check': { answer: SiteCheckView };
  'GET /api/sites/:id/preview': { answer: { readonly paths: readonly string[] } };
  'POST /api/sites/:id/sample': { body: SiteSettingsBody & { readonly path: string } };
  'POST /api/sites/:id/refresh': { body: { readonly path: string }; answer: { readonly path: string } };
};

export type RouteName = keyof Routes;

type NamesIn<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type ParamsOf<R extends RouteName> = { readonly [Name in NamesIn<R>]: string };
export type QueryOf<R extends RouteName> = Routes[R] extends { query: infer Query } ? Query : Record<never, never>;
export type BodyOf<R extends RouteName> = Routes[R] extends { body: infer Body } ? Body : undefined;
