// Sends the deliveries that are due. Every api process has a sender; leases in the database decide which of them sends
// what, so that a delivery goes out at least once, with one id, whoever dies meanwhile.
import { setImmediate } from 'node:timers/promises';
import { Deadline, sleep } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { createGroupWriter } from '../kernel/group-writer.ts';
import type { Log } from '../kernel/log.ts';
import type { Store } from '../store/store.ts';
import type { AttemptNote, ClaimedDelivery, DeliveryOutcome } from '../store/webhook-claims.ts';
import type { WebhookStore } from '../store/webhooks.ts';
import { type Attempted, type PostWebhook, tryDelivery } from './attempt.ts';
import { outcomeOf } from './schedule.ts';
import type { WebhookSecret, WebhookSecrets } from './secrets.ts';

export type WebhookSender = {
  /** Looks for deliveries now; otherwise within a second. */
  wake(): void;
  /** How many deliveries are pending, and for how long the longest has been due. */
  readonly stats: { readonly pending: number; readonly overdueSeconds: number };
  stop(): Promise<void>;
};

export type WebhookSenderOptions = {
  readonly webhooks: WebhookStore;
  readonly accounts: Pick<Store['accounts'], 'byId'>;
  readonly secrets: WebhookSecrets;
  readonly post: PostWebhook;
  /** Called after each attempt. */
  readonly attempted: (state: DeliveryOutcome['state']) => void;
  /** Does only this process use the database? Then all leases at its start are of a process that has ended. */
  readonly alone: boolean;
  readonly log: Log;
  readonly clock?: () => number;
  readonly timeoutMs?: number;
};

/** For one account on all machines; of these for one lane of hosts, so that another host always has room. */
const limits = { ofAccount: 8, ofLane: 7 };
/** In this process. From half of it on an account gets one at a time, so that hosts that hang leave room for others. */
const atOnce = 256;
/** SQLite blocks the event loop while it claims: some milliseconds for so many. */
const claimAtOnce = 64;
/** So that one claim takes the places of all that ended meanwhile. */
const claimEveryMs = 15;
const pollMs = 1000;
/** An attempt takes 15 seconds at most; the rest is for noting it, and for clocks that differ. */
const leaseMs = 30_000;
const countEveryMs = 10_000;
/** A stop waits this long for answers; what has none by then is sent by another process, or after the next start. */
const stopPatienceMs = 3000;
const noteTries = 10;
/** In one transaction. */
const notesAtOnce = 32;

