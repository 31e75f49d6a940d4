// Slows down the guessing of passwords, for each account, from whatever address, and for each address, for whatever
// account. Both are kept in the database, so that a restart does not reset them. An attempt is counted when there is room
// for it: who is turned away for lack of room has not failed.
import { hash } from 'node:crypto';
import { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { createFairSemaphore } from '../kernel/fair-semaphore.ts';
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

// A hash takes a thread that also reads files and encodes images. One is for people who sign in from where they have signed
// in before, one for all others, each in turns by network: no flood of strangers takes both.
const mayWait = 50;
const longestWaitMs = 30 * second;

/** Attempts older than this may be deleted. */
export const longestMemoryMs = 24 * hour;

/** Without an e-mail address if there is no account yet. */
type Person = { readonly email?: string; readonly address: string };

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
  const knownPlaces = createFairSemaphore(1, mayWait);
  const otherPlaces = createFairSemaphore(1, mayWait);
  const isKnown = (email: string | undefined, address: string) =>
    email !== undefined && tables.knowsAddress(email, addressGroup(address));

  async function inRoom<T>(person: Person, work: (isKnown: boolean) => Promise<T>): Promise<T> {
    const { email, address } = person;
    const known = await isKnown(email, address);
    const deadline = new Deadline(longestWaitMs, 'Signing in');
    const places = known ? knownPlaces : otherPlaces;
    const release = await places.acquire(networkOf(address), deadline).finally(() => deadline.done());
    try {
      return await work(known);
    } finally {
      release();
    }
  }

  return {
    /** All work with passwords, which takes long: it waits until there is room, or is refused. */
    inRoom: <T>(person: Person, work: () => Promise<T>): Promise<T> => inRoom(person, work),

    /**
     * Counts an attempt and makes it; it is taken back if `check` succeeds. Accounts that do not exist are slowed down the same
     * way. What others try elsewhere does not slow down the owner, from where the owner has signed in before.
     */
    guess: <T>(email: string, address: string, check: () => Promise<T>): Promise<T> =>
      inRoom({ email, address }, async (known) => {
        const subject = known ? `${accountSubject(email)} ${addressGroup(address)}` : accountSubject(email);
        await attempt(addressSubject(address), perAddress);
        await attempt(subject, perAccount);
        const right = await check();
        await tables.forgive(subject);
        await tables.takeBack(addressSubject(address));
        return right;
      }),
    /** Somebody with a session signs in from here. */
    signedIn: (accountId: string, address: string): Promise<void> =>
      tables.rememberAddress(accountId, addressGroup(address), clock()),
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
    /** Counts the making of an account, and makes it. */
    newAccount: <T>(address: string, make: () => Promise<T>): Promise<T> =>
      inRoom({ address }, async () => {
        await attempt(`new ${addressSubject(address)}`, newAccounts);
        return make();
      }),
  };
}

// Hashed, because people type their password into the wrong field.
const accountSubject = (email: string): string => `account ${hash('sha256', normalEmail(email), 'hex')}`;
const addressSubject = (address: string): string => `address ${addressGroup(address)}`;

/**
 * Whoever has one IPv6 address usually has the 2^64 of its network, so a network counts as one. An IPv4 address counts
 * alone.
 */
export const addressGroup = (address: string): string => groupOf(address, 4, 4);

/** What one provider gives to one customer: turns are taken by it. */
const networkOf = (address: string): string => groupOf(address, 3, 3);

/** The address without what comes after the first numbers of an IPv4 or IPv6 address. */
function groupOf(address: string, ofFour: number, ofSix: number): string {
  // Behind a proxy that passes on what the client wrote, this may be any text; it becomes part of a row's key.
  const text = address.slice(0, 100).replace(/%.*$/, '').toLowerCase();
  const ip = parseIp(text);
  if (ip === undefined) return text;
  if (ip.version === 4 || ip.value >> 32n === 0xffffn) {
    const bytes = [24n, 16n, 8n, 0n].map((shift) => (ip.value >> shift) & 0xffn);
    return bytes.slice(0, ofFour).join('.');
  }
  const groups = [112n, 96n, 80n, 64n].map((shift) => ((ip.value >> shift) & 0xffffn).toString(16));
  return `${groups.slice(0, ofSix).join(':')}::/${16 * ofSix}`;
}
