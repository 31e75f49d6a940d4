// The web side: pages and the JSON API behind them (contract.ts). One account never sees another's: every
// route asks the guard who is here, and reads with that account's id.
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../kernel/errors.ts';
import { registerAdministration } from './administration.ts';
import { registerCaptures } from './captures.ts';
import { registerCatalogue } from './catalogue.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { registerExample } from './example.ts';
import { apiHeaders, checkOrigin, createGuard } from './guard.ts';
import { registerKeys } from './keys.ts';
import { registerPages } from './pages.ts';
import { registerPlayground } from './playground.ts';
import { registerSessions } from './sessions.ts';
import { registerUsage } from './usage.ts';

/** The pages send their long values in bodies. */
const longestUrl = 16 * 1024;

export async function registerDashboard(app: FastifyInstance, parts: DashboardParts): Promise<void> {
  await app.register(async (api) => {
    api.addHook('onRequest', async (request, reply) => {
      reply.headers(apiHeaders);
      if (request.url.length > longestUrl) throw new Problem('uri_too_long');
      checkOrigin(request, parts);
    });
    const guard = createGuard(parts.signIn);
    registerSessions(api, parts, guard);
    registerKeys(api, parts, guard);
    registerUsage(api, parts, guard);
    registerCaptures(api, parts, guard);
    registerPlayground(api, parts, guard);
    registerAdministration(api, parts, guard);
    registerCatalogue(api, parts);
    registerExample(api, parts);
  });
  await app.register((site) => registerPages(site, parts));
}
