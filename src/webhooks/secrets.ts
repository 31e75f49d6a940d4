// The secret that signs an account's webhooks: made when it is first needed, and encrypted in the database by a key
// derived from the service's secret, so that a copy of one table signs nothing.
import { randomBytes } from 'node:crypto';
import { createSealedBox } from '../kernel/sealed-box.ts';
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

export function createWebhookSecrets(
  rows: WebhookSecretRows,
  serviceSecret: string,
  clock: () => number = Date.now,
): WebhookSecrets {
  // Bound to the account: a secret that is moved to another account's row does not open.
  const box = createSealedBox(serviceSecret, 'webhook secrets');
  const create = (accountId: string) =>
    box.seal(`whsec_${randomBytes(secretBytes).toString('base64')}`, accountId).toString('base64url');
  const open = (sealed: string, accountId: string) => box.open(Buffer.from(sealed, 'base64url'), accountId);

  const of = async (accountId: string): Promise<WebhookSecret> => {
    let row = await rows.find(accountId);
    if (row === undefined) {
      await rows.createIfAbsent(accountId, create(accountId), clock());
      row = await rows.find(accountId);
    }
    if (row === undefined) throw new Error('The account was removed.');
    const { secret, createdAt, previous, previousUntil } = row;
    const isValid = previous !== null && previousUntil !== null && previousUntil > clock();
    return {
      secret: open(secret, accountId),
      createdAt,
      previous: isValid ? { secret: open(previous, accountId), validUntil: previousUntil } : undefined,
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
