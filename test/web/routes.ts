// The dashboard's API as an attacker sees it.
import { password } from './web-harness.ts';

/**
 * Every route of the dashboard's API, with who may use it. `own` routes are tried with somebody else's id; a
 * route that is missing here fails the test below.
 */
export type Route = {
  readonly method: string;
  readonly path: string;
  readonly for: 'all' | 'own' | 'session' | 'admin';
  readonly body?: unknown;
};

export const routes: readonly Route[] = [
  { method: 'GET', path: '/api/session', for: 'all' },
  { method: 'POST', path: '/api/sign-up', for: 'all' },
  { method: 'POST', path: '/api/sign-in', for: 'all' },
  { method: 'POST', path: '/api/sign-in/:provider', for: 'all' },
  { method: 'POST', path: '/api/sign-in/code', for: 'all' },
  { method: 'POST', path: '/api/sign-in/passkey', for: 'all' },
  { method: 'POST', path: '/api/sign-in/passkey/options', for: 'all' },
  { method: 'POST', path: '/api/invitation/check', for: 'all' },
  { method: 'POST', path: '/api/invitation', for: 'all' },
  { method: 'POST', path: '/api/password/lost', for: 'all' },
  { method: 'POST', path: '/api/password/new', for: 'all' },
  { method: 'GET', path: '/auth/callback/:provider', for: 'all' },
  { method: 'POST', path: '/api/sign-out', for: 'all' },
  { method: 'POST', path: '/api/setup/check', for: 'all' },
  { method: 'POST', path: '/api/setup', for: 'all' },
  { method: 'GET', path: '/api/parameters', for: 'all' },
  { method: 'GET', path: '/api/templates', for: 'all' },
  { method: 'GET', path: '/api/templates/:name/picture', for: 'all' },
  { method: 'GET', path: '/api/example', for: 'all' },
  { method: 'POST', path: '/api/sign-out-everywhere', for: 'session' },
  { method: 'PATCH', path: '/api/account', for: 'session', body: { name: 'x' } },
  { method: 'POST', path: '/api/account/password', for: 'session', body: { current: password, password } },
  { method: 'DELETE', path: '/api/account', for: 'session', body: { email: 'victim@example.com', password } },
  { method: 'POST', path: '/api/account/two-factor', for: 'session', body: { password } },
  { method: 'POST', path: '/api/account/two-factor/confirm', for: 'session', body: { code: '123456' } },
  { method: 'DELETE', path: '/api/account/two-factor', for: 'session', body: { password } },
  { method: 'GET', path: '/api/account/passkeys', for: 'session' },
  { method: 'POST', path: '/api/account/passkeys/options', for: 'session' },
  { method: 'POST', path: '/api/account/passkeys', for: 'session', body: { name: 'x', answer: { id: 'x' } } },
  { method: 'DELETE', path: '/api/account/passkeys/:id', for: 'session' },
  { method: 'GET', path: '/api/keys', for: 'session' },
  { method: 'POST', path: '/api/keys', for: 'session', body: { name: 'x' } },
  { method: 'PATCH', path: '/api/keys/:key', for: 'own', body: { name: 'mine now' } },
  { method: 'DELETE', path: '/api/keys/:key', for: 'own' },
  { method: 'GET', path: '/api/usage', for: 'session' },
  { method: 'GET', path: '/api/usage.csv', for: 'session' },
  { method: 'GET', path: '/api/requests', for: 'session' },
  { method: 'GET', path: '/api/captures', for: 'session' },
  { method: 'DELETE', path: '/api/captures', for: 'session' },
  { method: 'GET', path: '/api/captures/:capture/image', for: 'own' },
  { method: 'GET', path: '/api/captures/:capture/thumbnail', for: 'own' },
  { method: 'DELETE', path: '/api/captures/:capture', for: 'own' },
  {
    method: 'POST',
    path: '/api/playground/render',
    for: 'session',
    body: { endpoint: 'screenshot', parameters: { url: 'https://example.com/' } },
  },
  {
    method: 'POST',
    path: '/api/playground/link',
    for: 'own',
    body: { endpoint: 'screenshot', parameters: { url: 'https://example.com/' }, keyId: ':key' },
  },
  { method: 'GET', path: '/api/admin/accounts', for: 'admin' },
  { method: 'PATCH', path: '/api/admin/accounts/:account', for: 'admin', body: { plan: 'business' } },
  { method: 'POST', path: '/api/admin/accounts/:account/password', for: 'admin', body: { password } },
  { method: 'GET', path: '/api/admin/invitations', for: 'admin' },
  {
    method: 'POST',
    path: '/api/admin/invitations',
    for: 'admin',
    body: { email: '', plan: 'pro', admin: true, days: 7 },
  },
  { method: 'DELETE', path: '/api/admin/invitations/:invitation', for: 'admin' },
  { method: 'GET', path: '/api/admin/audit', for: 'admin' },
  { method: 'GET', path: '/api/admin/health', for: 'admin' },
  { method: 'POST', path: '/api/admin/cache/purge', for: 'admin' },
  { method: 'GET', path: '/api/jobs', for: 'session' },
  { method: 'GET', path: '/api/jobs.csv', for: 'session' },
  { method: 'DELETE', path: '/api/jobs/:job', for: 'own' },
  { method: 'POST', path: '/api/jobs/:job/retry', for: 'own' },
  { method: 'GET', path: '/api/batches', for: 'session' },
  { method: 'GET', path: '/api/batches/:batch', for: 'own' },
  { method: 'DELETE', path: '/api/batches/:batch', for: 'own' },
  { method: 'GET', path: '/api/webhooks/secret', for: 'session' },
  { method: 'POST', path: '/api/webhooks/secret', for: 'session' },
  { method: 'GET', path: '/api/webhooks/deliveries', for: 'session' },
  { method: 'GET', path: '/api/webhooks/deliveries/:webhook', for: 'own' },
  { method: 'POST', path: '/api/webhooks/deliveries/:webhook/send', for: 'own' },
  { method: 'POST', path: '/api/webhooks/test', for: 'session', body: { url: 'https://example.com/' } },
];
