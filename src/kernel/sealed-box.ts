// Encrypts what the database keeps with a key derived from the service's secret: a copy of one table opens nothing.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export type SealedBox = {
  /** Nonce, tag and AES-256-GCM ciphertext. `owner` is authenticated, so that it opens for the same owner only. */
  seal(text: string, owner: string): Buffer;
  /** Throws if it was not sealed for this owner. */
  open(sealed: Uint8Array, owner: string): string;
};

const nonceBytes = 12;
const tagBytes = 16;

/** What is encrypted for one purpose cannot be decrypted for another. Stored data depends on the purpose: never change it. */
export function createSealedBox(serviceSecret: string, purpose: string): SealedBox {
  const key = Buffer.from(hkdfSync('sha256', serviceSecret, '', purpose, 32));
  return {
    seal(text, owner) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(owner));
      const parts = [cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...parts]);
    },
    open(sealed, owner) {
      const nonce = sealed.subarray(0, nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = decipher.update(sealed.subarray(nonceBytes + tagBytes));
      return Buffer.concat([text, decipher.final()]).toString();
    },
  };
}
