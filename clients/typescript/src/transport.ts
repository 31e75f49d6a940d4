// One request with its retries, its timeout and the caller's abort signal.
import { errorOf, TintypeError } from './errors.ts';
import { pause } from './pause.ts';

export type TintypeOptions = {
  /** The address of the server, such as `https://shots.example.com`. */
  readonly baseUrl: string | undefined;
  /** `sk_live_…`. Without it only what needs no key works. */
  readonly apiKey?: string | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is repeated after 429, 502, 503, 504 and failures of the network. Default: 2. */
  readonly retries?: number | undefined;
  /** Milliseconds for one try, with its body. Default: 75,000, more than the longest render takes. */
  readonly timeout?: number | undefined;
};

export type RequestOptions = {
  /** Ends the request, its retries and its pauses. */
  readonly signal?: AbortSignal | undefined;
  readonly retries?: number | undefined;
  readonly timeout?: number | undefined;
};

export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Send = (call: Call, options?: RequestOptions) => Promise<Response>;

const retried = new Set([429, 502, 503, 504]);
const firstPauseMs = 500;
const longestPauseMs = 8000;
/** Whoever has to wait longer, for example for the next month, is told at once. */
const longestRetryAfterS = 60;
/** Timers take no more; beyond that, such as with `Infinity`, they would end at once. */
const longestTimerMs = 2 ** 31 - 1;

export function createTransport(settings: TintypeOptions): Send {
  const base = baseOf(settings.baseUrl);
  const { apiKey, fetch: ownFetch } = settings;
  return async (call, options = {}) => {
    const { signal } = options;
    const retries = options.retries ?? settings.retries ?? 2;
    const timeout = options.timeout ?? settings.timeout ?? 75_000;
    const init = {
      method: call.method,
      headers: {
        ...call.headers,
        ...(apiKey !== undefined && { 'x-api-key': apiKey }),
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      // The key would go wherever a redirect leads. The API has none.
      redirect: 'manual' as const,
    };
    for (let tries = 0; ; tries++) {
      const outcome = await attempt(ownFetch ?? globalThis.fetch, base + call.path, init, timeout, signal);
      if (!(outcome instanceof TintypeError)) return outcome;
      const wait = tries < retries ? pauseBefore(outcome, tries) : undefined;
      if (wait === undefined) throw outcome;
      await pause(wait, signal);
    }
  };
}

/** The address without a slash at its end. */
export function baseOf(baseUrl = ''): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl must be the http or https address of a server, without query and fragment.');
  return url.href.endsWith('/') ? url.href.slice(0, -1) : url.href;
}

/** Milliseconds until the next try; undefined where another try makes no sense. */
function pauseBefore({ code, status, retryAfter = 0 }: TintypeError, tries: number): number | undefined {
  if (code !== 'network_error' && !retried.has(status)) return undefined;
  if (retryAfter > longestRetryAfterS) return undefined;
  const growing = Math.min(longestPauseMs, firstPauseMs * 2 ** tries);
  // Never before Retry-After. The random part spreads clients that were refused at the same moment.
  return Math.max(retryAfter * 1000, growing / 2) + Math.random() * (growing / 2);
}

async function attempt(
  send: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Response | TintypeError> {
  signal?.throwIfAborted();
  const limit = limited(timeout, signal, `There was no answer within ${timeout} ms.`);
  try {
    const response = await send(url, { ...init, signal: limit.signal });
    if (response.ok) return whileOpen(response, limit);
    const error = isRedirect(response) ? redirected() : await errorOf(response);
    limit.end();
    signal?.throwIfAborted();
    return error;
  } catch (cause) {
    limit.end();
    if (signal?.aborted) throw signal.reason;
    // One that took its whole time is not repeated: the caller has waited long enough.
    if (limit.signal.aborted) throw limit.signal.reason;
    return unreachable(cause);
  }
}

const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

const redirected = (): TintypeError =>
  new TintypeError({
    code: 'unexpected_response',
    message: 'The server answered with a redirect, which is not followed. Set baseUrl to the address it leads to.',
  });

/** Aborted by the caller's signal or after the timeout, whichever comes first. */
export function limited(timeout: number, outer: AbortSignal | undefined, message: string) {
  const controller = new AbortController();
  const abort = () => controller.abort(outer?.reason);
  const timer: unknown = setTimeout(
    () => controller.abort(new TintypeError({ code: 'timeout', message })),
    Math.min(timeout, longestTimerMs),
  );
  // In Node a result that nobody reads must not keep the process alive.
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as { unref(): void }).unref();
  outer?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer as number);
      outer?.removeEventListener('abort', abort);
    },
  };
}

/** The same response. Its time ends when its body was read or canceled, and a connection that breaks is an error of ours. */
function whileOpen(response: Response, { signal, end }: ReturnType<typeof limited>): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) {
    end();
    return response;
  }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (cause) {
        end();
        controller.error(signal.aborted ? signal.reason : unreachable(cause));
      }
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
  return new Response(body, response);
}

const unreachable = (cause: unknown): TintypeError =>
  new TintypeError({ code: 'network_error', message: `The connection to the server failed: ${cause}`, cause });

/** The body of a response that the API gives as JSON. */
export async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    const message = 'The server answered with something else than JSON. Is baseUrl right?';
    throw new TintypeError({ code: 'unexpected_response', status: response.status, message, cause });
  }
}
