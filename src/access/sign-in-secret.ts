// The secret with which better-auth signs cookies and encrypts two-factor data and the tokens of providers.
import { createHmac } from 'node:crypto';

/** Derived for this purpose, so that it is useless for anything else the service signs. */
export const signInSecret = (serviceSecret: string): string =>
  createHmac('sha256', serviceSecret).update('sessions').digest('hex');

/** Encrypts a value of better-auth for another secret of the service. Undefined if it cannot be decrypted. */
export async function reencryptSignInValue(encrypted: string, from: string, to: string): Promise<string | undefined> {
  const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto');
  const data = await symmetricDecrypt({ key: signInSecret(from), data: encrypted }).catch(() => undefined);
  return data === undefined ? undefined : symmetricEncrypt({ key: signInSecret(to), data });
}

/** Whether better-auth failed because a value was encrypted with another secret. */
export const isUnreadable = (error: unknown): boolean => error instanceof Error && error.message === 'invalid tag';
