// The account's sites: their ownership, their settings, and pages to show.
import type { FastifyInstance } from 'fastify';
import type { Variable } from '../../cards/card-types.ts';
import { mayFill, partsFor } from '../../sites/mapping.ts';
import { proofFile, proofName } from '../../sites/ownership.ts';
import { type PagePart, parts } from '../../sites/page-facts.ts';
import { isLost } from '../../sites/pages.ts';
import { mostSites } from '../../sites/sites.ts';
import type { Site } from '../../store/sites.ts';
import { ownPrefix } from '../../templates/own-templates.ts';
import { sandboxed } from '../reply.ts';
import { fieldsOf } from './body.ts';
import type { SitesView, SiteView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import type { Guard } from './guard.ts';
import { registerOn } from './route.ts';

export function registerDashboardSites(app: FastifyInstance, dependencies: DashboardDependencies, guard: Guard): void {
  const route = registerOn(app);
  const { sites, cards, ownTemplates, baseUrl } = dependencies;
  const view = async (site: Site): Promise<SiteView> => siteView(site, await sites.countPages(site.id), baseUrl());
  const choices = {
    limit: mostSites,
    parts: (Object.keys(parts) as PagePart[]).map((name) => ({
      name,
      label: parts[name],
      isPicture: mayFill(name, 'image_url'),
    })),
  };
  const templatesOf = async (accountId: string): Promise<SitesView['templates']> => [
    ...cards.catalogue.map(({ name, variables }) => siteTemplate(name, variables)),
    ...(await ownTemplates.list(accountId)).map(({ name, about }) => siteTemplate(ownPrefix + name, about.variables)),
  ];

  route('GET /api/sites', async (request, reply): Promise<SitesView> => {
    const account = await guard.account(request, reply);
    const [own, templates] = await Promise.all([sites.list(account.id), templatesOf(account.id)]);
    return { sites: await Promise.all(own.map(view)), templates, ...choices };
  });

  route('POST /api/sites', async (request, reply) => {
    const account = await guard.account(request, reply);
    reply.code(201);
    return view(await sites.register(account, fieldsOf(request).origin));
  });

  route('GET /api/sites/:id', async (request, reply) => {
    const account = await guard.account(request, reply);
    return view(await sites.own(account.id, request.params.id));
  });

  route('PATCH /api/sites/:id', async (request, reply) => {
    const account = await guard.account(request, reply);
    return view(await sites.change(account, request.params.id, fieldsOf(request)));
  });

  route('DELETE /api/sites/:id', async (request, reply) => {
    const account = await guard.account(request, reply);
    await sites.remove(account.id, request.params.id);
    return reply.code(204).send();
  });

  route('POST /api/sites/:id/check', async (request, reply) => {
    const account = await guard.account(request, reply);
    const { site, check } = await sites.check(account, request.params.id);
    return { site: await view(site), by: check.by ?? null, found: check.found };
  });

  route('GET /api/sites/:id/preview', async (request, reply) => {
    const account = await guard.account(request, reply);
    return { paths: await sites.preview(account.id, request.params.id) };
  });

  route('POST /api/sites/:id/sample', async (request, reply) => {
    const account = await guard.account(request, reply);
    const { path, ...settings } = fieldsOf(request);
    const { result, shows } = await sites.sample(account, request.params.id, path, settings);
    return reply
      .headers({ ...sandboxed, 'x-card': shows })
      .type(result.type)
      .send(result.bytes);
  });

  route('POST /api/sites/:id/refresh', async (request, reply) => {
    const account = await guard.account(request, reply);
    reply.code(202);
    return { path: await sites.refresh(account, request.params.id, fieldsOf(request).path) };
  });
}

const siteTemplate = (name: string, variables: Readonly<Record<string, Variable>>): SitesView['templates'][number] => ({
  name,
  variables: Object.entries(variables).map(([variable, { type, doc, default: value }]) => ({
    ...{ name: variable, type, doc, default: value ?? null },
  })),
  usual: partsFor(variables),
});

function siteView(site: Site, pages: number, baseUrl: string): SiteView {
  const { accountId: _, ...shown } = site;
  return {
    ...shown,
    pages,
    isStopped: isLost(site, Date.now()),
    cardUrl: `${baseUrl}/v1/sites/${site.id}`,
    proofs: {
      dns: { place: new URL(site.origin).hostname, value: `${proofName}=${site.token}` },
      file: { place: site.origin + proofFile, value: site.token },
      meta: { place: `${site.origin}/`, value: `<meta name="${proofName}" content="${site.token}">` },
    },
  };
}
