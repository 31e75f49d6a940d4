// A request for a card becomes a ValidatedRequest.
import { checkAllowedTemplate } from '../access/keys.ts';
import type { CardMaker, HtmlTemplate } from '../cards/card-types.ts';
import { cardTimeoutMs } from '../cards/cards.ts';
import { checkValues } from '../cards/catalogue.ts';
import { ogParameters } from '../cards/parameters.ts';
import { Problem } from '../kernel/errors.ts';
import { cacheFields, type Parsed, parse } from '../kernel/parameters.ts';
import { ogPlan, type PlanName, type Plans, planIncludes, plans as planTable, ttlMs } from '../kernel/plans.ts';
import { type OwnTemplates, ownPrefix } from '../templates/own-templates.ts';
import { cacheKey } from './cache-key.ts';
import type { RequestParameters } from './endpoint-tables.ts';
import type { Requester, ValidatedRequest } from './validated-request.ts';

export type CardDependencies = {
  readonly plans: Plans;
  readonly cards: Pick<CardMaker, 'check'>;
  /** Throws if an image may not be fetched. */
  readonly egress: { check(url: string): URL };
  readonly ownTemplates: Pick<OwnTemplates, 'find'>;
};

/** 403 (plan) → 400 → 403 (the key's templates). Every parameter that is not in the table is a variable of the template. */
export function validateOg(
  parameters: RequestParameters,
  requester: Requester,
  dependencies: CardDependencies,
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
  { plans, egress, ownTemplates }: CardDependencies,
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
    task: {
      kind: 'og',
      request: { accountId: account.id, template, html, format, width, height, quality, variables },
      weight: 1,
    },
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
