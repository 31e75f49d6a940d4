// The secret that signs an account's webhooks: made when it is first needed, and encrypted in the database by a key
// derived from the service's secret, so that a copy of one table signs nothing.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
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
export const overlapMs = 24 * 60 * 60 * 1000;
/** Standard Webhooks asks for 24 to 64. */
const secretBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

export function createWebhookSecrets(
  rows: WebhookSecretRows,
  serviceSecret: string,
  clock: () => number = Date.now,
): WebhookSecrets {
  const box = createBox(serviceSecret);
  const create = (accountId: string) => box.seal(`whsec_${randomBytes(secretBytes).toString('base64')}`, accountId);

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
      secret: box.open(secret, accountId),
      createdAt,
      previous: isValid ? { secret: box.open(previous, accountId), validUntil: previousUntil } : undefined,
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

/** AES-256-GCM, bound to the account, so that a secret moved to another account's row does not open. */
function createBox(serviceSecret: string) {
  const key = Buffer.from(hkdfSync('sha256', serviceSecret, '', 'webhook secrets', 32));
  return {
    seal(text: string, accountId: string): string {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(accountId));
      const sealed = [cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
    },
    open(sealed: string, accountId: string): string {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(accountId)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
      return Buffer.concat([text, decipher.final()]).toString();
    },
  };
}
