// The interface of the store: accounts, keys, the index of the cache, usage, and a few named values of the service
// itself. Times are Unix milliseconds. There is one implementation, on Kysely.

import type { PlanName } from '../kernel/plans.ts';
import type { VerdictFilter } from '../kernel/verdict.ts';
import type { JobStore } from './job-types.ts';
import type { OwnTemplateStore } from './own-templates.ts';

export type Account = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly admin: boolean;
  readonly disabled: boolean;
  /** A password alone does not sign in: a code is needed too. */
  readonly twoFactor: boolean;
  readonly createdAt: number;
};

export type ApiKey = {
  /** Public: it is used in signed links and in `key revoke ID`. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The first 12 and last 4 characters of the key, for display. */
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
  /** The metadata object of the response, as JSON. */
  readonly meta: string;
  readonly createdAt: number;
  readonly usedAt: number;
  /** The maximum age in milliseconds, if it is shorter than the plan's; null = the plan decides. */
  readonly maxAgeMs: number | null;
  /** The hash of the page's address or of the template's name: see render/subject.ts. Null for a page that was sent. */
  readonly subject: string | null;
  /** From this time on, nobody can use it. */
  readonly keptUntil: number;
};

/** What an eviction needs to know about an entry. */
export type CacheItem = Pick<CacheEntry, 'key' | 'size'>;

/** Requests with one outcome within an hour. */
export type RequestCount = Pick<RequestRecord, 'accountId' | 'keyId' | 'at' | 'outcome'> & { readonly count: number };

export type UsageOutcome = 'render' | 'hit' | 'error';

export type RequestRecord = {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly at: number;
  readonly endpoint: 'screenshot' | 'og' | 'content';
  readonly status: number;
  readonly outcome: UsageOutcome;
  /** The error's code, null for a success. */
  readonly code: string | null;
  readonly renderMs: number | null;
  readonly totalMs: number;
  /** JSON texts. They contain no API key. */
  readonly parameters: string;
  readonly phases: string;
  readonly warnings: string;
  /** The result's cache entry, for a thumbnail; null for errors. */
  readonly cacheKey: string | null;
  /** The codes of the capture's verdict, separated by commas; empty if it is ok, null without a verdict. */
  readonly verdict: string | null;
};

export type UsageBucket = {
  readonly at: number;
  readonly renders: number;
  readonly hits: number;
  readonly errors: number;
};

