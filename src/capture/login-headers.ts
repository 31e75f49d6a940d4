// The caller's headers and password, added to the requests for one origin: scheme, host and port of `url`.
import type { CaptureRequest } from './capture-request.ts';
import type { RequestHandler } from './interception.ts';

type Login = Pick<CaptureRequest, 'url' | 'headers' | 'basicAuth'>;

const hasLoginHeaders = ({ headers, basicAuth }: Login): boolean =>
  basicAuth !== undefined || Object.keys(headers ?? {}).length > 0;

/**
 * A redirect is another request: it is paused again if it leads to this origin, and gets nothing if it leads elsewhere.
 * Web sockets, shared workers and what the browser prefetches by itself are not paused: they get nothing either.
 */
export function loginHeaders(login: Login): RequestHandler | undefined {
  if (!hasLoginHeaders(login)) return undefined;
  const { origin } = new URL(login.url);
  const added = Object.entries({
    ...login.headers,
    ...(login.basicAuth && { Authorization: basic(login.basicAuth) }),
  }).map(([name, value]) => ({ name, value }));
  const names = new Set(added.map(({ name }) => name.toLowerCase()));
  return {
    patterns: [{ urlPattern: `${origin}/*`, requestStage: 'Request' }],
    decide({ resourceType, request: { url, headers } }) {
      if (URL.parse(url)?.origin !== origin) return undefined;
      // With CORS a page of another origin reads the answer: it gets what it would get without the login.
      if (resourceType !== 'Document' && (headers.Origin ?? origin) !== origin) return undefined;
      const own = Object.entries(headers)
        .filter(([name]) => !names.has(name.toLowerCase()))
        .map(([name, value]) => ({ name, value }));
      return { action: 'continue', headers: [...own, ...added] };
    },
  };
}

/** RFC 7617, with the character encoding that it recommends. */
const basic = ({ username, password }: { username: string; password: string }): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
