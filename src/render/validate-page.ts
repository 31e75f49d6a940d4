// A request for a page, as a picture, a PDF or text, becomes a ValidatedRequest.
import { createHmac } from 'node:crypto';
import { checkAllowedHost } from '../access/keys.ts';
import { captureWeight } from '../capture/budgets.ts';
import {
  type CaptureRequest,
  checkCombination,
  effectiveRequest,
  type Source,
  sourceOf,
  withoutEffect,
  withoutGivenDefaults,
} from '../capture/capture-request.ts';
import { loginNames } from '../capture/login.ts';
import { checkPaper } from '../capture/paper.ts';
import { screenshotParameters } from '../capture/parameters.ts';
import { maxLinks } from '../content/content-types.ts';
import { asScreenshot, checkContentSource, contentParameters, longestText } from '../content/parameters.ts';
import { invalidParameter, Problem } from '../kernel/errors.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import { cacheFields, checkPlan, type Parsed, parse, type Table, warnOfUnknown } from '../kernel/parameters.ts';
import { type Plan, type Plans, ttlMs } from '../kernel/plans.ts';
import { cacheKey } from './cache-key.ts';
import { type RequestParameters, tables } from './endpoint-tables.ts';
import type { RenderTask } from './executor.ts';
import { resizeOf, withoutResize } from './resize.ts';
import type { Requester, ValidatedRequest } from './validated-request.ts';

export type PageDependencies = {
  readonly plans: Plans;
  /** Throws if the target may not be captured. */
  readonly egress: { check(url: string): URL };
  /** Of this service: cache keys contain an HMAC of the caller's secrets. */
  readonly secret: string;
};

/** What the endpoints for pages do in their own way. */
type PageEndpoint = {
  readonly values: Readonly<Record<string, unknown>>;
  readonly source: Source;
  /** How the page is loaded. */
  readonly loading: Parsed<typeof screenshotParameters>;
  /** What identifies a result, by the names of the endpoint's table. */
  readonly identity: (request: CaptureRequest) => Readonly<Record<string, unknown>>;
  readonly task: (request: CaptureRequest) => RenderTask;
  readonly text?: ValidatedRequest['text'];
  /** About parameters that change nothing. */
  readonly warnings: readonly string[];
};

function readScreenshot(parameters: RequestParameters): PageEndpoint {
  const parsed = parse(parameters, screenshotParameters);
  const source = sourceOf(parsed.values);
  checkCombination(parsed.values, source);
  const values = withoutGivenDefaults(parsed.values);
  return {
    values,
    source,
    loading: { ...parsed, values },
    identity: (request) => request,
    task: (request) => ({ kind: 'screenshot', request, weight: captureWeight(request) }),
    warnings: withoutEffect(parsed),
  };
}

function readContent(parameters: RequestParameters): PageEndpoint {
  const parsed = parse(parameters, contentParameters);
  const { values } = parsed;
  const source = checkContentSource(values);
  const asked = asScreenshot(parsed);
  checkCombination(asked.values, source);
  const loading = { ...asked, values: withoutGivenDefaults(asked.values) };
  const { format, selector } = values;
  return {
    values: { ...values, media: loading.values.media },
    source,
    loading,
    identity: (request) => ({ ...request, format, selector }),
    task: (request) => ({
      kind: 'content',
      request,
      read: { format, selector, maxChars: longestText, maxLinks },
      weight: 1,
    }),
    text: { format, maxChars: values.maxChars },
    warnings: [],
  };
}

/** 400 → 403 → 400 (target) → 403 (the key's hosts). */
export function validatePage(
  endpoint: 'screenshot' | 'content',
  parameters: RequestParameters,
  requester: Requester,
  { plans, egress, secret }: PageDependencies,
): ValidatedRequest {
  const { account, key, signed } = requester;
  const table = tables[endpoint];
  const { values, source, loading, identity, task, text, warnings } =
    endpoint === 'content' ? readContent(parameters) : readScreenshot(parameters);
  const plan = plans[account.plan];
  const maxAgeMs = checkTtl(loading.values.ttl, plan);
  const effective = effectiveRequest(loading);
  checkPaper(effective);
  checkPlan(table, values, account.plan);

  const allowedHosts = key?.allowedHosts ?? undefined;
  const target =
    source === 'url' || effective.baseUrl !== undefined ? checkTarget(effective, source, egress) : undefined;
  if (allowedHosts && source !== 'url') throw sentByLimitedKey(source);
  if (key !== undefined && target !== undefined) checkAllowedHost(key, target);

  const wanted = { ...effective, url: target?.href ?? effective.url, ...(allowedHosts && { allowedHosts }) };
  const login = loginNames.filter((name) => wanted[name] !== undefined).map((name) => [name, wanted[name]]);
  const keyOf = (request: CaptureRequest): string => {
    const fields = cacheFields(table, identity(request));
    if (login.length > 0)
      fields.push(['login', createHmac('sha256', secret).update(JSON.stringify(login)).digest('hex')]);
    // A result of another key may show a host that this key may not see.
    if (allowedHosts) fields.push(['allowedHosts', JSON.stringify([...allowedHosts].sort())]);
    return cacheKey(account.id, endpoint, fields);
  };
  const validated = (request: CaptureRequest): ValidatedRequest => ({
    requester,
    plan,
    key: keyOf(request),
    task: task(request),
    fresh: request.fresh,
    maxAgeMs,
    // Readers of public HTML get the last good picture instead of an error.
    stale: request.stale ? 'at once' : signed ? 'on failure' : 'never',
    failOn: request.failOn,
    timeoutMs: request.timeout,
    asJson: request.response === 'json',
    text,
    requested: { url: loading.values.url ?? null, source },
    hasSecrets: login.length > 0,
    warnings: [...unknownParameters(loading.unknown.keys(), table), ...warnings],
  });
  return {
    ...validated(wanted),
    ...(resizeOf(wanted) !== undefined && { original: validated(withoutResize(wanted)) }),
  };
}

/** The error names the parameter that the caller gave. */
function checkTarget({ url }: { url: string }, source: Source, egress: PageDependencies['egress']): URL {
  try {
    return egress.check(url);
  } catch (error) {
    if (source === 'url' || !(error instanceof Problem)) throw error;
    throw new Problem(error.code, { parameter: 'baseUrl', message: error.message.replace(/^url /, 'baseUrl ') });
  }
}

const sentByLimitedKey = (source: Source): Problem =>
  new Problem('host_not_allowed', {
    parameter: source,
    message: `This key is limited to hosts, so it may not send ${source}.`,
  });

/** How old a result may be: what the caller says, within what the plan allows. */
function checkTtl(ttl: number | undefined, plan: Plan): number {
  const most = ttlMs(plan);
  if (ttl === undefined) return most;
  if (ttl * 1000 > most)
    throw invalidParameter(
      'ttl',
      `ttl must be ${screenshotParameters.ttl.kind.expects}; on ${plan.label} that is ${Math.floor(most / 1000)}.`,
    );
  return ttl * 1000;
}

// Known, but not parameters of the capture: a signed link carries them.
const linkNames = new Set(['key_id', 'expires', 'signature']);

function unknownParameters(names: Iterable<string>, table: Table): string[] {
  const known = Object.keys(table);
  const unknown = [...names].filter((name) => !linkNames.has(name));
  return warnOfUnknown(unknown, (name) => {
    const meant = nearestName(name, known);
    const shown = name.slice(0, 40);
    return meant === undefined ? `${shown}: unknown parameter, ignored` : `${shown}: did you mean ${meant}?`;
  });
}