export type Invitation = {
  readonly id: string;
  /** The address of the account, if the administrator chose it. */
  readonly email: string | null;
  readonly plan: PlanName;
  readonly admin: boolean;
  /** The administrator's account id. */
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

const adminActions = [
  'plan_changed',
  'account_disabled',
  'account_enabled',
  'promoted',
  'demoted',
  'password_set',
  'two_factor_removed',
  'invitation_created',
  'invitation_withdrawn',
  'cache_purged',
] as const;

/** Something an administrator did, with the addresses as they were. */
export type AdminAction = {
  readonly at: number;
  readonly actorId: string;
  readonly actor: string;
  readonly action: (typeof adminActions)[number];
  readonly target: string | null;
  readonly details: string | null;
};

/** The row of a list, newest first, after which the next page begins. Several rows may be of the same millisecond. */
export type Cursor = { readonly at: number; readonly id: string };

export interface Store {
  readonly ownTemplates: OwnTemplateStore;
  readonly accounts: {
    create(account: { email: string; name?: string; plan: PlanName; admin?: boolean }): Promise<Account>;
    byId(id: string): Promise<Account | undefined>;
    byEmail(email: string): Promise<Account | undefined>;
    list(): Promise<Account[]>;
    setPlan(id: string, plan: PlanName): Promise<void>;
    /** False if no administrator would be left who can sign in; nothing is changed then. */
    setDisabled(id: string, disabled: boolean): Promise<boolean>;
    /** False if no administrator would be left who can sign in; nothing is changed then. */
    setAdmin(id: string, admin: boolean): Promise<boolean>;
    setName(id: string, name: string): Promise<void>;
    /** Removes the account with its keys, sessions, usage, jobs and cache index. */
    remove(id: string): Promise<void>;
    adminExists(): Promise<boolean>;
  };
  readonly keys: {
    /** Creates the key, or returns undefined if the account has `limit` active keys already. Atomic. */
    create(key: NewKey, limit: number): Promise<ApiKey | undefined>;
    /** One indexed read, with the account joined. Every request does it. */
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
    /** Inserts or replaces. Returns the hash that was replaced, if no other entry uses it. */
    put(entry: CacheEntry): Promise<string | undefined>;
    touch(keys: readonly string[], at: number): Promise<void>;
    /** Removes entries and returns the hashes that no entry uses any more. */
    remove(keys: readonly string[]): Promise<string[]>;
    /** Entries past their `keptUntil`. */
    expired(now: number, count: number): Promise<CacheItem[]>;
    /**
     * The entries of the account to evict first: those past their TTL, oldest first; otherwise the least recently used.
     */
    evictable(accountId: string, now: number, count: number): Promise<CacheItem[]>;
    /** Every account that has entries, or this one, with their total size and the account's plan; it may be gone. */
    accounts(accountId?: string): Promise<{ accountId: string; bytes: number; plan: PlanName | null }[]>;
    /** The account's entries of this subject, in some order. */
    bySubject(accountId: string, subject: string, count: number): Promise<CacheItem[]>;
    /** Newest first. */
    ofAccount(
      accountId: string,
      count: number,
      filter?: {
        before?: Cursor | undefined;
        verdict?: VerdictFilter | undefined;
        /** Only those that are younger than this, and than an age of their own. */
        alive?: { now: number; ttlMs: number };
      },
    ): Promise<CacheEntry[]>;
    totals(): Promise<{ entries: number; bytes: number }>;
    hasHash(hash: string): Promise<boolean>;
  };
  readonly usage: {
    /**
     * Writes the records, and adds them to the sums of their hours. Of an account that then has more bytes of records than
     * its plan allows, the oldest are removed.
     */
    record(requests: readonly RequestRecord[], most?: Readonly<Record<PlanName, number>>): Promise<void>;
    /** Adds to the sums of their hours only. */
    count(counts: readonly RequestCount[]): Promise<void>;
    /** Sums by hour or day (UTC), oldest first, for the account and optionally one key. */
    buckets(
      accountId: string,
      range: { from: number; to: number; by: 'hour' | 'day'; keyId?: string },
    ): Promise<UsageBucket[]>;
    byKey(accountId: string, from: number): Promise<{ keyId: string; renders: number; hits: number; errors: number }[]>;
    /** The sums of every account that was active since then. */
    byAccount(from: number): Promise<{ accountId: string; renders: number; hits: number; errors: number }[]>;
    /** Newest first. */
    recent(
      accountId: string,
      filter: { count: number; before?: Cursor; keyId?: string; outcome?: UsageOutcome; verdict?: VerdictFilter },
    ): Promise<RequestRecord[]>;
    renderTimes(accountId: string, from: number, keyId?: string): Promise<{ p50: number; p95: number } | undefined>;
    prune(before: number): Promise<void>;
  };
  /** Renders counted toward a monthly allowance. `month` is its first millisecond (UTC). */
  readonly quota: {
    /** Counts one render, unless `limit` are counted already. Returns the new number, or undefined. Atomic. */
    take(accountId: string, month: number, limit: number): Promise<number | undefined>;
    giveBack(accountId: string, month: number): Promise<void>;
    /** What is counted; without a counter, what the account has rendered in the month. */
    used(accountId: string, month: number): Promise<number>;
    /** Deletes the counters of earlier months. */
    prune(before: number): Promise<void>;
  };
  readonly invitations: {
    create(invitation: Invitation & { readonly tokenHash: string }): Promise<void>;
    /** The one of this token, unless it has expired. */
    find(tokenHash: string, now: number): Promise<Invitation | undefined>;
    /** Those that can still be accepted, newest first. */
    list(now: number): Promise<Invitation[]>;
    /** Returns the one that was removed. */
    remove(id: string): Promise<Invitation | undefined>;
    prune(now: number): Promise<void>;
  };
  readonly audit: {
    add(action: AdminAction): Promise<void>;
    /** Newest first. */
    list(count: number, before?: Cursor): Promise<(AdminAction & { readonly id: string })[]>;
    prune(before: number): Promise<void>;
  };
  readonly jobs: JobStore;
  readonly values: {
    get(name: string): Promise<string | undefined>;
    set(name: string, value: string): Promise<void>;
    /** Sets the value if there is none. Returns the value that is stored. */
    setIfAbsent(name: string, value: string): Promise<string>;
  };
  /** Throws `storage_unavailable` if the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
