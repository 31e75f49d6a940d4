// What the house remembers, as an interface: accounts, keys, the index of the cache, usage, and a few
// named values of the service itself. Times are Unix milliseconds. Implemented once, on Kysely.
import type { PlanName } from '../kernel/plans.ts';
import type { VerdictCode } from '../kernel/verdict.ts';

export type Account = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly admin: boolean;
  readonly disabled: boolean;
  readonly createdAt: number;
};

export type ApiKey = {
  /** Public, in signed links and in `key revoke ID`. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The first 12 and last 4 characters of the key: what a person may see of it after creation. */
  readonly first: string;
  readonly last: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
  /** Host names this key may capture, or null for all. `*.example.com` covers subdomains. */
  readonly allowedHosts: readonly string[] | null;
  readonly allowedTemplates: readonly string[] | null;
};

export type NewKey = Pick<ApiKey, 'accountId' | 'name' | 'first' | 'last'> & {
  readonly id: string;
  readonly hash: string;
  readonly signingSecret: string;
  readonly expiresAt?: number | null;
  readonly allowedHosts?: readonly string[] | null;
  readonly allowedTemplates?: readonly string[] | null;
};

/** One row of the cache's index. The bytes are in the cache's files. */
export type CacheEntry = {
  readonly key: string;
  readonly accountId: string;
  /** SHA-256 of the bytes: their file name, checksum and ETag. */
  readonly hash: string;
  readonly size: number;
  readonly type: string;
  /** The metadata object of the answer, as JSON. */
  readonly meta: string;
  readonly createdAt: number;
  readonly usedAt: number;
  /** Lives no longer than this many milliseconds, whatever the plan says; null = the plan decides. */
  readonly maxAgeMs: number | null;
  /** From this time on it is of no use to anybody. */
  readonly keptUntil: number;
};

/** What an eviction needs to know of an entry. */
export type CacheItem = Pick<CacheEntry, 'key' | 'size'>;

export type Outcome = 'render' | 'hit' | 'error';

export type RequestRecord = {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly at: number;
  readonly endpoint: 'screenshot' | 'og';
  readonly status: number;
  readonly outcome: Outcome;
  /** The error's code, null for a success. */
  readonly code: string | null;
  readonly renderMs: number | null;
  readonly totalMs: number;
  /** JSON objects, as text. Never a key in them. */
  readonly parameters: string;
  readonly phases: string;
  readonly warnings: string;
  /** The result's cache entry, for a thumbnail; null for errors. */
  readonly cacheKey: string | null;
  /** The codes of the capture's verdict, separated by commas; empty if it is ok, null where there is none. */
  readonly verdict: string | null;
};

/** Captures with this code, with any, or with none. */
export type VerdictFilter = VerdictCode | 'any' | 'ok';

export type UsageBucket = {
  readonly at: number;
  readonly renders: number;
  readonly hits: number;
  readonly errors: number;
};

export interface Store {
  readonly accounts: {
    create(account: { email: string; name?: string; plan: PlanName; admin?: boolean }): Promise<Account>;
    byId(id: string): Promise<Account | undefined>;
    byEmail(email: string): Promise<Account | undefined>;
    list(): Promise<Account[]>;
    setPlan(id: string, plan: PlanName): Promise<void>;
    setDisabled(id: string, disabled: boolean): Promise<void>;
    setName(id: string, name: string): Promise<void>;
    /** Removes the account with its keys, sessions, usage and cache index. */
    remove(id: string): Promise<void>;
    adminExists(): Promise<boolean>;
  };
  readonly keys: {
    /** Makes the key unless the account has `limit` active ones; then undefined. Atomic. */
    create(key: NewKey, limit: number): Promise<ApiKey | undefined>;
    /** One indexed read with the account joined: what every request does. */
    findByHash(hash: string): Promise<{ key: ApiKey; account: Account } | undefined>;
    /** For signed links: with the secret. */
    findForSigning(id: string): Promise<{ key: ApiKey; account: Account; signingSecret: string } | undefined>;
    list(accountId: string): Promise<ApiKey[]>;
    rename(accountId: string, id: string, name: string): Promise<boolean>;
    /** False if there is no such active key (of this account, when one is given). */
    revoke(id: string, accountId?: string): Promise<boolean>;
    touch(ids: readonly string[], at: number): Promise<void>;
  };
  readonly cache: {
    find(key: string): Promise<CacheEntry | undefined>;
    /** Inserts or replaces. Gives back the hash that was replaced, if it is used by no other entry. */
    put(entry: CacheEntry): Promise<string | undefined>;
    touch(keys: readonly string[], at: number): Promise<void>;
    /** Removes entries; gives back the hashes no entry uses any more. */
    remove(keys: readonly string[]): Promise<string[]>;
    /** Entries that are of no use to anybody any more. */
    useless(now: number, count: number): Promise<CacheItem[]>;
    /** Of this account, what it misses least: results past their TTL, oldest first; if there are none, the least recently used. */
    leastWanted(accountId: string, now: number, count: number): Promise<CacheItem[]>;
    /** Every account that keeps something, with how much. */
    accounts(): Promise<{ accountId: string; bytes: number }[]>;
    /** Newest first. */
    ofAccount(accountId: string, count: number, before?: number, verdict?: VerdictFilter): Promise<CacheEntry[]>;
    totals(): Promise<{ entries: number; bytes: number }>;
    hasHash(hash: string): Promise<boolean>;
  };
  readonly usage: {
    /** Writes many at once; adds them up into hours, too. */
    record(requests: readonly RequestRecord[]): Promise<void>;
    /** Sums by hour or day (UTC), oldest first, for the account and optionally one key. */
    buckets(
      accountId: string,
      range: { from: number; to: number; by: 'hour' | 'day'; keyId?: string },
    ): Promise<UsageBucket[]>;
    byKey(accountId: string, from: number): Promise<{ keyId: string; renders: number; hits: number; errors: number }[]>;
    /** Newest first. */
    recent(
      accountId: string,
      filter: { count: number; before?: number; keyId?: string; outcome?: Outcome; verdict?: VerdictFilter },
    ): Promise<RequestRecord[]>;
    renderTimes(accountId: string, from: number): Promise<{ p50: number; p95: number } | undefined>;
    prune(before: number): Promise<void>;
  };
  readonly values: {
    get(name: string): Promise<string | undefined>;
    set(name: string, value: string): Promise<void>;
    /** Sets it unless it is there; gives back the value that stands. */
    setIfAbsent(name: string, value: string): Promise<string>;
  };
  /** Throws `storage_unavailable` if the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
