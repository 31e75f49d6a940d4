// GET /v1/screenshot: 401 → 400 → 403 → 400 (target) → render.
import type { FastifyInstance } from 'fastify';
import { checkAllowedHost } from '../access/keys.ts';
import { captureWeight } from '../capture/budgets.ts';
import { effectiveRequest, screenshotParameters } from '../capture/parameters.ts';
import { invalidParameter } from '../kernel/errors.ts';
import { cacheFields, checkPlan, nearestName, parse, tellOfUnknown } from '../kernel/parameters.ts';
import { type Plan, ttlMs } from '../kernel/plans.ts';
import { cacheKey } from '../render/cache-key.ts';
import { type Asker, identify } from './caller.ts';
import type { HttpDependencies } from './dependencies.ts';
import { type Ask, renderAndSend } from './results.ts';
import { createAsks } from './validation-cache.ts';

// Ours, and no parameters of the capture: what a signed link carries.
const linkNames = new Set(['key_id', 'expires', 'signature']);

export function registerScreenshot(app: FastifyInstance, dependencies: HttpDependencies): void {
  const asks = createAsks();
  app.get('/v1/screenshot', async (request, reply) => {
    request.context.endpoint = 'screenshot';
    const caller = await identify(request, dependencies);
    const ask = asks.of(request, caller, (query) => askScreenshot(query, caller, dependencies));
    return renderAndSend(request, reply, dependencies, ask);
  });
}

/** Checks the whole query for this caller, and says what to render. The playground's caller has no key. */
export function askScreenshot(
  query: ReadonlyMap<string, string>,
  { account, key, signed, linkExpiresAt }: Asker,
  dependencies: Pick<HttpDependencies, 'egress' | 'plans'>,
): Ask {
  const parsed = parse(query, screenshotParameters);
  const plan = dependencies.plans[account.plan];
  const maxAgeMs = checkTtl(parsed.values.ttl, plan);
  checkPlan(screenshotParameters, parsed.values, account.plan);

  const target = dependencies.egress.check(parsed.values.url);
  if (key !== undefined) checkAllowedHost(key, target);

  const allowedHosts = key?.allowedHosts ?? undefined;
  const wanted = { ...effectiveRequest(parsed), url: target.href, ...(allowedHosts && { allowedHosts }) };
  const fields = cacheFields(screenshotParameters, wanted);
  // What another key made may show a host that this one may not see.
  if (allowedHosts) fields.push(['allowedHosts', JSON.stringify([...allowedHosts].sort())]);
  return {
    order: {
      accountId: account.id,
      keyId: key?.id,
      planName: account.plan,
      plan,
      key: cacheKey(account.id, 'screenshot', fields),
      job: { kind: 'screenshot', request: wanted, weight: captureWeight(wanted) },
      fresh: wanted.fresh,
      maxAgeMs,
      // A reader of public HTML is not shown an error where there is a picture.
      stale: wanted.stale ? 'at once' : signed ? 'on failure' : 'never',
      failOn: wanted.failOn,
    },
    timeoutMs: wanted.timeout,
    asJson: wanted.response === 'json',
    subject: { url: parsed.values.url },
    warnings: unknownParameters(parsed.unknown.keys()),
    signed,
    linkExpiresAt,
  };
}

/** How old a result may be: what the caller says, within what the plan has. */
function checkTtl(ttl: number | undefined, plan: Plan): number {
  const most = ttlMs(plan);
  if (ttl === undefined) return most;
  if (ttl * 1000 > most)
    throw invalidParameter(
      'ttl',
      `ttl must be ${screenshotParameters.ttl.kind.says}; on ${plan.label} that is ${Math.floor(most / 1000)}.`,
    );
  return ttl * 1000;
}

function unknownParameters(names: Iterable<string>): string[] {
  const known = Object.keys(screenshotParameters);
  const unknown = [...names].filter((name) => !linkNames.has(name));
  return tellOfUnknown(unknown, (name) => {
    const meant = nearestName(name, known);
    const shown = name.slice(0, 40);
    return meant === undefined ? `${shown}: unknown parameter, ignored` : `${shown}: did you mean ${meant}?`;
  });
}
