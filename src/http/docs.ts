// The reference for developers: /openapi.json and, made from it, /docs. Nothing is loaded from outside.
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { openapi } from './openapi.ts';
import type { HttpParts } from './parts.ts';

export async function registerDocs(app: FastifyInstance, { baseUrl, cards }: HttpParts): Promise<void> {
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(openapi(baseUrl(), cards.catalogue)),
  );

  await app.register(scalar, {
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
}
