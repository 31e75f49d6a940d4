// The dashboard: its pages and the JSON API behind them (routes.ts). No account sees another's data: every route gets
// the account from the guard, and reads with its id.
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../kernel/errors.ts';
import { registerAdministration } from './administration.ts';
import { registerCaptures } from './captures.ts';
import { registerCatalogue } from './catalogue.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import { registerExample } from './example.ts';
import { apiHeaders, checkOrigin, createGuard } from './guard.ts';
import { registerInvitations } from './invitations.ts';
import { registerDashboardJobs } from './jobs.ts';
import { registerKeys } from './keys.ts';
import { registerOwnTemplates } from './own-templates.ts';
import { registerPages } from './pages.ts';
import { registerPlayground } from './playground.ts';
import { registerSecondFactors } from './second-factors.ts';
import { registerSessions } from './sessions.ts';
import { registerDashboardSites } from './sites.ts';
import { registerUsage } from './usage.ts';
import { registerWebhooks } from './webhooks.ts';

/** Pages send long values in bodies, so longer URLs are not theirs. */
const longestUrl = 16 * 1024;

export async function registerDashboard(app: FastifyInstance, dependencies: DashboardDependencies): Promise<void> {
  await app.register(async (api) => {
    api.removeAllContentTypeParsers();
    api.addContentTypeParser('application/json', { parseAs: 'string' }, api.getDefaultJsonParser('error', 'error'));
    api.addHook('onRequest', async (request, reply) => {
      reply.headers(apiHeaders);
      if (request.url.length > longestUrl) throw new Problem('uri_too_long');
      checkOrigin(request, dependencies);
    });
    const guard = createGuard(dependencies.signIn);
    registerSessions(api, dependencies, guard);
    registerSecondFactors(api, dependencies, guard);
    registerKeys(api, dependencies, guard);
    registerUsage(api, dependencies, guard);
    registerCaptures(api, dependencies, guard);
    registerDashboardJobs(api, dependencies, guard);
    registerPlayground(api, dependencies, guard);
    registerAdministration(api, dependencies, guard);
    registerInvitations(api, dependencies, guard);
    registerCatalogue(api, dependencies);
    registerOwnTemplates(api, dependencies, guard);
    registerExample(api, dependencies);
    registerWebhooks(api, dependencies, guard);
    registerDashboardSites(api, dependencies, guard);
  });
  await app.register((site) => registerPages(site, dependencies));
}
