// Guessing passwords is made slow, in two ways: for an account, wherever the guesses come from, and for an
// address, whatever accounts it tries. Both are kept in the database: a restart forgives nobody.
import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { Problem } from '../kernel/errors.ts';
import { normalEmail } from '../store/accounts.ts';
import type { AttemptPolicy, SignInTables } from '../store/sign-in-tables.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

// Four mistakes are human. Then 5 s, 10 s, 20 s … at most 5 minutes: about 300 guesses a day, and the owner, who
// has to wait as well, is not locked out for hours by a stranger.
const perAccount: AttemptPolicy = {
  free: 5,
  firstDelayMs: 5 * second,
  longestDelayMs: 5 * minute,
  forgetMs: 24 * hour,
};
// An office shares an address. Good sign-ins do not count.
const perAddress: AttemptPolicy = { free: 30, firstDelayMs: 10 * second, longestDelayMs: 10 * minute, forgetMs: hour };
const newAccounts: AttemptPolicy = { free: 10, firstDelayMs: minute, longestDelayMs: hour, forgetMs: hour };

/** What is older than this may be dropped. */
export const longestMemoryMs = 24 * hour;

export type Throttle = ReturnType<typeof createThrottle>;

export function createThrottle(tables: SignInTables, clock: () => number) {
  const attempt = async (subject: string, policy: AttemptPolicy) => {
    const wait = await tables.attempt(subject, policy, clock());
    if (wait === 0) return;
    const seconds = Math.ceil(wait / second);
    throw new Problem('rate_limited', {
      retryAfter: seconds,
      message: `Too many attempts. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    });
  };
  return {
    /** Before a password is looked at. An account that does not exist is slowed down just the same. */
    async guess(email: string, address: string): Promise<void> {
      await attempt(addressSubject(address), perAddress);
      await attempt(accountSubject(email), perAccount);
    },
    async wasRight(email: string, address: string): Promise<void> {
      await tables.forgive(accountSubject(email));
      await tables.takeBack(addressSubject(address));
    },
    newAccount: (address: string): Promise<void> => attempt(`new ${addressSubject(address)}`, newAccounts),
  };
}

// Hashed: people type their password into the wrong field.
const accountSubject = (email: string): string => `account ${hash('sha256', normalEmail(email), 'hex')}`;
const addressSubject = (address: string): string => `address ${addressGroup(address)}`;

/** Who has one IPv6 address has 2^64 of them: they count as one. An IPv4 address counts by itself. */
export function addressGroup(address: string): string {
  // Where a proxy passes on what a client wrote, this may be any text: it becomes the name of a row.
  const plain = address.slice(0, 100).replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined || !isIPv6(plain)) return mapped ?? plain;
  // The URL parser writes every IPv6 address in one way, dotted quads included; only "::" is left to fill in.
  const [head = '', tail] = new URL(`http://[${plain}]/`).hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const all = [...groups, ...Array<string>(8 - groups.length - after.length).fill('0'), ...after];
  return `${all.slice(0, 4).join(':')}::/64`;
}
