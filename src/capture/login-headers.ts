// The caller's headers and password, added to requests to one origin (scheme, host and port of `url`) that a document or
// worker of this origin starts. A frame of another origin must neither act with the login nor read what it opens.
import type { CaptureRequest } from './capture-request.ts';
import { Initiators } from './initiators.ts';
import type { PausedRequest, RequestHandler } from './interception.ts';

type Login = Pick<CaptureRequest, 'url' | 'headers' | 'basicAuth'>;

export type LoginHeaders = {
  readonly initiators: Initiators;
  readonly frame: RequestHandler;
  readonly serviceWorker: RequestHandler;
};

const hasLoginHeaders = ({ headers, basicAuth }: Login): boolean =>
  basicAuth !== undefined || Object.keys(headers ?? {}).length > 0;

/**
 * A redirect is another request: it is paused again if it leads to this origin, and gets nothing if it leads elsewhere.
 * Web sockets, what shared workers request and what the browser prefetches by itself are not paused: they get nothing either.
 */
export function loginHeaders(login: Login): LoginHeaders | undefined {
  if (!hasLoginHeaders(login)) return undefined;
  const { origin } = new URL(login.url);
  const initiators = new Initiators(origin);
  const added = Object.entries({
    ...login.headers,
    ...(login.basicAuth && { Authorization: basic(login.basicAuth) }),
  }).map(([name, value]) => ({ name, value }));
  const names = new Set(added.map(({ name }) => name.toLowerCase()));

  /** Our own navigation, with its redirects: nothing is requested before it. */
  let first: string | undefined;

  /** Who starts a navigation is only known by its headers: no page can send those of another origin. */
  function isNamed({ request: { headers } }: PausedRequest): boolean {
    const named = headers.Origin ?? headers.Referer;
    return named === undefined ? initiators.isAlone : URL.parse(named)?.origin === origin;
  }

  function isStartedHere(paused: PausedRequest): boolean | Promise<boolean> {
    const { networkId, resourceType, request } = paused;
    if (resourceType === 'Document') {
      first ??= networkId;
      return (networkId === first && request.method === 'GET') || isNamed(paused);
    }
    return networkId !== undefined && (request.headers.Origin ?? origin) === origin && initiators.isOwn(networkId);
  }

  const handler = (mayHave: (paused: PausedRequest) => boolean | Promise<boolean>): RequestHandler => ({
    patterns: [{ urlPattern: `${origin}/*`, requestStage: 'Request' }],
    async decide(paused) {
      const { url, headers } = paused.request;
      if (URL.parse(url)?.origin !== origin || !(await mayHave(paused))) return undefined;
      const own = Object.entries(headers)
        .filter(([name]) => !names.has(name.toLowerCase()))
        .map(([name, value]) => ({ name, value }));
      return { action: 'continue', headers: [...own, ...added] };
    },
  });

  // A service worker passes on what pages request, navigations by frames of other origins too.
  return { initiators, frame: handler(isStartedHere), serviceWorker: handler(isNamed) };
}

/** RFC 7617, with the character encoding that it recommends. */
const basic = ({ username, password }: { username: string; password: string }): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
