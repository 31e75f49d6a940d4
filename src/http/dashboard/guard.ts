// Who may do what in the dashboard: checks the session of a request, and the origin of a change.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visitor } from '../../access/session-cookies.ts';
import type { SignIn } from '../../access/sign-in.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Account } from '../../store/store.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';

export const visitorOf = (request: FastifyRequest): Visitor => ({
  cookie: request.headers.cookie,
  // Fastify reads X-Forwarded-For only if the request comes from TRUST_PROXY.
  address: request.ip,
  userAgent: request.headers['user-agent'],
});

export type Guard = {
  /** The signed-in account; 401 where there is none. */
  account(request: FastifyRequest, reply: FastifyReply): Promise<Account>;
  /** The signed-in account, which must be an administrator's. */
  admin(request: FastifyRequest, reply: FastifyReply): Promise<Account>;
};

export function createGuard(signIn: Pick<SignIn, 'sessionFrom'>): Guard {
  async function account(request: FastifyRequest, reply: FastifyReply): Promise<Account> {
    const session = await signIn.sessionFrom(visitorOf(request));
    if (session === undefined) throw new Problem('not_signed_in');
    setCookies(reply, session.cookies);
    return session.account;
  }
  return {
    account,
    async admin(request, reply) {
      const found = await account(request, reply);
      if (!found.admin) throw new Problem('forbidden', { message: 'Only an administrator may do this.' });
      return found;
    },
  };
}

export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', cookies);
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A change must come from our own pages. Current browsers say so in Sec-Fetch-Site, which no page can forge; older ones
 * send Origin. A request with neither does not come from a browser with our cookie, and is refused.
 */
export function checkOrigin(request: FastifyRequest, { baseUrl }: Pick<DashboardDependencies, 'baseUrl'>): void {
  if (safeMethods.has(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers.origin;
  const same = site === undefined ? isOurs(origin, request, baseUrl()) : site === 'same-origin';
  if (!same) throw new Problem('forbidden', { message: 'This request did not come from a page of this dashboard.' });
}

function isOurs(origin: string | undefined, request: FastifyRequest, baseUrl: string): boolean {
  const given = origin === undefined ? null : URL.parse(origin);
  if (given === null) return false;
  return given.origin === new URL(baseUrl).origin || given.host === request.headers.host;
}

/** In every response of the dashboard. */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
} as const;

export const apiHeaders = {
  ...commonHeaders,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** No inline scripts or styles, nothing from other origins. data: is for results that the playground could not store. */
export const pageHeaders = {
  ...commonHeaders,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;
