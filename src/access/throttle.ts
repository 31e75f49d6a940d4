// Slows down the guessing of passwords, for each account, from whatever address, and for each address, for whatever
// account. Both are kept in the database, so that a restart does not reset them.
import { hash } from 'node:crypto';
import { Problem } from '../kernel/errors.ts';
import { parseIp } from '../kernel/ip.ts';
import { normalEmail } from '../store/accounts.ts';
import type { AttemptPolicy, SignInTables } from '../store/sign-in-tables.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

// Four wrong attempts have no delay. Then 5 s, 10 s, 20 s … at most 5 minutes: about 300 guesses a day. The owner has to
// wait too, so the delay must stay short enough that a stranger cannot lock the owner out for hours.
const perAccount: AttemptPolicy = {
  delayFrom: 5,
  firstDelayMs: 5 * second,
  longestDelayMs: 5 * minute,
  forgetMs: 24 * hour,
};
// Many people of an office share an address. Successful sign-ins do not count.
const perAddress: AttemptPolicy = {
  delayFrom: 30,
  firstDelayMs: 10 * second,
  longestDelayMs: 10 * minute,
  forgetMs: hour,
};
const newAccounts: AttemptPolicy = { delayFrom: 10, firstDelayMs: minute, longestDelayMs: hour, forgetMs: hour };

// Each mail goes to somebody who may not have asked for it.
const mailsToOne: AttemptPolicy = { delayFrom: 3, firstDelayMs: 5 * minute, longestDelayMs: hour, forgetMs: 24 * hour };
const mailsFromAddress: AttemptPolicy = { delayFrom: 10, firstDelayMs: minute, longestDelayMs: hour, forgetMs: hour };

// A code of an authenticator app is valid for less than two minutes.
const oneUse: AttemptPolicy = {
  delayFrom: 1,
  firstDelayMs: 5 * minute,
  longestDelayMs: 5 * minute,
  forgetMs: 5 * minute,
};

/** Attempts older than this may be deleted. */
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
    /** Call it before checking a password. Accounts that do not exist are slowed down the same way. */
    async guess(email: string, address: string): Promise<void> {
      await attempt(addressSubject(address), perAddress);
      await attempt(accountSubject(email), perAccount);
    },
    async wasRight(email: string, address: string): Promise<void> {
      await tables.forgive(accountSubject(email));
      await tables.takeBack(addressSubject(address));
    },
    /** Before a link from a mail or an invitation, a code or a passkey is checked. */
    token: (address: string): Promise<void> => attempt(addressSubject(address), perAddress),
    tokenWasRight: (address: string): Promise<void> => tables.takeBack(addressSubject(address)),
    /** Is this the first use of this code by this account? */
    isFirstUse: async (accountId: string, code: string): Promise<boolean> =>
      (await tables.attempt(`code ${hash('sha256', `${accountId} ${code}`, 'hex')}`, oneUse, clock())) === 0,
    /** Before a mail is sent to this account. */
    async mail(email: string, address: string): Promise<void> {
      await attempt(`mail ${addressSubject(address)}`, mailsFromAddress);
      await attempt(`mail ${accountSubject(email)}`, mailsToOne);
    },
    newAccount: (address: string): Promise<void> => attempt(`new ${addressSubject(address)}`, newAccounts),
  };
}

// Hashed, because people type their password into the wrong field.
const accountSubject = (email: string): string => `account ${hash('sha256', normalEmail(email), 'hex')}`;
const addressSubject = (address: string): string => `address ${addressGroup(address)}`;

/**
 * Whoever has one IPv6 address usually has the 2^64 of its network, so a network counts as one. An IPv4 address counts
 * alone.
 */
export function addressGroup(address: string): string {
  // Behind a proxy that passes on what the client wrote, this may be any text; it becomes part of a row's key.
  const text = address.slice(0, 100).replace(/%.*$/, '').toLowerCase();
  const ip = parseIp(text);
  if (ip?.version !== 6) return text;
  if (ip.value >> 32n === 0xffffn) return dottedQuad(ip.value & 0xffffffffn);
  const groups = [112n, 96n, 80n, 64n].map((shift) => ((ip.value >> shift) & 0xffffn).toString(16));
  return `${groups.join(':')}::/64`;
}

const dottedQuad = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
