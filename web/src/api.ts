// The only file that calls the server. Every call is a route of the route map; it returns the answer or throws an
// ApiError with the server's message and the parameter it names.
import type * as contract from '../../src/http/dashboard/contract.ts';
import type {
  BodyOf,
  JobsQuery,
  ParamsOf,
  QueryOf,
  RequestsQuery,
  RouteName,
  Routes,
} from '../../src/http/dashboard/routes.ts';

export type * from '../../src/http/dashboard/contract.ts';
export type { JobsQuery, RequestsQuery } from '../../src/http/dashboard/routes.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly parameter: string | undefined;
  readonly requiredPlan: contract.ErrorBody['requiredPlan'];
  readonly requestId: string | undefined;
  readonly fields: contract.ErrorBody['fields'];

  constructor(status: number, body: contract.ErrorBody) {
    super(body.error);
    this.status = status;
    this.code = body.code;
    this.parameter = body.parameter;
    this.requiredPlan = body.requiredPlan;
    this.requestId = body.requestId;
    this.fields = body.fields;
  }

  /** What is wrong with this field, in the words of its label. */
  of(field: string, label: string): string | undefined {
    const text = this.fields?.[field] ?? (this.parameter === field ? this.message : undefined);
    return text?.startsWith(`${field} `) ? label + text.slice(field.length) : text;
  }
}

/** Whether the server refused, so that the same request fails again; otherwise it is busy, failing or out of reach. */
export const isRefused = (error: Error): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

const unreachable: contract.ErrorBody = {
  error: 'The server cannot be reached. Check your connection and try again.',
  code: 'unreachable',
};

/** What a route needs: the parameters of its path, its query and its body, as far as it has them. */
type Input<R extends RouteName> = (keyof ParamsOf<R> extends never ? object : { params: ParamsOf<R> }) &
  (keyof QueryOf<R> extends never ? object : { query: QueryOf<R> }) &
  (Routes[R] extends { body: unknown } ? { body: BodyOf<R> } : object) &
  (Routes[R] extends { file: unknown } ? { file: Blob } : object);
type Arguments<R extends RouteName> = keyof Input<R> extends never ? [] : [input: Input<R>];
type Answer<R extends RouteName> = Routes[R] extends { answer: infer A } ? A : undefined;

type AnyInput = { params?: Record<string, string>; query?: object; body?: unknown; file?: Blob };

