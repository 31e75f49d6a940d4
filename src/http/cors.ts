// Pages of any origin may use the API (CORS), without cookies: a key in a page is its owner's choice, and signed links need
// it to be read by scripts.
import type { FastifyInstance } from 'fastify';

/** A wildcard for headers does not cover Authorization, so the request headers are named. */
const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Range, X-API-Key',
  'access-control-max-age': '86400',
};

export function registerCors(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    if (request.url.startsWith('/v1/'))
      reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', '*');
    next();
  });
  app.options('/v1/*', (_request, reply) => reply.code(204).headers(preflight).send());
}
