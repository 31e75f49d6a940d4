// When a delivery is tried again, and when it has ended.
import type { DeliveryOutcome } from '../store/webhook-claims.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** After each failed attempt: the schedule that Standard Webhooks recommends. */
const retryAfterMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The receiver wants no more of this webhook. */
const gone = 410;

const isSuccess = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300;

/** `attempts` were made before this one, which ended at `at`. */
export function outcomeOf(status: number | undefined, attempts: number, at: number): DeliveryOutcome {
  if (isSuccess(status)) return { state: 'delivered', dueAt: null };
  const wait = status === gone ? undefined : retryAfterMs[attempts];
  return wait === undefined ? { state: 'failed', dueAt: null } : { state: 'pending', dueAt: at + wait };
}

/** Why an attempt failed, in plain words; null if it succeeded. */
export function errorOf(status: number): string | null {
  if (isSuccess(status)) return null;
  if (status === gone) return 'It answered 410, so it is not tried again.';
  if (status >= 300 && status < 400) return `It answered ${status}. Redirects are not followed.`;
  return `It answered ${status}.`;
}
