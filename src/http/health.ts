// /healthz (is the process alive), /readyz (can it work now) and /metrics.
import Fastify, { type FastifyInstance } from 'fastify';
import type { HttpDependencies } from './dependencies.ts';

type HealthDependencies = Pick<HttpDependencies, 'checks' | 'stopping' | 'metrics'>;

export function registerHealth(
  app: FastifyInstance,
  { checks: runChecks, stopping, metrics }: HealthDependencies,
): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    const found = Object.entries({ accepting: !stopping(), ...(await runChecks()) });
    const checks = Object.fromEntries(found.map(([name, state]) => [name, state === true]));
    const reasons = Object.fromEntries(found.filter(([, state]) => typeof state === 'string'));
    const ready = Object.values(checks).every(Boolean);
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: ready ? 'ready' : 'not ready',
        ...checks,
        ...(Object.keys(reasons).length > 0 && { reasons }),
      });
  });

  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}

/** The only routes of a render node. */
export function createHealthServer(dependencies: HealthDependencies): FastifyInstance {
  const app = Fastify({ logger: false });
  registerHealth(app, dependencies);
  return app;
}
