// The web side: pages and the JSON API behind them (contract.ts). One account never sees another's: every
// route asks the guard who is here, and reads with that account's id.
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../kernel/errors.ts';
import { registerAdministration } from './administration.ts';
import { registerCaptures } from './captures.ts';
import { registerCatalogue } from './catalogue.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import { registerExample } from './example.ts';
import { apiHeaders, checkOrigin, createGuard } from './guard.ts';
import { registerKeys } from './keys.ts';
import { registerPages } from './pages.ts';
import { registerPlayground } from './playground.ts';
import { registerSessions } from './sessions.ts';
import { registerUsage } from './usage.ts';

/** The pages send their long values in bodies. */
const longestUrl = 16 * 1024;

export async function registerDashboard(app: FastifyInstance, dependencies: DashboardDependencies): Promise<void> {
  await app.register(async (api) => {
    api.addHook('onRequest', async (request, reply) => {
      reply.headers(apiHeaders);
      if (request.url.length > longestUrl) throw new Problem('uri_too_long');
      checkOrigin(request, dependencies);
    });
    const guard = createGuard(dependencies.signIn);
    registerSessions(api, dependencies, guard);
    registerKeys(api, dependencies, guard);
    registerUsage(api, dependencies, guard);
    registerCaptures(api, dependencies, guard);
    registerPlayground(api, dependencies, guard);
    registerAdministration(api, dependencies, guard);
    registerCatalogue(api, dependencies);
    registerExample(api, dependencies);
  });
  await app.register((site) => registerPages(site, dependencies));
}
