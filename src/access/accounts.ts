// Creates accounts, for the dashboard and the command line: an e-mail address and a password.
import { invalidParameter, Problem } from '../kernel/errors.ts';
import type { PlanName } from '../kernel/plans.ts';
import { normalEmail } from '../store/accounts.ts';
import type { OpenStore } from '../store/open.ts';
import type { Account } from '../store/store.ts';
import { checkPassword, hashPassword } from './passwords.ts';

// The pattern that better-auth applies at sign-in (from zod): an account with another address could never sign in.
const emailPattern = /^(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/** The address as it is stored. Throws if it is not valid. */
export function checkEmail(text: string): string {
  const email = normalEmail(text);
  if (email.length > 254 || !emailPattern.test(email))
    throw invalidParameter('email', 'email must be an address such as you@example.com.');
  return email;
}

/** The name as it is stored; undefined if it is empty, and then taken from the address. */
export function checkName(text: string | undefined): string | undefined {
  const name = text?.trim();
  if (name !== undefined && (name.length > 100 || /\p{Cc}/u.test(name)))
    throw invalidParameter('name', 'name must be a text of at most 100 characters on one line.');
  return name === '' ? undefined : name;
}

export type AccountInput = {
  readonly email: string;
  readonly name?: string | undefined;
  readonly plan: PlanName;
  readonly admin?: boolean | undefined;
  /** Without a password the account can have keys but cannot sign in to the dashboard. */
  readonly password?: string | undefined;
};

/** A new account as the store needs it: validated, and with a hashed password. */
export async function prepareAccount({ email, name, plan, admin, password }: AccountInput) {
  const checked = { email: checkEmail(email), name: checkName(name), plan, admin: admin ?? false };
  if (password === undefined) return checked;
  checkPassword(password);
  return { ...checked, passwordHash: await hashPassword(password) };
}

export async function createAccount(store: Pick<OpenStore, 'signIn'>, input: AccountInput): Promise<Account> {
  return store.signIn.create(await prepareAccount(input));
}

/** Without an administrator nobody could invite, or choose plans. */
export const lastAdministrator = (parameter?: string): Problem =>
  new Problem('conflict', {
    ...(parameter !== undefined && { parameter }),
    message: 'This is the last administrator. Promote somebody else first.',
  });

/** Sets a new password and ends every session, except the one of this token. */
export async function setPassword(
  store: Pick<OpenStore, 'signIn'>,
  accountId: string,
  password: string,
  exceptToken?: string,
): Promise<void> {
  checkPassword(password);
  await store.signIn.setPassword(accountId, await hashPassword(password), exceptToken);
}
