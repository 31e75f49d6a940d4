// What is known about a visitor of the dashboard, as better-auth reads it, and its refusals as our errors.
import { Problem } from '../kernel/errors.ts';
import { addressHeader } from './auth.ts';

export type Visitor = {
  /** The Cookie header. */
  readonly cookie?: string | undefined;
  /** The address of the client (see TRUST_PROXY). */
  readonly address: string;
  readonly userAgent?: string | undefined;
};

/** Set-Cookie headers. */
export type Cookies = readonly string[];

/** The Cookie header that a browser would send after these. */
export const cookieOf = (cookies: Cookies): string => cookies.map((text) => text.split(';')[0]).join('; ');

export function headersOf({ cookie, address, userAgent }: Visitor): Headers {
  const headers = new Headers({ [addressHeader]: address });
  if (cookie !== undefined) headers.set('cookie', cookie);
  if (userAgent !== undefined) headers.set('user-agent', userAgent.slice(0, 500));
  return headers;
}

/** better-auth refused the credentials; any other error is a fault. */
export const isRefusal = (error: unknown): boolean =>
  [400, 401, 403, 404].includes((error as { statusCode?: number }).statusCode ?? 0);

/** The error of a step that better-auth refused; a fault stays what it is. */
export function asProblem(error: unknown, refused: () => Problem): unknown {
  const { statusCode, body } = error as { statusCode?: number; body?: { code?: string } };
  if (statusCode === 429)
    return new Problem('rate_limited', {
      retryAfter: 900,
      message: 'Too many wrong codes. Try again in 15 minutes.',
    });
  if (body?.code === 'SESSION_NOT_FRESH')
    return new Problem('forbidden', { message: 'You signed in more than a day ago. Sign in again first.' });
  if (body?.code === 'INVALID_TWO_FACTOR_COOKIE' || body?.code === 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE')
    return new Problem('not_signed_in', { message: 'This sign-in has ended. Enter your password again.' });
  return isRefusal(error) ? refused() : error;
}
