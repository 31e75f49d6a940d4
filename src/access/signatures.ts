// Links that need no key. A signed link acts for an API key, so that an og:image can stand in public HTML; a
// file link opens one stored result. Both carry an HMAC-SHA256 over path and query exactly as they are sent.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from '../kernel/errors.ts';
import { readQuery } from '../kernel/parameters.ts';
import type { Account, ApiKey, Store } from '../store/store.ts';
import { isUsable } from './keys.ts';

const mac = (text: string, secret: string): string => createHmac('sha256', secret).update(text).digest('hex');

/** Everything before `&signature=`, which comes last, and the signature. */
const signedPart = /^([^#]*\?[^#]*)&signature=([0-9a-f]{64})$/;

/** Path and query with the key's id, the expiry if there is one, and the signature. */
export function signLink(link: {
  /** Such as `/v1/og?template=quote&title=Hello`. */
  readonly path: string;
  readonly keyId: string;
  readonly secret: string;
  /** Unix seconds; without it the link lives as long as the key. */
  readonly expires?: number | undefined;
}): string {
  const joint = link.path.includes('?') ? (/[?&]$/.test(link.path) ? '' : '&') : '?';
  const expires = link.expires === undefined ? '' : `&expires=${link.expires}`;
  const path = `${link.path}${joint}key_id=${link.keyId}${expires}`;
  return `${path}&signature=${mac(path, link.secret)}`;
}

/** Whose link is this? `url` is path and query as they came in the request line. */
export async function authenticateLink(
  url: string,
  store: Pick<Store, 'keys'>,
  now: number = Date.now(),
): Promise<{ key: ApiKey; account: Account }> {
  const { path, query, signature } = takeApart(url);
  const keyId = query.get('key_id') ?? '';
  if (!/^key_[A-Za-z0-9]{1,40}$/.test(keyId)) throw new Problem('invalid_signature');
  const found = await store.keys.findForSigning(keyId);
  // An unknown key costs the same comparison as a wrong signature.
  const right = isSame(signature, mac(path, found?.signingSecret ?? keyId));
  if (found === undefined || !right || !isUsable(found, now)) throw new Problem('invalid_signature');
  if (query.has('expires')) checkExpiry(query.get('expires'), now);
  return { key: found.key, account: found.account };
}

/** A link to a stored result: opens until `expires` (Unix seconds), for whoever has it. */
export function signFile(path: string, expires: number, serviceSecret: string): string {
  const link = `${path}?expires=${expires}`;
  return `${link}&signature=${mac(link, fileSecret(serviceSecret))}`;
}

/** Throws unless the link, as it came in the request line, is one that `signFile` made and that has not run out. */
export function verifyFile(url: string, serviceSecret: string, now: number = Date.now()): void {
  const { path, query, signature } = takeApart(url);
  if (!isSame(signature, mac(path, fileSecret(serviceSecret)))) throw new Problem('invalid_signature');
  checkExpiry(query.get('expires'), now);
}

// The service's secret signs other things, too; what is signed for one purpose must be worthless for another.
const fileSecret = (serviceSecret: string): string => mac('links to files', serviceSecret);

function takeApart(url: string): { path: string; query: Map<string, string>; signature: string } {
  const [, path = '', signature = ''] = signedPart.exec(url) ?? [];
  try {
    return { path, query: readQuery(path.slice(path.indexOf('?') + 1)), signature };
  } catch (error) {
    // A name given twice or a broken escape: nobody signs that, and which key it names is not clear.
    throw new Problem('invalid_signature', { cause: error });
  }
}

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** An expiry that cannot be read has run out. */
function checkExpiry(text: string | undefined, now: number): void {
  if (text === undefined || !/^\d{1,12}$/.test(text) || Number(text) * 1000 <= now)
    throw new Problem('invalid_signature');
}