/** The path and query of a route, for a link or an image. */
function urlOf<R extends RouteName>(route: R, ...[input]: Arguments<R>): string {
  const { params = {}, query = {} } = (input ?? {}) as AnyInput;
  const path = route
    .slice(route.indexOf('/'))
    .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search}`;
}

async function send<R extends RouteName>(
  route: R,
  args: Arguments<R>,
  signal: AbortSignal | null = null,
): Promise<Response> {
  const { body, file } = (args[0] ?? {}) as AnyInput;
  const init: RequestInit = { method: route.slice(0, route.indexOf(' ')), credentials: 'same-origin', signal };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { 'content-type': 'application/json' };
  }
  if (file !== undefined) {
    init.body = file;
    init.headers = { 'content-type': 'application/octet-stream' };
  }
  const response = await fetch(urlOf(route, ...args), init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, unreachable);
  });
  if (response.ok) return response;
  const problem = await response
    .json()
    .catch(() => ({ error: `The server returned status ${response.status}.`, code: 'unknown' }));
  throw new ApiError(response.status, problem);
}

async function call<R extends RouteName>(route: R, ...args: Arguments<R>): Promise<Answer<R>> {
  const response = await send(route, args);
  return response.status === 204 ? (undefined as Answer<R>) : ((await response.json()) as Answer<R>);
}

/** The first characters of the content hash, which let the browser keep the picture. */
const picture = (id: string, version: string) => ({ params: { id }, query: { v: version.slice(0, 12) || undefined } });

/** A card of a site, and whether it shows the page or the site. */
const cardIn = async (response: Response) => ({
  blob: await response.blob(),
  shows: response.headers.get('x-card'),
});

export const api = {
  session: () => call('GET /api/session'),
  signUp: (body: BodyOf<'POST /api/sign-up'>) => call('POST /api/sign-up', { body }),
  signIn: (body: BodyOf<'POST /api/sign-in'>) => call('POST /api/sign-in', { body }),
  signOut: () => call('POST /api/sign-out'),
  signOutEverywhere: () => call('POST /api/sign-out-everywhere'),
  providerLink: (provider: contract.ProviderName, next: string) =>
    call('POST /api/sign-in/:provider', { params: { provider }, body: { next } }),
  signInWithCode: (code: string) => call('POST /api/sign-in/code', { body: { code } }),
  passkeyQuestion: () => call('POST /api/sign-in/passkey/options'),
  signInWithPasskey: (answer: unknown) => call('POST /api/sign-in/passkey', { body: { answer } }),
  invitation: (token: string) => call('POST /api/invitation/check', { body: { token } }),
  acceptInvitation: (body: BodyOf<'POST /api/invitation'>) => call('POST /api/invitation', { body }),
  lostPassword: (email: string) => call('POST /api/password/lost', { body: { email } }),
  newPassword: (body: BodyOf<'POST /api/password/new'>) => call('POST /api/password/new', { body }),
  setupOpen: (token: string) => call('POST /api/setup/check', { body: { token } }),
  setup: (body: BodyOf<'POST /api/setup'>) => call('POST /api/setup', { body }),

  rename: (name: string) => call('PATCH /api/account', { body: { name } }),
  changePassword: (body: BodyOf<'POST /api/account/password'>) => call('POST /api/account/password', { body }),
  deleteAccount: (body: BodyOf<'DELETE /api/account'>) => call('DELETE /api/account', { body }),

  beginTwoFactor: (password: string) => call('POST /api/account/two-factor', { body: { password } }),
  confirmTwoFactor: (code: string) => call('POST /api/account/two-factor/confirm', { body: { code } }),
  removeTwoFactor: (password: string) => call('DELETE /api/account/two-factor', { body: { password } }),
  passkeys: () => call('GET /api/account/passkeys'),
  newPasskeyQuestion: () => call('POST /api/account/passkeys/options'),
  addPasskey: (name: string, answer: unknown) => call('POST /api/account/passkeys', { body: { name, answer } }),
  removePasskey: (id: string) => call('DELETE /api/account/passkeys/:id', { params: { id } }),

  keys: () => call('GET /api/keys'),
  createKey: (body: contract.NewKeyBody) => call('POST /api/keys', { body }),
  renameKey: (id: string, name: string) => call('PATCH /api/keys/:id', { params: { id }, body: { name } }),
  revokeKey: (id: string) => call('DELETE /api/keys/:id', { params: { id } }),

  usage: (range: contract.RangeName, key?: string) => call('GET /api/usage', { query: { range, key } }),
  usageCsv: (range: contract.RangeName, key?: string) => urlOf('GET /api/usage.csv', { query: { range, key } }),
  requests: (query: RequestsQuery) => call('GET /api/requests', { query }),

  captures: (query: QueryOf<'GET /api/captures'>) => call('GET /api/captures', { query }),
  deleteCapture: (id: string) => call('DELETE /api/captures/:id', { params: { id } }),
  deleteCaptures: () => call('DELETE /api/captures'),
  thumbnail: (id: string, version = '') => urlOf('GET /api/captures/:id/thumbnail', picture(id, version)),
  picture: (id: string, version = '') => urlOf('GET /api/captures/:id/image', picture(id, version)),

  jobs: (query: JobsQuery) => call('GET /api/jobs', { query }),
  jobsCsv: (query: JobsQuery) => urlOf('GET /api/jobs.csv', { query }),
  cancelJob: (id: string) => call('DELETE /api/jobs/:id', { params: { id } }),
  retryJob: (id: string) => call('POST /api/jobs/:id/retry', { params: { id } }),
  batches: (query: QueryOf<'GET /api/batches'>) => call('GET /api/batches', { query }),
  batch: (id: string) => call('GET /api/batches/:id', { params: { id } }),
  cancelBatch: (id: string) => call('DELETE /api/batches/:id', { params: { id } }),

  parameters: () => call('GET /api/parameters'),
  templates: () => call('GET /api/templates'),

  ownTemplates: () => call('GET /api/own-templates'),
  ownTemplate: (name: string, version?: number) =>
    call('GET /api/own-templates/:name', { params: { name }, query: { version } }),
  saveTemplate: (name: string, body: BodyOf<'PUT /api/own-templates/:name'>) =>
    call('PUT /api/own-templates/:name', { params: { name }, body }),
  removeTemplate: (name: string) => call('DELETE /api/own-templates/:name', { params: { name } }),
  templateVersions: (name: string) => call('GET /api/own-templates/:name/versions', { params: { name } }),
  publishTemplate: (name: string, version: number) =>
    call('POST /api/own-templates/:name/publish', { params: { name }, body: { version } }),
  uploadTemplateFile: (name: string, file: File) =>
    call('PUT /api/own-templates/:name/files/:file', { params: { name, file: file.name }, file }),
  removeTemplateFile: (name: string, file: string) =>
    call('DELETE /api/own-templates/:name/files/:file', { params: { name, file } }),
  templateExport: (name: string) => urlOf('GET /api/own-templates/:name/export', { params: { name }, query: {} }),
  importTemplate: (name: string, file: File) => call('PUT /api/own-templates/:name/import', { params: { name }, file }),
  previewTemplate: (body: contract.PreviewBody) => send('POST /api/template-preview', [{ body }]),
  templateVariables: (body: contract.TemplateBody) => call('POST /api/template-variables', { body }),
  starters: () => call('GET /api/starters'),
  starterPicture: (name: string) => urlOf('GET /api/starters/:name/picture', { params: { name } }),
  starter: (name: string) => call('GET /api/starters/:name', { params: { name } }),

  link: (body: contract.LinkBody) => call('POST /api/playground/link', { body }),
  /** A card for the landing page: the image and its `x-render-time`. */
  example: (query: QueryOf<'GET /api/example'>, signal: AbortSignal) => send('GET /api/example', [{ query }], signal),

  accounts: () => call('GET /api/admin/accounts'),
  changeAccount: (id: string, body: contract.AdminAccountBody) =>
    call('PATCH /api/admin/accounts/:id', { params: { id }, body }),
  setPassword: (id: string, password: string) =>
    call('POST /api/admin/accounts/:id/password', { params: { id }, body: { password } }),
  invitations: () => call('GET /api/admin/invitations'),
  invite: (body: contract.NewInvitationBody) => call('POST /api/admin/invitations', { body }),
  withdrawInvitation: (id: string) => call('DELETE /api/admin/invitations/:id', { params: { id } }),
  audit: (before?: string) => call('GET /api/admin/audit', { query: { before } }),
  health: () => call('GET /api/admin/health'),
  purgeCache: () => call('POST /api/admin/cache/purge'),

  webhookSecret: () => call('GET /api/webhooks/secret'),
  rotateWebhookSecret: () => call('POST /api/webhooks/secret'),
  webhookDeliveries: (query: QueryOf<'GET /api/webhooks/deliveries'>) =>
    call('GET /api/webhooks/deliveries', { query }),
  webhook: (id: string) => call('GET /api/webhooks/deliveries/:id', { params: { id } }),
  sendWebhookAgain: (id: string) => call('POST /api/webhooks/deliveries/:id/send', { params: { id } }),
  sendTestWebhook: (url: string) => call('POST /api/webhooks/test', { body: { url } }),

  sites: () => call('GET /api/sites'),
  registerSite: (origin: string) => call('POST /api/sites', { body: { origin } }),
  changeSite: (id: string, body: BodyOf<'PATCH /api/sites/:id'>) =>
    call('PATCH /api/sites/:id', { params: { id }, body }),
  removeSite: (id: string) => call('DELETE /api/sites/:id', { params: { id } }),
  checkSite: (id: string) => call('POST /api/sites/:id/check', { params: { id } }),
  sitePreview: (id: string) => call('GET /api/sites/:id/preview', { params: { id } }),
  refreshSitePage: (id: string, path: string) =>
    call('POST /api/sites/:id/refresh', { params: { id }, body: { path } }),

  /** The card as everybody gets it. The version keeps the browser from its cache. */
  async siteCard(id: string, path: string, version: string, signal: AbortSignal) {
    const response = await fetch(`/v1/sites/${id}${path}?v=${version}`, { signal });
    if (!response.ok) throw new ApiError(response.status, await response.json());
    return cardIn(response);
  },
  /** The card with settings that are not saved. */
  siteSample: async (id: string, body: BodyOf<'POST /api/sites/:id/sample'>, signal: AbortSignal) =>
    cardIn(await send('POST /api/sites/:id/sample', [{ params: { id }, body }], signal)),
};

/** Renders in the playground. The response is a stream of JSON lines, so that the steps are shown as they happen. */
export async function render(
  body: contract.RenderBody,
  onStep: (step: string, ms: number) => void,
  signal: AbortSignal,
): Promise<contract.RenderedView> {
  const response = await send('POST /api/playground/render', [{ body }], signal);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) break;
    const lines = (rest + chunk.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = JSON.parse(line) as contract.RenderEvent;
      if (event.event === 'step') onStep(event.step, event.ms);
      else if (event.event === 'done') return event.result;
      else throw new ApiError(500, event.error);
    }
  }
  throw new ApiError(0, {
    error: 'The connection ended before the picture was ready. Try again.',
    code: 'unreachable',
  });
}
