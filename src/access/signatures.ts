// Links that need no key. A signed link acts for an API key, so that it can be used in public HTML as an og:image. A
// file link opens one stored result. Both contain an HMAC-SHA256 of path and query exactly as they are sent.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from '../kernel/errors.ts';
import { findInQuery } from '../kernel/parameters.ts';
import type { Account, ApiKey, Store } from '../store/store.ts';
import { isUsable } from './keys.ts';

const mac = (text: string, secret: string): string => createHmac('sha256', secret).update(text).digest('hex');

const signatureName = '&signature=';
const signatureLength = 64;

/** Path and query with the key's id, the expiry if there is one, and the signature. */
export function signLink(link: {
  /** Such as `/v1/og?template=quote&title=Hello`. */
  readonly path: string;
  readonly keyId: string;
  readonly secret: string;
  /** Unix seconds; without it the link is valid as long as the key. */
  readonly expires?: number | undefined;
}): string {
  const joint = link.path.includes('?') ? (/[?&]$/.test(link.path) ? '' : '&') : '?';
  const expires = link.expires === undefined ? '' : `&expires=${link.expires}`;
  const path = `${link.path}${joint}key_id=${link.keyId}${expires}`;
  return `${path}&signature=${mac(path, link.secret)}`;
}

/** The key of a signed link, and its account. `url` is path and query as in the request line. */
export async function authenticateLink(
  url: string,
  store: Pick<Store, 'keys'>,
  now: number = Date.now(),
): Promise<{ key: ApiKey; account: Account; expiresAt?: number | undefined }> {
  const { path, keyId = '', expires, signature } = splitLink(url);
  if (!/^key_[A-Za-z0-9]{1,40}$/.test(keyId))
    throw refused('key_id', 'key_id must be the id of an API key, key_ and letters or digits.');
  const found = await store.keys.findForSigning(keyId);
  // An unknown key costs the same comparison as a wrong signature.
  const right = isSame(signature, mac(path, found?.signingSecret ?? keyId));
  if (found === undefined) throw refused('key_id', `There is no API key with the id ${keyId}.`);
  if (!right)
    throw refused(
      'signature',
      `The signature is wrong: it must be the HMAC-SHA256 in hex, with the signing secret of ${keyId}, of path and query as sent, up to &signature and without it.`,
    );
  if (!isUsable(found, now)) throw refused('key_id', `The API key ${keyId} is revoked or has expired.`);
  const expiresAt = expires === undefined ? undefined : expiryOf(expires, now);
  return { key: found.key, account: found.account, expiresAt };
}

/** A link to a stored result. It is valid until `expires` (Unix seconds), for anybody who has it. */
export function signFile(path: string, expires: number, serviceSecret: string): string {
  const link = `${path}?expires=${expires}`;
  return `${link}&signature=${mac(link, fileSecret(serviceSecret))}`;
}

/**
 * Throws unless `signFile` made the link and it has not expired. Returns when it expires, in Unix milliseconds. `url`
 * is path and query as in the request line.
 */
export function verifyFile(url: string, serviceSecret: string, now: number = Date.now()): number {
  const { path, expires, signature } = splitLink(url);
  if (!isSame(signature, mac(path, fileSecret(serviceSecret))))
    throw refused('signature', 'The signature of this link is wrong.');
  return expiryOf(expires, now);
}

// The service's secret signs other things too; a signature for one purpose must be useless for another.
const fileSecret = (serviceSecret: string): string => mac('links to files', serviceSecret);

type LinkParts = { path: string; signature: string; keyId: string | undefined; expires: string | undefined };

/**
 * Splits a link into everything before `&signature=`, which is the last parameter; the signature; the key's id and the
 * expiry. Anybody may send such a link, so it is read from its end, without a regular expression over its whole length.
 */
function splitLink(url: string): LinkParts {
  const end = url.length - signatureLength - signatureName.length;
  const path = url.slice(0, Math.max(0, end));
  const signature = url.slice(-signatureLength);
  const at = path.indexOf('?');
  if (at < 0 || !url.startsWith(signatureName, end) || !/^[0-9a-f]+$/.test(signature) || path.includes('#'))
    throw refused('signature', 'A signed link ends with &signature= and 64 hexadecimal digits in lower case.');
  const found = findInQuery(path.slice(at + 1), ['key_id', 'expires']);
  const once = (name: string): string | undefined => {
    const values = found.get(name) ?? [];
    // Given twice, the value is ambiguous.
    if (values.length > 1) throw refused(name, `${name} is given twice; give it once.`);
    return values[0];
  };
  return { path, signature, keyId: once('key_id'), expires: once('expires') };
}

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** In Unix milliseconds. */
function expiryOf(text: string | undefined, now: number): number {
  if (text === undefined || !/^\d{1,12}$/.test(text))
    throw refused('expires', 'expires must be a Unix time in whole seconds.');
  const expiresAt = Number(text) * 1000;
  if (expiresAt <= now) throw refused('expires', `This link expired at ${new Date(expiresAt).toISOString()}.`);
  return expiresAt;
}

const refused = (parameter: string, message: string): Problem =>
  new Problem('invalid_signature', { parameter, message });
