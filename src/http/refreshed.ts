// A render behind a stale answer is the account's, so it is in its usage, under the key of the request that led to it.
import { randomBytes } from 'node:crypto';
import { Problem } from '../kernel/errors.ts';
import { verdictText } from '../kernel/verdict.ts';
import type { Order, Result } from '../render/render.ts';
import { playgroundKeyId } from './dashboard/playground.ts';
import type { Journal } from './journal.ts';
import { storedParameters, storedWarnings } from './stored-texts.ts';

export function recordRefresh(journal: Pick<Journal, 'write'>, order: Order, outcome: Result | Problem): void {
  const { job } = order;
  const failed = outcome instanceof Problem;
  const verdict = failed ? outcome.verdict : outcome.meta.verdict;
  const subject: [string, string] = job.kind === 'og' ? ['template', job.request.template] : ['url', job.request.url];
  journal.write({
    id: randomBytes(9).toString('base64url'),
    accountId: order.accountId,
    keyId: order.keyId ?? playgroundKeyId,
    at: Date.now(),
    endpoint: job.kind,
    status: failed ? outcome.status : 200,
    outcome: failed ? 'error' : outcome.cache === 'MISS' ? 'render' : 'hit',
    code: failed ? outcome.code : null,
    renderMs: failed ? null : outcome.meta.renderTime,
    totalMs: failed ? 0 : outcome.meta.renderTime,
    parameters: storedParameters(new Map([subject])),
    phases: '{}',
    warnings: storedWarnings(['Rendered anew behind a stale answer.', ...(failed ? [] : outcome.meta.warnings)]),
    cacheKey: !failed && outcome.stored ? outcome.key : null,
    verdict: verdict === undefined ? null : verdictText(verdict),
  });
}
