// GET /v1/og: 401 → 403 (plan) → 400 → render. Every parameter that is not ours is a variable of the
// template. GET /v1/og/templates is the catalogue as data.
import type { FastifyInstance } from 'fastify';
import { checkAllowedTemplate } from '../access/keys.ts';
import { Problem } from '../kernel/errors.ts';
import { cacheFields, parse } from '../kernel/parameters.ts';
import { type PlanName, planIncludes, plans, ttlMs } from '../kernel/plans.ts';
import { cardTimeoutMs } from '../og/og.ts';
import { ogParameters } from '../og/parameters.ts';
import { cacheKey } from '../render/cache-key.ts';
import { type Asker, identify } from './caller.ts';
import type { HttpDependencies } from './dependencies.ts';
import { type Ask, renderAndSend } from './results.ts';
import { createAsks } from './validation-cache.ts';

export const ogPlan = 'pro';

export function registerOg(app: FastifyInstance, dependencies: HttpDependencies): void {
  const asks = createAsks();
  app.get('/v1/og', async (request, reply) => {
    request.context.endpoint = 'og';
    const caller = await identify(request, dependencies);
    checkOgPlan(caller.account.plan);
    const ask = asks.of(request, caller, (query) => askOg(query, caller, dependencies));
    return renderAndSend(request, reply, dependencies, ask);
  });

  app.get('/v1/og/templates', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send({
      templates: dependencies.cards.catalogue.map((entry) => ({
        ...entry,
        meta: metaSnippet(entry, dependencies.baseUrl()),
      })),
    }),
  );
}

function checkOgPlan(plan: PlanName): void {
  if (planIncludes(plan, ogPlan)) return;
  throw new Problem('plan_required', {
    requiredPlan: ogPlan,
    message: `Open Graph images need the ${plans[ogPlan].label} plan or higher; this key is on ${plans[plan].label}.`,
  });
}

/** Checks the plan and the whole query for this caller, and says what to render. The playground's caller has no key. */
export function askOg(
  query: ReadonlyMap<string, string>,
  { account, key, signed, linkExpiresAt }: Asker,
  dependencies: Pick<HttpDependencies, 'cards' | 'plans'>,
): Ask {
  checkOgPlan(account.plan);
  const { values, unknown } = parse(query, ogParameters);
  const { variables, version, warnings } = dependencies.cards.check(values.template, unknown);
  if (key !== undefined) checkAllowedTemplate(key, values.template);

  const { template, format, width, height, quality } = values;
  const variableFields = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    order: {
      accountId: account.id,
      keyId: key?.id,
      planName: account.plan,
      plan: dependencies.plans[account.plan],
      key: cacheKey(account.id, 'og', [
        ...cacheFields(ogParameters, values),
        ['variables', JSON.stringify(variableFields)],
        ['version', version],
      ]),
      job: { kind: 'og', request: { template, format, width, height, quality, variables }, weight: 1 },
      fresh: values.fresh,
      maxAgeMs: ttlMs(dependencies.plans[account.plan]),
      stale: signed ? 'on failure' : 'never',
    },
    timeoutMs: cardTimeoutMs,
    asJson: values.response === 'json',
    subject: { template },
    warnings,
    signed,
    linkExpiresAt,
  };
}

/** Ready for a page's <head>; the signature is what `tintype sign` or the dashboard adds. */
function metaSnippet(
  { name, example }: { name: string; example: Readonly<Record<string, string>> },
  baseUrl: string,
): string {
  const query = new URLSearchParams({ template: name, ...example, key_id: 'KEY_ID', signature: 'SIGNATURE' });
  const url = `${baseUrl}/v1/og?${query}`.replaceAll('&', '&amp;');
  return `<meta property="og:image" content="${url}">\n<meta property="og:image:width" content="1200">\n<meta property="og:image:height" content="630">`;
}
