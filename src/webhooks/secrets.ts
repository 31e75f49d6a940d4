// The secret that signs an account's webhooks: made when it is first needed, and encrypted in the database by a key
// derived from the service's secret, so that a copy of one table signs nothing.
import { randomBytes } from 'node:crypto';
import type { Log } from '../kernel/log.ts';
import { createSealedBox, type SealedBox } from '../kernel/sealed-box.ts';
import type { WebhookSecretRows } from '../store/webhook-secrets.ts';

export type WebhookSecret = {
  readonly secret: string;
  readonly createdAt: number;
  /** The secret before the last rotation, while it is valid. */
  readonly previous: { readonly secret: string; readonly validUntil: number } | undefined;
};

export type WebhookSecrets = {
  of(accountId: string): Promise<WebhookSecret>;
  rotate(accountId: string): Promise<WebhookSecret>;
};

/** For so long both secrets sign, after a rotation. */
const overlapMs = 24 * 60 * 60 * 1000;
/** Standard Webhooks asks for 24 to 64. */
const secretBytes = 32;
const purpose = 'webhook secrets';

/** Undefined if it cannot be decrypted. */
function openIn(box: SealedBox, sealed: string, accountId: string): string | undefined {
  try {
    return box.open(Buffer.from(sealed, 'base64url'), accountId);
  } catch {
    return undefined;
  }
}

/** The stored secret for another secret of the service. Undefined if it cannot be decrypted. */
export function resealWebhookSecret(sealed: string, accountId: string, from: string, to: string): string | undefined {
  const secret = openIn(createSealedBox(from, purpose), sealed, accountId);
  return secret === undefined ? undefined : createSealedBox(to, purpose).seal(secret, accountId).toString('base64url');
}

export function createWebhookSecrets(
  rows: WebhookSecretRows,
  serviceSecret: string,
  options: {
    readonly clock?: () => number;
    /** Whether the service still has this secret. A process with an old one must store nothing. */
    readonly isCurrent?: () => Promise<boolean>;
    readonly log?: Log;
  } = {},
): WebhookSecrets {
  const { clock = Date.now, isCurrent = async () => true, log } = options;
  // Bound to the account: a secret that is moved to another account's row cannot be decrypted.
  const box = createSealedBox(serviceSecret, purpose);
  const create = async (accountId: string) => {
    if (!(await isCurrent())) throw new Error('The service has another secret now. Restart this process.');
    return box.seal(`whsec_${randomBytes(secretBytes).toString('base64')}`, accountId).toString('base64url');
  };
  const open = (sealed: string, accountId: string) => openIn(box, sealed, accountId);

  const of = async (accountId: string): Promise<WebhookSecret> => {
    let row = await rows.find(accountId);
    if (row === undefined) {
      await rows.createIfAbsent(accountId, await create(accountId), clock());
      row = await rows.find(accountId);
    }
    // The secret of the service was replaced without this one: nobody can sign with it again.
    if (row !== undefined && open(row.secret, accountId) === undefined) {
      await rows.replace(accountId, row.secret, await create(accountId), clock());
      log?.warn({ account: accountId }, 'the webhook secret could not be decrypted and was replaced');
      row = await rows.find(accountId);
    }
    if (row === undefined) throw new Error('The account was removed.');
    const { createdAt, previous, previousUntil } = row;
    const secret = open(row.secret, accountId);
    if (secret === undefined) throw new Error('The webhook secret cannot be decrypted.');
    const isValid = previous !== null && previousUntil !== null && previousUntil > clock();
    const before = isValid ? open(previous, accountId) : undefined;
    return {
      secret,
      createdAt,
      previous: isValid && before !== undefined ? { secret: before, validUntil: previousUntil } : undefined,
    };
  };

  return {
    of,
    async rotate(accountId) {
      await rows.rotate(accountId, await create(accountId), clock(), clock() + overlapMs);
      return of(accountId);
    },
  };
}
