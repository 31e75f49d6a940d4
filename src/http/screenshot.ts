// GET /v1/screenshot: 401 → 400 → 403 → 400 (target) → render.
import type { FastifyInstance } from 'fastify';
import { checkAllowedHost } from '../access/keys.ts';
import { captureWeight } from '../capture/budgets.ts';
import { effectiveRequest, screenshotParameters } from '../capture/parameters.ts';
import { cacheFields, checkPlan, nearestName, parse } from '../kernel/parameters.ts';
import { cacheKey } from '../render/cache-key.ts';
import { createAsks } from './asks.ts';
import { type Asker, identify } from './caller.ts';
import type { HttpParts } from './parts.ts';
import { type Ask, renderAndSend } from './results.ts';

// Ours, and no parameters of the capture: what a signed link carries.
const linkNames = new Set(['key_id', 'expires', 'signature']);

export function registerScreenshot(app: FastifyInstance, parts: HttpParts): void {
  const asks = createAsks();
  app.get('/v1/screenshot', async (request, reply) => {
    request.story.endpoint = 'screenshot';
    const caller = await identify(request, parts);
    const ask = asks.of(request, caller, (query) => askScreenshot(query, caller, parts));
    return renderAndSend(request, reply, parts, ask);
  });
}

/** Checks the whole query for this caller, and says what to render. The playground's caller has no key. */
export function askScreenshot(
  query: ReadonlyMap<string, string>,
  { account, key, signed }: Asker,
  parts: Pick<HttpParts, 'egress' | 'plans'>,
): Ask {
  const parsed = parse(query, screenshotParameters);
  checkPlan(screenshotParameters, parsed.values, account.plan);

  const target = parts.egress.check(parsed.values.url);
  if (key !== undefined) checkAllowedHost(key, target);

  const wanted = { ...effectiveRequest(parsed), url: target.href };
  return {
    order: {
      accountId: account.id,
      planName: account.plan,
      plan: parts.plans[account.plan],
      key: cacheKey(account.id, 'screenshot', cacheFields(screenshotParameters, wanted)),
      job: { kind: 'screenshot', request: wanted, weight: captureWeight(wanted) },
      fresh: wanted.fresh,
      failOn: wanted.failOn,
    },
    timeoutMs: wanted.timeout,
    asJson: wanted.response === 'json',
    subject: { url: parsed.values.url },
    warnings: unknownParameters(parsed.unknown.keys()),
    signed,
  };
}

function unknownParameters(names: Iterable<string>): string[] {
  const known = Object.keys(screenshotParameters);
  return [...names]
    .filter((name) => !linkNames.has(name))
    .map((name) => {
      const meant = nearestName(name, known);
      const shown = name.slice(0, 40);
      return meant === undefined ? `${shown}: unknown parameter, ignored` : `${shown}: did you mean ${meant}?`;
    });
}
