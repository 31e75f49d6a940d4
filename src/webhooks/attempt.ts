// One attempt to deliver: signs the body, sends it, and says what came of it.
import { Webhook } from 'standardwebhooks';
import { Cancelled, type Deadline } from '../kernel/deadline.ts';
import type { ClaimedDelivery, DeliveryOutcome } from '../store/webhook-claims.ts';
import type { WebhookAttempt } from '../store/webhooks.ts';
import { errorOf, outcomeOf } from './schedule.ts';
import type { WebhookSecret } from './secrets.ts';

/** The guarded HTTP client, as app.ts gives it: egress.post. */
export type PostWebhook = (
  request: { url: string; headers: Record<string, string>; body: string; answerBytes: number },
  signal: AbortSignal,
) => Promise<{ status: number; answer: Buffer } | { status?: undefined; failure: string }>;

export type Attempted = { readonly attempt: Omit<WebhookAttempt, 'id'>; readonly outcome: DeliveryOutcome };

/** Of the answer, shown in the dashboard. */
const answerBytes = 1024;

/** Throws Cancelled if `work` is cancelled. */
export async function tryDelivery(
  delivery: ClaimedDelivery,
  secret: WebhookSecret,
  { post, clock, work }: { post: PostWebhook; clock: () => number; work: Deadline },
): Promise<Attempted> {
  const at = clock();
  const { url, body } = delivery;
  const headers = { 'content-type': 'application/json', ...signatureOf(delivery, secret, new Date(at)) };
  const result = await post({ url, headers, body, answerBytes }, work.signal).catch((error: unknown) => {
    if (error instanceof Cancelled) throw error;
    const seconds = Math.round((work.endsAt - work.startedAt) / 1000);
    return { failure: work.remaining() === 0 ? `There was no answer within ${seconds} s.` : 'It could not be sent.' };
  });
  work.done();
  const answered = 'answer' in result ? result : undefined;
  const error = 'failure' in result ? result.failure : errorOf(result.status);
  return {
    attempt: {
      at,
      status: answered?.status ?? null,
      error,
      durationMs: Math.round(work.elapsed()),
      answer: answered === undefined ? '' : textOf(answered.answer),
    },
    outcome: outcomeOf(answered?.status, delivery.attempts, clock()),
  };
}

function signatureOf({ id, body }: ClaimedDelivery, { secret, previous }: WebhookSecret, at: Date) {
  const secrets = previous === undefined ? [secret] : [secret, previous.secret];
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign(id, at, body)).join(' '),
  };
}

/** A character that was cut at the end is left out, and so is NUL, which PostgreSQL does not store. */
const textOf = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '');