export function startWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { webhooks, accounts, secrets, post, attempted, alone, log, clock = Date.now, timeoutMs = 15_000 } = options;
  const note = createGroupWriter<AttemptNote, void>({
    async write(notes) {
      await webhooks.note(notes);
      return [];
    },
    weigh: () => 1,
    most: notesAtOnce,
  });
  const running = new Map<Promise<void>, Deadline>();
  const stopped = new AbortController();
  let stats = { pending: 0, overdueSeconds: 0 };
  let woken = Promise.withResolvers<void>();
  let hasOldLeases = alone;
  let failing = false;

  const wake = () => woken.resolve();

  async function sendDue(): Promise<void> {
    if (hasOldLeases) await webhooks.endLeases(clock());
    hasOldLeases = false;
    for (;;) {
      const count = Math.min(claimAtOnce, atOnce - running.size);
      if (count === 0 || ((await webhooks.nextDueAt()) ?? Number.POSITIVE_INFINITY) > clock()) return;
      const ofAccount = running.size < atOnce / 2 ? limits.ofAccount : 1;
      const claimed = await webhooks.claim(count, clock(), leaseMs, { ...limits, ofAccount });
      const found = new Map<string, ReturnType<typeof secretOf>>();
      for (const delivery of claimed) {
        const secret = found.get(delivery.accountId) ?? secretOf(delivery.accountId);
        found.set(delivery.accountId, secret);
        start(delivery, secret);
        // Signing takes up to a millisecond, and others wait for this thread.
        await setImmediate();
      }
      if (claimed.length < count || stopped.signal.aborted) return;
    }
  }

  /** Undefined for an account that is disabled or gone. */
  async function secretOf(accountId: string): Promise<WebhookSecret | undefined> {
    const account = await accounts.byId(accountId);
    return account === undefined || account.disabled ? undefined : secrets.of(accountId);
  }

  function start(delivery: ClaimedDelivery, secret: Promise<WebhookSecret | undefined>): void {
    const work = new Deadline(timeoutMs, 'The webhook');
    const sending = send(delivery, secret, work)
      .catch((error) => log.warn({ err: error, delivery: delivery.id }, 'a webhook could not be sent yet'))
      .finally(() => {
        work.done();
        running.delete(sending);
        wake();
      });
    running.set(sending, work);
  }

  async function send(
    claimed: ClaimedDelivery,
    finding: Promise<WebhookSecret | undefined>,
    work: Deadline,
  ): Promise<void> {
    const secret = await finding.catch((error: unknown) => {
      // While the database is unavailable, nothing can be noted.
      if (error instanceof Problem) throw error;
      log.error({ err: error, delivery: claimed.id }, 'the secret of a webhook could not be read');
      return 'unreadable' as const;
    });
    const tried =
      secret === undefined
        ? refusal('The account is disabled.')
        : secret === 'unreadable'
          ? { ...refusal('Its secret could not be read.'), outcome: outcomeOf(undefined, claimed.attempts, clock()) }
          : await trySending(claimed, secret, work);
    if (tried === undefined) return;
    attempted(tried.outcome.state);
    const { status, error } = tried.attempt;
    log.debug({ delivery: claimed.id, status, error }, 'webhook attempted');
    await noteUntilWritten({ claimed, ...tried });
  }

  const refusal = (error: string): Attempted => ({
    attempt: { at: clock(), status: null, error, durationMs: 0, answer: '' },
    outcome: { state: 'failed', dueAt: null },
  });

  /** Undefined if the service stops: another sender has it then. */
  async function trySending(claimed: ClaimedDelivery, secret: WebhookSecret, work: Deadline) {
    try {
      return await tryDelivery(claimed, secret, { post, clock, work });
    } catch (error) {
      if (!stopped.signal.aborted) throw error;
      await webhooks.giveBack(claimed, clock());
      return undefined;
    }
  }

  /** Tries again while the database is unavailable. If it stays so longer, the lease ends and the delivery goes out again. */
  async function noteUntilWritten(attempt: AttemptNote): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        return await note(attempt);
      } catch (error) {
        if (tries === noteTries || stopped.signal.aborted) throw error;
        await sleep(pollMs, stopped.signal).catch(() => {});
      }
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      woken = Promise.withResolvers<void>();
      try {
        await sendDue();
        failing = false;
      } catch (error) {
        // Once for each outage.
        log[failing ? 'debug' : 'warn']({ reason: (error as Error).message }, 'webhooks cannot be read yet');
        failing = true;
        await sleep(pollMs, stopped.signal).catch(() => {});
      }
      await sleep(claimEveryMs);
      const pause = new AbortController();
      await Promise.race([woken.promise, sleep(pollMs, pause.signal).catch(() => {})]);
      pause.abort();
    }
  }

  async function count(): Promise<void> {
    const dueAt = await webhooks.nextDueAt();
    const overdueMs = dueAt === undefined ? 0 : Math.max(0, clock() - dueAt);
    stats = { pending: dueAt === undefined ? 0 : await webhooks.pending(), overdueSeconds: overdueMs / 1000 };
  }

  const countQuietly = () =>
    void count().catch((error: Error) => log.debug({ reason: error.message }, 'webhooks were not counted'));
  const counting = setInterval(countQuietly, countEveryMs).unref();
  const loop = run();

  return {
    wake,
    get stats() {
      return stats;
    },
    async stop() {
      stopped.abort();
      wake();
      clearInterval(counting);
      await loop;
      const pause = new AbortController();
      const all = Promise.allSettled(running.keys());
      await Promise.race([all, sleep(stopPatienceMs, pause.signal).catch(() => {})]);
      pause.abort();
      for (const work of running.values()) work.cancel();
      await all;
    },
  };
}
