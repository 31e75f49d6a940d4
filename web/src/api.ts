// The only place that talks to the server. Every call gives the typed answer or throws an ApiError,
// which carries the server's own sentence for the person and the parameter it names.
import type * as contract from '../../src/http/dashboard/contract.ts';

export type * from '../../src/http/dashboard/contract.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly parameter: string | undefined;
  readonly requiredPlan: contract.ErrorBody['requiredPlan'];
  readonly requestId: string | undefined;

  constructor(status: number, body: contract.ErrorBody) {
    super(body.error);
    this.status = status;
    this.code = body.code;
    this.parameter = body.parameter;
    this.requiredPlan = body.requiredPlan;
    this.requestId = body.requestId;
  }
}

const unreachable: contract.ErrorBody = {
  error: 'The server cannot be reached. Check your connection and try again.',
  code: 'unreachable',
};

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { method, credentials: 'same-origin' };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { 'content-type': 'application/json' };
  }
  const response = await fetch(path, init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, unreachable);
  });
  if (response.ok) return response;
  const problem = await response
    .json()
    .catch(() => ({ error: `The server answered ${response.status} without saying why.`, code: 'unknown' }));
  throw new ApiError(response.status, problem);
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body);
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

const query = (fields: Record<string, string | number | undefined>): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};

export type VerdictFilter = contract.VerdictCode | 'any' | 'ok';
export type RequestFilter = {
  key?: string;
  outcome?: 'render' | 'hit' | 'error';
  verdict?: VerdictFilter;
  before?: number;
};

export const api = {
  session: () => call<contract.SessionView>('GET', '/api/session'),
  signUp: (body: { email: string; password: string; name: string }) => call<void>('POST', '/api/sign-up', body),
  signIn: (body: { email: string; password: string }) => call<void>('POST', '/api/sign-in', body),
  signOut: () => call<void>('POST', '/api/sign-out'),
  signOutEverywhere: () => call<void>('POST', '/api/sign-out-everywhere'),
  providerLink: (provider: contract.ProviderName, next: string) =>
    call<{ url: string }>('POST', `/api/sign-in/${provider}`, { next }),
  setupOpen: (token: string) => call<{ open: boolean }>('POST', '/api/setup/check', { token }),
  setup: (body: { token: string; email: string; password: string; name: string }) =>
    call<void>('POST', '/api/setup', body),

  rename: (name: string) => call<void>('PATCH', '/api/account', { name }),
  changePassword: (body: { current: string; password: string }) => call<void>('POST', '/api/account/password', body),
  deleteAccount: (body: { password: string; email: string }) => call<void>('DELETE', '/api/account', body),

  keys: () => call<contract.KeysView>('GET', '/api/keys'),
  createKey: (body: contract.NewKeyBody) => call<contract.CreatedKeyView>('POST', '/api/keys', body),
  renameKey: (id: string, name: string) => call<void>('PATCH', `/api/keys/${id}`, { name }),
  revokeKey: (id: string) => call<void>('DELETE', `/api/keys/${id}`),

  usage: (range: contract.RangeName, key?: string) =>
    call<contract.UsageView>('GET', `/api/usage${query({ range, key })}`),
  usageCsv: (range: contract.RangeName, key?: string) => `/api/usage.csv${query({ range, key })}`,
  requests: (filter: RequestFilter) => call<contract.RequestsView>('GET', `/api/requests${query(filter)}`),

  captures: (filter: { before?: number; verdict?: VerdictFilter }) =>
    call<contract.CapturesView>('GET', `/api/captures${query(filter)}`),
  deleteCapture: (id: string) => call<void>('DELETE', `/api/captures/${id}`),
  deleteCaptures: () => call<{ removed: number }>('DELETE', '/api/captures'),
  thumbnail: (id: string, version = '') =>
    `/api/captures/${id}/thumbnail${query({ v: version.slice(0, 12) || undefined })}`,
  picture: (id: string, version = '') => `/api/captures/${id}/image${query({ v: version.slice(0, 12) || undefined })}`,

  parameters: () => call<contract.ParametersView>('GET', '/api/parameters'),
  templates: () => call<{ templates: readonly contract.TemplateView[] }>('GET', '/api/templates'),
  link: (body: contract.LinkBody) => call<contract.LinkView>('POST', '/api/playground/link', body),

  accounts: () => call<contract.AdminAccountsView>('GET', '/api/admin/accounts'),
  changeAccount: (id: string, body: contract.AdminAccountBody) =>
    call<void>('PATCH', `/api/admin/accounts/${id}`, body),
  health: () => call<contract.HealthView>('GET', '/api/admin/health'),
  purgeCache: () => call<{ removed: number }>('POST', '/api/admin/cache/purge'),
};

/** Renders in the playground: the answer is a stream of JSON lines, so that its steps can be shown as they happen. */
export async function render(
  body: contract.RenderBody,
  onStep: (step: string, ms: number) => void,
  signal: AbortSignal,
): Promise<contract.RenderedView> {
  const response = await send('POST', '/api/playground/render', body, signal);
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
