// A second factor beside the password: codes of an authenticator app, and backup codes for when it is lost. better-auth's
// plugin locks an account for 15 minutes after ten wrong codes, and ends a sign-in after five.
import { Problem } from '../kernel/errors.ts';
import { rethrowDatabaseFaults } from '../store/database.ts';
import type { OpenStore } from '../store/open.ts';
import type { Account } from '../store/store.ts';
import type { Auth } from './auth.ts';
import { asProblem, type Cookies, headersOf, type Visitor } from './session-cookies.ts';
import { isUnreadable } from './sign-in-secret.ts';
import type { Throttle } from './throttle.ts';

export function createSecondFactor(parts: {
  store: Pick<OpenStore, 'signIn'>;
  auth: () => Promise<Auth>;
  throttle: Throttle;
  needSession: (visitor: Visitor) => Promise<{ account: Account }>;
  /** Throws unless it is the account's password. */
  confirmPassword: (account: Account, password: string, visitor: Visitor, parameter: string) => Promise<void>;
}) {
  const { store, auth, throttle, needSession, confirmPassword } = parts;
  const wrongCode = () => new Problem('forbidden', { parameter: 'code', message: 'The code is wrong or out of date.' });

  const unreadable = () =>
    new Problem('conflict', {
      message:
        'The two-factor data of this account was encrypted with another secret of the service. An administrator can turn two-factor sign-in off; the operator can with: tintype account two-factor-off EMAIL',
    });

  /** Many apps show the digits in two groups. */
  const withoutSpaces = (text: string): string => text.slice(0, 100).replaceAll(/\s/g, '');
  const isOfTheApp = (code: string): boolean => /^\d{6}$/.test(code);

  /** A code of the app has six digits; anything else is taken for a backup code. */
  async function verify(text: string, visitor: Visitor): Promise<Cookies> {
    await throttle.token(visitor.address);
    const code = withoutSpaces(text);
    const { api } = await auth();
    const input = { body: { code }, headers: headersOf(visitor), returnHeaders: true } as const;
    const { headers, response } = await rethrowDatabaseFaults(() =>
      isOfTheApp(code) ? api.verifyTOTP(input) : api.verifyBackupCode(input),
    ).catch((error: unknown) => {
      throw isUnreadable(error) ? unreadable() : asProblem(error, wrongCode);
    });
    // Who has watched a code being typed must not sign in with it, too.
    if (isOfTheApp(code) && !(await throttle.isFirstUse(response.user.id, code))) {
      if (response.token) await store.signIn.endSession(response.token);
      throw wrongCode();
    }
    await throttle.tokenWasRight(visitor.address);
    return headers.getSetCookie();
  }

  return {
    /** The second step of a sign-in; the cookie of the first one says whose. */
    verify,

    /** A new secret for an app, not yet in force, and backup codes. */
    async begin(password: string, visitor: Visitor): Promise<{ uri: string; backupCodes: readonly string[] }> {
      const { account } = await needSession(visitor);
      if ((await store.signIn.passwordHash(account.id)) === undefined)
        throw new Problem('conflict', { message: 'This account has no password to which a code could be added.' });
      await confirmPassword(account, password, visitor, 'password');
      const { api } = await auth();
      const made = await throttle
        .inRoom({ email: account.email, address: visitor.address }, () =>
          rethrowDatabaseFaults(() =>
            api.enableTwoFactor({ body: { password, method: 'totp' }, headers: headersOf(visitor) }),
          ),
        )
        .catch((error: unknown) => {
          throw asProblem(error, () => new Problem('conflict', { message: 'Two-factor sign-in is on already.' }));
        });
      if (made.method !== 'totp') throw new Problem('internal_error');
      return { uri: made.totpURI, backupCodes: made.backupCodes };
    },

    /** Puts the secret in force: a code shows that the app has it. Only a code of the app will do. */
    async confirm(code: string, visitor: Visitor): Promise<Cookies> {
      await needSession(visitor);
      if (!isOfTheApp(withoutSpaces(code))) throw wrongCode();
      return verify(code, visitor);
    },

    async remove(password: string, visitor: Visitor): Promise<void> {
      const { account } = await needSession(visitor);
      await confirmPassword(account, password, visitor, 'password');
      await store.signIn.removeTwoFactor(account.id);
    },
  };
}
