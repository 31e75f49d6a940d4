// The secret that signs an account's webhooks: made when it is first needed, and encrypted in the database by a key
// derived from the service's secret, so that a copy of one table signs nothing.
import { randomBytes } from 'node:crypto';
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

/** Undefined if it does not open. */
function openIn(box: SealedBox, sealed: string, accountId: string): string | undefined {
  try {
    return box.open(Buffer.from(sealed, 'base64url'), accountId);
  } catch {
    return undefined;
  }
}

/** The stored secret for another secret of the service. Undefined if it does not open. */
export function resealWebhookSecret(sealed: string, accountId: string, from: string, to: string): string | undefined {
  const secret = openIn(createSealedBox(from, purpose), sealed, accountId);
  return secret === undefined ? undefined : createSealedBox(to, purpose).seal(secret, accountId).toString('base64url');
}

export function createWebhookSecrets(
  rows: WebhookSecretRows,
  serviceSecret: string,
  options: {
    readonly clock?: () => number;
    /** Whether the service still has this secret. A process with an old one must replace nothing. */
    readonly isCurrent?: () => Promise<boolean>;
  } = {},
): WebhookSecrets {
  const { clock = Date.now, isCurrent = async () => true } = options;
  // Bound to the account: a secret that is moved to another account's row does not open.
  const box = createSealedBox(serviceSecret, purpose);
  const create = (accountId: string) =>
    box.seal(`whsec_${randomBytes(secretBytes).toString('base64')}`, accountId).toString('base64url');
  const open = (sealed: string, accountId: string) => openIn(box, sealed, accountId);

  const of = async (accountId: string): Promise<WebhookSecret> => {
    let row = await rows.find(accountId);
    if (row === undefined) {
      await rows.createIfAbsent(accountId, create(accountId), clock());
      row = await rows.find(accountId);
    }
    // The secret of the service was replaced without this one: nobody can sign with it again.
    if (row !== undefined && open(row.secret, accountId) === undefined) {
      if (!(await isCurrent())) throw new Error('The service has another secret now. Restart this process.');
      await rows.replace(accountId, row.secret, create(accountId), clock());
      row = await rows.find(accountId);
    }
    if (row === undefined) throw new Error('The account was removed.');
    const { createdAt, previous, previousUntil } = row;
    const secret = open(row.secret, accountId);
    if (secret === undefined) throw new Error('The secret of the webhooks does not open.');
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
      await rows.rotate(accountId, create(accountId), clock(), clock() + overlapMs);
      return of(accountId);
    },
  };
}
