// GET /v1/sites/{site_id}/{path}: the card of one page of a site, for anybody. POST /v1/sites/{site_id}/refresh reads a page
// anew, with a key of the account.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkAllowedHost, checkAllowedTemplate } from '../access/keys.ts';
import { storedParameters } from '../render/usage-texts.ts';
import type { Sites } from '../sites/sites.ts';
import { readJson } from './body-reader.ts';
import { identify } from './caller.ts';
import type { HttpDependencies } from './dependencies.ts';
import { refuseQuery } from './post.ts';
import { type Body, prepareResult } from './reply.ts';
import { pathOf, rawQueryOf } from './request-context.ts';

const idPattern = /^site_[A-Za-z0-9]{1,40}$/;

type WithId = { Params: { id: string } };

/** An id that none of ours can be is looked up as an empty one. */
const idOf = ({ params }: FastifyRequest<WithId>): string => (idPattern.test(params.id) ? params.id : '');

export function registerSites(app: FastifyInstance, dependencies: HttpDependencies): void {
  const { sites } = dependencies;
  const card = (request: FastifyRequest<WithId>, reply: FastifyReply) =>
    sendSiteCard(request, reply, idOf(request), sites);
  app.get<WithId>('/v1/sites/:id', card);
  app.get<WithId>('/v1/sites/:id/*', card);

  app.post<WithId>('/v1/sites/:id/refresh', async (request, reply) => {
    const { account, key } = await identify(request, dependencies);
    const body = await readJson(request, reply, account.id);
    refuseQuery(rawQueryOf(request));
    const { origin, template } = await sites.own(account.id, idOf(request));
    checkAllowedHost(key, new URL(origin));
    checkAllowedTemplate(key, template);
    const path = await sites.refresh({ ...account, disabled: false }, idOf(request), body.path);
    return reply.code(202).header('cache-control', 'no-store').send({ path, status: 'refreshing' });
  });
}

/** Only the path counts: a query string, such as one that a network adds, changes nothing. */
async function sendSiteCard(
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  sites: Pick<Sites, 'open' | 'card'>,
): Promise<Body> {
  const { context } = request;
  const { site, owner } = await sites.open(id);
  const path = pathOf(request).slice(`/v1/sites/${id}`.length) || '/';
  context.endpoint = 'og';
  context.requester = { account: owner, signed: true, siteId: id };
  context.parameters = storedParameters(new Map(Object.entries({ template: site.template, site: id, path })));
  const { result, warnings, shows, freshForMs } = await sites.card(site, owner, path);
  context.outcome = result;
  context.warnings = warnings;
  if (result.cache === 'MISS') context.phases = result.phases;
  reply.header('x-card', shows);
  return prepareResult(request, reply, { ...result, freshForMs }, { visibility: 'public', warnings });
}
