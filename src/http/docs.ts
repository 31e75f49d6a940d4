// The API reference: /openapi.json, and /docs which is made from it. Nothing is loaded from other servers.
import { hash } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { commonHeaders, pageHeaders } from './dashboard/guard.ts';
import type { HttpDependencies } from './dependencies.ts';
import { openapi } from './openapi.ts';

export async function registerDocs(app: FastifyInstance, { baseUrl, cards }: HttpDependencies): Promise<void> {
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(openapi(baseUrl(), cards.catalogue)),
  );

  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply, body) => {
      const isPage = typeof body === 'string' && String(reply.getHeader('content-type')).startsWith('text/html');
      reply.headers(isPage ? { ...pageHeaders, 'content-security-policy': policyOf(body, baseUrl()) } : commonHeaders);
    });
    let loading: Promise<FastifyInstance> | undefined;
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      loading ??= loadReference();
      const { statusCode, headers, body } = await (await loading).inject(request.url);
      const { 'content-type': type = 'text/plain', location } = headers;
      return reply
        .code(statusCode)
        .headers({ 'content-type': type, ...(location && { location }) })
        .send(body);
    };
    docs.get('/docs', answer);
    docs.get('/docs/*', answer);
  });
}

/** The reference as a server of its own, made when it is first opened: loading it takes a fifth of a second. */
async function loadReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const reference = Fastify();
  await reference.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Tintype API reference',
      theme: 'default',
      // Off: everything that would contact another server.
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  });
  return reference;
}

/**
 * The reference has the dashboard's origin, so its policy is as strict, except for what its bundle needs: inline styles,
 * and the one inline script that starts it, allowed by its hash.
 */
function policyOf(html: string, baseUrl: string): string {
  const inline = [...html.matchAll(/<script type="text\/javascript">([^<]*)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self' data:",
    // "Test request" uses the base URL, as links do.
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
