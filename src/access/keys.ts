// API keys: how they are made, who one belongs to, and what it may ask for. The key itself is shown once and
// kept nowhere; only its hash is.
import { hash } from 'node:crypto';
import { checkHost } from '../kernel/allowed-hosts.ts';
import { invalidParameter, Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { randomText } from '../store/identifiers.ts';
import type { Account, ApiKey, Store } from '../store/store.ts';

const format = /^sk_live_[A-Za-z0-9]{32}$/;

export const hashKey = (key: string): string => hash('sha256', key, 'hex');

export type KeyWish = {
  readonly accountId: string;
  readonly name: string;
  /** How many active keys the plan allows. */
  readonly limit: number;
  readonly expiresAt?: number | null;
  readonly allowedHosts?: readonly string[] | null;
  readonly allowedTemplates?: readonly string[] | null;
};

export type MadeKey = {
  readonly key: ApiKey;
  /** The key itself: this is the only time anybody sees it. */
  readonly secret: string;
  readonly signingSecret: string;
};

export async function createKey(store: Pick<Store, 'keys'>, wish: KeyWish): Promise<MadeKey> {
  const secret = `sk_live_${randomText(32)}`;
  const signingSecret = randomText(43);
  const key = await store.keys.create(
    {
      id: `key_${randomText(12)}`,
      accountId: wish.accountId,
      name: keyName(wish.name),
      hash: hashKey(secret),
      first: secret.slice(0, 12),
      last: secret.slice(-4),
      signingSecret,
      expiresAt: wish.expiresAt ?? null,
      allowedHosts: wish.allowedHosts?.length ? wish.allowedHosts.map(hostPattern) : null,
      allowedTemplates: wish.allowedTemplates?.length ? wish.allowedTemplates : null,
    },
    wish.limit,
  );
  if (key === undefined)
    throw new Problem('conflict', {
      message: `The plan allows ${wish.limit} active ${wish.limit === 1 ? 'key' : 'keys'}. Revoke one, or change the plan.`,
    });
  return { key, secret, signingSecret };
}

/** A name as it is stored: trimmed, and short enough for a list. */
export function keyName(text: string): string {
  const name = text.trim();
  if (name.length === 0 || name.length > 100 || /\p{Cc}/u.test(name))
    throw invalidParameter('name', 'name must be a text of 1 to 100 characters on one line.');
  return name;
}

/** RFC 1035. */
const longestHost = 253;

function hostPattern(text: string): string {
  const pattern = withoutDot(
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
    /[@?#/*]/.test(host)
  )
    throw invalidParameter(
      'allowedHosts',
      `allowedHosts must be host names such as example.com or *.example.com; "${text.slice(0, 80)}" is none.`,
    );
  return (pattern.startsWith('*.') ? '*.' : '') + url.hostname;
}

/**
 * Whose key is this? Read from the store for every request: that is what makes a revocation immediate, on every
 * machine. A text that cannot be a key never reaches the database.
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

/** Neither revoked nor expired, and of an account that is not disabled. */
export const isUsable = ({ key, account }: { key: ApiKey; account: Account }, now: number): boolean =>
  key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now) && !account.disabled;

/** Throws the 403 of a key that may not capture this host. */
export const checkAllowedHost = (key: Pick<ApiKey, 'allowedHosts'>, target: URL): void =>
  checkHost(key.allowedHosts, target);

/** Throws the 403 of a key that may not use this template. */
export function checkAllowedTemplate(key: Pick<ApiKey, 'allowedTemplates'>, template: string): void {
  if (key.allowedTemplates === null || key.allowedTemplates.includes(template)) return;
  throw new Problem('forbidden', {
    parameter: 'template',
    message: `This key may not use the template ${template}; it is limited to ${key.allowedTemplates.join(', ')}.`,
  });
}

const withoutDot = (host: string): string => host.replace(/\.$/, '');

export type KeyUse = {
  used(keyId: string): void;
  /** Writes what is still unwritten. */
  stop(): Promise<void>;
};

/** When a key was last used: noted for every request, written once a second for all of them. */
export function createKeyUse(keys: Pick<Store['keys'], 'touch'>, log: Log, everyMs = 1000): KeyUse {
  let unwritten = new Set<string>();
  let writing: Promise<void> | undefined;

  const write = async () => {
    const ids = unwritten;
    unwritten = new Set();
    try {
      await keys.touch([...ids], Date.now());
    } catch (error) {
      // The database is away: these wait for the next turn, one entry a key.
      for (const id of ids) unwritten.add(id);
      log.warn({ reason: (error as Error).message }, 'The last use of keys could not be written yet.');
    }
  };
  const flush = () => {
    if (unwritten.size === 0 || writing !== undefined) return;
    writing = write().finally(() => {
      writing = undefined;
    });
  };
  const timer = setInterval(flush, everyMs).unref();

  return {
    used: (keyId) => void unwritten.add(keyId),
    async stop() {
      clearInterval(timer);
      await writing;
      flush();
      await writing;
    },
  };
}
