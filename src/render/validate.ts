// Parameters and a requester become a ValidatedRequest, or a 400 or 403. The parameters may come from a query, a JSON
// body, a form or the command line.
import { createHmac } from 'node:crypto';
import { checkAllowedHost, checkAllowedTemplate } from '../access/keys.ts';
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
import { bodyParameters } from '../kernel/json-body.ts';
import {
  cacheFields,
  checkPlan,
  nearestName,
  type Parsed,
  parse,
  type Table,
  warnOfUnknown,
} from '../kernel/parameters.ts';
import {
  ogPlan,
  type Plan,
  type PlanName,
  type Plans,
  planIncludes,
  plans as planTable,
  ttlMs,
} from '../kernel/plans.ts';
import { checkValues } from '../og/catalogue.ts';
import { cardTimeoutMs } from '../og/og.ts';
import type { CardMaker, HtmlTemplate } from '../og/og-types.ts';
import { ogParameters } from '../og/parameters.ts';
import { type OwnTemplates, ownPrefix } from '../templates/own-templates.ts';
import { cacheKey } from './cache-key.ts';
import type { RenderTask } from './executor.ts';
import { resizeOf, withoutResize } from './resize.ts';
import type { Endpoint, Requester, ValidatedRequest } from './validated-request.ts';

export type RequestParameters = ReadonlyMap<string, string>;

/** Throws what is wrong with the request, in the order that the contract fixes. A promise if the account's own template is read. */
export type Validate = (
  endpoint: Endpoint,
  parameters: RequestParameters,
  requester: Requester,
) => ValidatedRequest | Promise<ValidatedRequest>;

type Dependencies = {
  readonly plans: Plans;
  /** Throws if the target may not be captured. */
  readonly egress: { check(url: string): URL };
  readonly cards: Pick<CardMaker, 'check'>;
  readonly ownTemplates: Pick<OwnTemplates, 'find'>;
  /** Of this service: cache keys contain an HMAC of the caller's secrets. */
  readonly secret: string;
};

export const tables: Readonly<Record<Endpoint, Table>> = {
  screenshot: screenshotParameters,
  og: ogParameters,
  content: contentParameters,
};

/** The parameters in the JSON body of a POST. */
export const parametersIn = (endpoint: Endpoint, body: Readonly<Record<string, unknown>>): Map<string, string> =>
  bodyParameters(body, tables[endpoint], endpoint === 'og' ? 'variables' : 'warned');

export const createValidator =
  (dependencies: Dependencies): Validate =>
  (endpoint, parameters, requester) =>
    endpoint === 'og'
      ? validateOg(parameters, requester, dependencies)
      : validatePage(endpoint, parameters, requester, dependencies);

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
  { plans, egress, secret }: Pick<Dependencies, 'plans' | 'egress' | 'secret'>,
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
function checkTarget({ url }: { url: string }, source: Source, egress: Dependencies['egress']): URL {
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

type OgDependencies = Pick<Dependencies, 'plans' | 'cards' | 'egress' | 'ownTemplates'>;

/** 403 (plan) → 400 → 403 (the key's templates). Every parameter that is not in the table is a variable of the template. */
export function validateOg(
  parameters: RequestParameters,
  requester: Requester,
  dependencies: OgDependencies,
): ValidatedRequest | Promise<ValidatedRequest> {
  checkOgPlan(requester.account.plan);
  const card = parse(parameters, ogParameters);
  const { template } = card.values;
  if (template.startsWith(ownPrefix)) return validateOwn(card, requester, dependencies);
  return validatedCard(card, template, dependencies.cards.check(template, card.unknown), requester, dependencies.plans);
}

type ParsedCard = Parsed<typeof ogParameters>;

/** `my/hero`, or a version of it: `my/hero@3`. */
async function validateOwn(
  card: ParsedCard,
  requester: Requester,
  { plans, egress, ownTemplates }: OgDependencies,
): Promise<ValidatedRequest> {
  const [name = ''] = card.values.template.split('@', 1);
  const { html, version } = await ownTemplates.find(requester.account.id, card.values.template);
  const checked = checkValues({ name, variables: html.variables }, card.unknown, egress);
  return validatedCard(card, name, { ...checked, version, html }, requester, plans);
}

type CheckedCard = ReturnType<CardMaker['check']> & { readonly html?: HtmlTemplate };

function validatedCard(
  { values }: ParsedCard,
  template: string,
  { variables, version, warnings, html }: CheckedCard,
  requester: Requester,
  plans: Plans,
): ValidatedRequest {
  const { account, key, signed } = requester;
  if (key !== undefined) checkAllowedTemplate(key, template);

  const plan = plans[account.plan];
  const { format, width, height, quality } = values;
  const variableFields = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    requester,
    plan,
    key: cacheKey(account.id, 'og', [
      ...cacheFields(ogParameters, values),
      ['variables', JSON.stringify(variableFields)],
      ['version', version],
    ]),
    task: { kind: 'og', request: { template, html, format, width, height, quality, variables }, weight: 1 },
    fresh: values.fresh,
    maxAgeMs: ttlMs(plan),
    stale: signed ? 'on failure' : 'never',
    timeoutMs: cardTimeoutMs,
    asJson: values.response === 'json',
    requested: { template: values.template },
    hasSecrets: false,
    warnings,
  };
}

/** Throws 403 if the plan has no Open Graph images, or nothing that is made of them. */
export function checkOgPlan(plan: PlanName, what = 'Open Graph images', who: 'key' | 'account' = 'key'): void {
  if (planIncludes(plan, ogPlan)) return;
  throw new Problem('plan_required', {
    requiredPlan: ogPlan,
    message: `${what} need the ${planTable[ogPlan].label} plan or higher; this ${who} is on ${planTable[plan].label}.`,
  });
}

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
