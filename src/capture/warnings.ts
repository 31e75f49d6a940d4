// What a person would want to know about a picture.
import type { Budget, Outlet } from '../egress/egress-types.ts';
import type { VerdictCode } from '../kernel/verdict.ts';
import type { Facts } from './in-page.ts';

const budgets: Record<keyof Budget, string> = {
  requests: 'it made more requests than a render may',
  connections: 'it opened more connections than a render may',
  bytes: 'it took more bytes than a render may',
  sentBytes: 'it sent more bytes than a render may',
  responseBytes: 'one of its files is larger than a render may load',
};

export const exhaustedBudget = (budget: keyof Budget): string => budgets[budget];

export function warningsOf(facts: Facts, outlet: Outlet): string[] {
  const warnings: string[] = [];
  if (facts.wall !== '') warnings.push(`The target shows a bot check (${facts.wall}) instead of its page.`);
  if (facts.status >= 400) warnings.push(`The target answered with status ${facts.status}.`);
  if (facts.failedImages > 0) warnings.push(`${count(facts.failedImages, 'image')} could not be loaded.`);
  if (facts.failedFonts > 0) warnings.push(`${count(facts.failedFonts, 'web font')} could not be loaded.`);
  if (outlet.exhausted) warnings.push(`The page is incomplete: ${exhaustedBudget(outlet.exhausted)}.`);
  return warnings;
}

/** The codes of the verdict that the finished page itself tells. */
export function codesOf(facts: Facts): VerdictCode[] {
  const codes: VerdictCode[] = [];
  if (facts.status >= 400) codes.push('http_error');
  if (facts.wall !== '') codes.push('bot_wall');
  return codes;
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
