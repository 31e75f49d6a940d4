// One render: the account's rate and monthly allowance → the executor (the target's address → a slot → capture or card) → the cache. In a
// cluster, identical requests on all machines are one render.
import type { Limits } from '../access/limits.ts';
import type { Quota, QuotaState } from '../access/quota.ts';
import type { SharedFlights } from '../cluster/shared-flights.ts';
import type { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { rejectIf, type Verdict } from '../kernel/verdict.ts';
import { countsAsRender } from './counting.ts';
import type { Executor } from './executor.ts';
import type { Result } from './result.ts';
import type { StoredResults } from './stored-results.ts';
import type { ValidatedRequest } from './validated-request.ts';

export type RenderDependencies = {
  readonly limits: Limits;
  readonly quota: Quota;
  readonly executor: Executor;
  /** In a cluster only. */
  readonly shared?: SharedFlights<Result> | undefined;
  /** Called with the verdict of every capture. */
  readonly captured?: ((verdict: Verdict) => void) | undefined;
};

/**
 * Requests that reject the same codes share a render. A capture that one caller rejects is neither stored nor counted,
 * and one that another accepts is both: those are two renders. There is no dot in the key, because in a cluster the id of
 * a render is this key, a dot and a random part.
 */
export const flightKey = ({ key, failOn = [], background }: ValidatedRequest, lastRemoval: string): string =>
  // Whoever waits must not wait for a render that lets everybody else go first, nor get one that began before the results
  // of the page were removed.
  [key, ...failOn, ...(background ? ['background'] : []), ...(lastRemoval ? [lastRemoval] : [])].join('-');

export function createRenderOnce(
  { limits, quota, executor, shared, captured }: RenderDependencies,
  stored: StoredResults,
) {
  async function renderAndStore(
    request: ValidatedRequest,
    work: Deadline,
    id: string,
    lastRemoval: string,
  ): Promise<Result> {
    const { requester, plan, task, background } = request;
    const { id: accountId, plan: planName } = requester.account;
    const allowance = await limits.take(accountId, plan.rendersPerMinute);
    if (!allowance.ok)
      throw new Problem('rate_limited', {
        retryAfter: allowance.retryAfter,
        message: `This account may render ${allowance.limit} times a minute. Try again in ${allowance.retryAfter} s.`,
      });
    const monthly = await quota.take(accountId, plan).catch(async (error: unknown) => {
      await limits.giveBack(accountId, allowance);
      throw error;
    });
    if (monthly?.ok === false) {
      await limits.giveBack(accountId, allowance);
      throw quotaExceeded(monthly);
    }
    let tookSlot = false;
    const onStart = () => {
      tookSlot = true;
      background?.onStart();
    };
    try {
      const applicant = {
        // Jobs are admitted apart, so that an account's own requests do not wait for its jobs.
        accountId: background ? `${accountId}:jobs` : accountId,
        plan: planName,
        atOnce: plan.rendersAtOnce,
        weight: task.weight,
        ...(background && { background: true }),
      };
      const output = await executor.execute(task, applicant, work, id, onStart);
      if (output.verdict !== undefined) captured?.(output.verdict);
      rejectIf(output.verdict, request.failOn);
      return await stored.save(request, output, work, lastRemoval);
    } catch (error) {
      if (!countsAsRender(error, tookSlot)) {
        await limits.giveBack(accountId, allowance);
        if (monthly !== undefined) await quota.giveBack(accountId, monthly);
      }
      throw error;
    }
  }

  return (request: ValidatedRequest, work: Deadline, lastRemoval: string): Promise<Result> =>
    shared === undefined
      ? renderAndStore(request, work, request.key, lastRemoval)
      : shared.join(flightKey(request, lastRemoval), work, async (id, again) => {
          // Another machine may have stored it since this one looked into the cache.
          const found = again && !request.fresh ? await stored.young(request) : undefined;
          return found ?? renderAndStore(request, work, id, lastRemoval);
        });
}

function quotaExceeded({ limit, reset }: QuotaState): Problem {
  const date = new Date(reset * 1000).toISOString().slice(0, 10);
  return new Problem('quota_exceeded', {
    retryAfter: reset - Date.now() / 1000,
    message: `This account has used its ${limit} renders of this month. The next month begins on ${date} (UTC).`,
  });
}
