// The reference for developers: /openapi.json and, made from it, /docs. Nothing is loaded from outside.
import { hash } from 'node:crypto';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
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
    await docs.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Tintype API reference',
        theme: 'default',
        // Everything that would speak to somebody else.
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: 'never',
      },
    });
  });
}

/**
 * The reference is on the dashboard's origin, so it is as strict as the dashboard, but for what its bundle cannot do
 * without: styles of its own, and the one inline script that starts it, named by its hash.
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
    // "Test request" asks the service by the address that links are made of.
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
