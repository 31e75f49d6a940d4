// Encrypts a text for one reader: X25519, HKDF-SHA256, AES-256-GCM. Both key pairs are used once, so that nothing that is
// kept anywhere opens the text later.
import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

export type Opener = {
  /** Whoever has it can seal for this opener. */
  readonly publicKey: string;
  /** Throws if the text was not sealed for this opener and purpose. */
  open(sealed: string, purpose: string): string;
};

export function createOpener(): Opener {
  const own = generateKeyPairSync('x25519');
  const publicKey = rawKey(own.publicKey);
  return {
    publicKey,
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64url');
      const sender = bytes.toString('base64url', 0, keyBytes);
      const nonce = bytes.subarray(keyBytes, keyBytes + nonceBytes);
      const tag = bytes.subarray(keyBytes + nonceBytes, keyBytes + nonceBytes + tagBytes);
      const key = sharedKey(own.privateKey, sender, [sender, publicKey, purpose]);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAuthTag(tag);
      const text = decipher.update(bytes.subarray(keyBytes + nonceBytes + tagBytes));
      return Buffer.concat([text, decipher.final()]).toString();
    },
  };
}

export function seal(text: string, publicKey: string, purpose: string): string {
  const own = generateKeyPairSync('x25519');
  const sender = rawKey(own.publicKey);
  const key = sharedKey(own.privateKey, publicKey, [sender, publicKey, purpose]);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([Buffer.from(sender, 'base64url'), nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
}

const rawKey = (key: KeyObject): string => key.export({ format: 'jwk' }).x ?? '';

/** `names` binds the key to both sides and to the purpose. */
function sharedKey(privateKey: KeyObject, other: string, names: readonly string[]): Buffer {
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: other }, format: 'jwk' });
  const shared = diffieHellman({ privateKey, publicKey });
  return Buffer.from(hkdfSync('sha256', shared, '', JSON.stringify(names), keyBytes));
}
