// API keys: creating and authenticating them, and what each may be used for. Only the hash of a key is stored; the key
// itself is shown once.
import { hash } from 'node:crypto';
import { checkHost, withoutTrailingDot } from '../kernel/allowed-hosts.ts';
import { createBatchWriter } from '../kernel/batch-writer.ts';
import { invalidParameter, Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { randomText } from '../store/identifiers.ts';
import type { Account, ApiKey, Store } from '../store/store.ts';

const format = /^sk_live_[A-Za-z0-9]{32}$/;

const hashKey = (key: string): string => hash('sha256', key, 'hex');

export type KeyInput = {
  readonly accountId: string;
  readonly name: string;
  /** How many active keys the plan allows. */
  readonly limit: number;
  readonly expiresAt?: number | null;
  readonly allowedHosts?: readonly string[] | null;
  readonly allowedTemplates?: readonly string[] | null;
};

export type CreatedKey = {
  readonly key: ApiKey;
  /** The key itself. It cannot be read again. */
  readonly secret: string;
  readonly signingSecret: string;
};

export async function createKey(store: Pick<Store, 'keys'>, input: KeyInput): Promise<CreatedKey> {
  const secret = `sk_live_${randomText(32)}`;
  const signingSecret = randomText(43);
  const key = await store.keys.create(
    {
      id: `key_${randomText(12)}`,
      accountId: input.accountId,
      name: keyName(input.name),
      hash: hashKey(secret),
      first: secret.slice(0, 12),
      last: secret.slice(-4),
      signingSecret,
      expiresAt: input.expiresAt ?? null,
      allowedHosts: hostPatterns(input.allowedHosts),
      allowedTemplates: input.allowedTemplates?.length ? input.allowedTemplates : null,
    },
    input.limit,
  );
  if (key === undefined)
    throw new Problem('conflict', {
      message: `The plan allows ${input.limit} active ${input.limit === 1 ? 'key' : 'keys'}. Revoke one, or change the plan.`,
    });
  return { key, secret, signingSecret };
}

/** The name as it is stored. Throws if it is not valid. */
export function keyName(text: string): string {
  const name = text.trim();
  if (name.length === 0 || name.length > 100 || /\p{Cc}/u.test(name))
    throw invalidParameter('name', 'name must be a text of 1 to 100 characters on one line.');
  return name;
}

/** RFC 1035. */
const longestHost = 253;

/** The host names as they are stored. Throws if one is not valid. */
export const hostPatterns = (hosts: readonly string[] | null | undefined): string[] | null =>
  hosts?.length ? hosts.map(hostPattern) : null;

function hostPattern(text: string): string {
  const pattern = withoutTrailingDot(
    text
      .slice(0, longestHost + 3)
      .trim()
      .toLowerCase(),
  );
  const host = pattern.replace(/^\*\./, '');
  const url = URL.parse(`https://${host}/`);
  if (
    host === '' ||
    host.length > longestHost ||
    url === null ||
    url.host === '' ||
    url.pathname !== '/' ||
    /[@?#/*]|:\d*$/.test(host)
  )
    throw invalidParameter(
      'allowedHosts',
      `allowedHosts must be host names such as example.com or *.example.com, without a port; "${text.slice(0, 80)}" is none.`,
    );
  return (pattern.startsWith('*.') ? '*.' : '') + url.hostname;
}

/**
 * The key and its account. They are read from the store for every request, so that a revocation takes effect at once on
 * every machine. A text that cannot be a key never reaches the database.
 */
export async function authenticate(
  given: { readonly header?: string | readonly string[] | undefined; readonly query?: string | undefined },
  store: Pick<Store, 'keys'>,
  now: number = Date.now(),
): Promise<{ key: ApiKey; account: Account }> {
  const text = given.header?.length ? String(given.header) : (given.query ?? '');
  if (text === '') throw new Problem('missing_api_key');
  if (!format.test(text)) throw new Problem('invalid_api_key_format');
  const found = await store.keys.findByHash(hashKey(text));
  if (found === undefined || !isUsable(found, now)) throw new Problem('invalid_api_key');
  return found;
}

/** Not revoked, not expired, and the account is not disabled. */
export const isUsable = ({ key, account }: { key: ApiKey; account: Account }, now: number): boolean =>
  key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now) && !account.disabled;

/** Throws 403 if the key may not capture this host. */
export const checkAllowedHost = (key: Pick<ApiKey, 'allowedHosts'>, target: URL): void =>
  checkHost(key.allowedHosts, target);

/** Throws 403 if the key may not use this template. */
export function checkAllowedTemplate(key: Pick<ApiKey, 'allowedTemplates'>, template: string): void {
  if (key.allowedTemplates === null || key.allowedTemplates.includes(template)) return;
  throw new Problem('forbidden', {
    parameter: 'template',
    message: `This key may not use the template ${template}; it is limited to ${key.allowedTemplates.join(', ')}.`,
  });
}

export type KeyUse = {
  used(keyId: string): void;
  stop(): Promise<void>;
};

/** When each key was last used: noted for every request, written once a second for all keys. */
export function createKeyUse(keys: Pick<Store['keys'], 'touch'>, log: Log, everyMs = 1000): KeyUse {
  const writer = createBatchWriter<string>({
    what: 'The last use of keys',
    write: (ids) => keys.touch(ids, Date.now()),
    everyMs,
    limit: 100_000,
    log,
  });
  return { used: (keyId) => writer.add(keyId, keyId), stop: writer.stop };
}
