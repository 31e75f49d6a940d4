// A sender on a database of its own, with the real guard and HTTP client. Its clock is the test's, so that a schedule of
// days needs no waiting.
import { vi } from 'vitest';
import { createEgress } from '../../src/egress/egress.ts';
import type { Resolver } from '../../src/egress/egress-types.ts';
import { createLog } from '../../src/kernel/log.ts';
import type { OpenStore } from '../../src/store/open.ts';
import type { Account } from '../../src/store/store.ts';
import type { NewDelivery, WebhookAttempt, WebhookDelivery } from '../../src/store/webhooks.ts';
import { createWebhookSecrets, type WebhookSecrets } from '../../src/webhooks/secrets.ts';
import { startWebhookSender, type WebhookSender } from '../../src/webhooks/sender.ts';
import { type DatabaseKind, databases, type TestDatabase } from '../harness/databases.ts';

export type SenderHarness = {
  readonly store: OpenStore;
  readonly secrets: WebhookSecrets;
  readonly account: Account;
  readonly sender: WebhookSender;
  readonly dataDir: string;
  /** The clock stands still; this many milliseconds have passed on it. */
  ahead: number;
  /** Whether the service has got another secret since this process started. */
  hasOldSecret: boolean;
  now(): number;
  newAccount(): Promise<Account>;
  /** Adds a delivery, and has the sender look. */
  deliver(url: string, more?: Partial<NewDelivery>): Promise<string>;
  find(id: string): Promise<WebhookDelivery & { tries: WebhookAttempt[] }>;
  /** The delivery, once it was tried this often in all. */
  tried(id: string, times: number): ReturnType<SenderHarness['find']>;
  /** Another sender on the same database. */
  another(): Promise<SenderHarness>;
  close(): Promise<void>;
};

export type SenderSettings = {
  readonly allowPrivate?: string[];
  readonly resolver?: Resolver;
  readonly timeoutMs?: number;
  readonly kind?: DatabaseKind;
};

let subjects = 0;

export async function openSender(settings: SenderSettings = {}): Promise<SenderHarness> {
  const database = await ((settings.kind ?? databases[0]) as DatabaseKind).create();
  const harness = await openOn(database, settings);
  const { close } = harness;
  return Object.assign(harness, {
    async close() {
      await close();
      await database.remove();
    },
  });
}

async function openOn(database: TestDatabase, settings: SenderSettings): Promise<SenderHarness> {
  const store = await database.open();
  const { allowPrivate = ['127.0.0.0/8'], resolver, timeoutMs } = settings;
  const egress = createEgress({ allowPrivate, ...(resolver && { resolver }) });
  const openedAt = Date.now();
  const clock = () => openedAt + harness.ahead;
  const secrets = createWebhookSecrets(store.webhooks.secrets, 'secret of the service', {
    clock,
    isCurrent: async () => !harness.hasOldSecret,
  });
  const newAccount = () => store.accounts.create({ email: `a${++subjects}@example.test`, plan: 'pro' });
  const account = await newAccount();
  const { webhooks, accounts } = store;
  const find: SenderHarness['find'] = async (id) => {
    const row = await store.db.selectFrom('webhook_deliveries').select('account_id').where('id', '=', id).execute();
    const found = await webhooks.find(row[0]?.account_id ?? '', id);
    if (found === undefined) throw new Error(`There is no delivery ${id}.`);
    return found;
  };
  const harness: SenderHarness = {
    store,
    secrets,
    account,
    dataDir: database.options.dataDir,
    ahead: 0,
    hasOldSecret: false,
    now: clock,
    newAccount,
    find,
    sender: startWebhookSender({
      ...{ webhooks, accounts, secrets, clock, log: createLog('silent') },
      post: egress.post,
      alone: false,
      attempted: () => {},
      ...(timeoutMs !== undefined && { timeoutMs }),
    }),
    async deliver(url, more = {}) {
      const delivery = { accountId: account.id, type: 'job.done', subjectId: `job_${++subjects}`, url } as const;
      const body = JSON.stringify({ type: 'job.done', timestamp: new Date(clock()).toISOString(), data: { n: 'ü' } });
      const id = await webhooks.add({ ...delivery, body, at: clock(), ...more });
      harness.sender.wake();
      return id ?? '';
    },
    tried: (id, times) =>
      vi.waitUntil(
        async () => {
          const found = await find(id);
          return found.tries.length >= times && !found.isSending && found;
        },
        { timeout: 20_000, interval: 5 },
      ),
    another: () => openOn(database, settings),
    async close() {
      await harness.sender.stop();
      await egress.stop();
    },
  };
  return harness;
}
