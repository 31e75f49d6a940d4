// Is it alive, can it render now, and its figures.
import type { FastifyInstance } from 'fastify';
import type { HttpParts } from './parts.ts';

export function registerHealth(app: FastifyInstance, { store, captureHealth, stopping, metrics }: HttpParts): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    const checks = {
      accepting: !stopping(),
      browser: captureHealth().ready,
      database: await store.ping().then(
        () => true,
        () => false,
      ),
    };
    const ready = Object.values(checks).every(Boolean);
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ready' : 'not ready', ...checks });
  });

  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}
