// Accounts as people make them, in the dashboard and on the command line: a mail address, and a password to sign
// in with.
import { invalidParameter } from '../kernel/errors.ts';
import type { PlanName } from '../kernel/plans.ts';
import { normalEmail } from '../store/accounts.ts';
import type { OpenStore } from '../store/open.ts';
import type { Account } from '../store/store.ts';
import { checkPassword, hashPassword } from './passwords.ts';

// What better-auth takes at sign-in (zod's pattern): an account whose address it refuses could never sign in.
const emailPattern = /^(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/** The address as it is stored; throws if it is none. */
export function checkEmail(text: string): string {
  const email = normalEmail(text);
  if (email.length > 254 || !emailPattern.test(email))
    throw invalidParameter('email', 'email must be an address such as you@example.com.');
  return email;
}

/** A person's name as it is stored; empty is taken from the address. */
export function checkName(text: string | undefined): string | undefined {
  const name = text?.trim();
  if (name !== undefined && (name.length > 100 || /\p{Cc}/u.test(name)))
    throw invalidParameter('name', 'name must be a text of at most 100 characters on one line.');
  return name === '' ? undefined : name;
}

export type AccountWish = {
  readonly email: string;
  readonly name?: string | undefined;
  readonly plan: PlanName;
  readonly admin?: boolean | undefined;
  /** Without one the account has keys but cannot sign in to the dashboard. */
  readonly password?: string | undefined;
};

/** What the store needs of a new account: checked, and the password hashed. */
export async function prepareAccount({ email, name, plan, admin, password }: AccountWish) {
  const checked = { email: checkEmail(email), name: checkName(name), plan, admin: admin ?? false };
  if (password === undefined) return checked;
  checkPassword(password);
  return { ...checked, passwordHash: await hashPassword(password) };
}

export async function createAccount(store: Pick<OpenStore, 'signIn'>, wish: AccountWish): Promise<Account> {
  return store.signIn.create(await prepareAccount(wish));
}

/** A new password; every session ends. */
export async function setPassword(
  store: Pick<OpenStore, 'signIn'>,
  accountId: string,
  password: string,
): Promise<void> {
  checkPassword(password);
  await store.signIn.setPassword(accountId, await hashPassword(password));
}
