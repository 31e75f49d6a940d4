// Sign-in to the dashboard, as functions for the HTTP layer. They take what is known about the visitor and return the
// cookies to set. The HTTP layer checks origin and method.
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { BetterAuthPlugin } from 'better-auth';
import { Problem } from '../kernel/errors.ts';
import { lazily } from '../kernel/lazily.ts';
import type { Log } from '../kernel/log.ts';
import { defaultPlan, type PlanName } from '../kernel/plans.ts';
import { rethrowDatabaseFaults } from '../store/database.ts';
import type { OpenStore } from '../store/open.ts';
import { serviceSecretName } from '../store/service-secret.ts';
import type { Account } from '../store/store.ts';
import { createAccount, lastAdministrator, setPassword } from './accounts.ts';
import { type Auth, cookiePrefix, createAuth, passkeyPlugin } from './auth.ts';
import { createInvitations } from './invitations.ts';
import { createMailer } from './mail.ts';
import { createPasskeys } from './passkeys.ts';
import { createPasswordReset } from './password-reset.ts';
import { checkPassword, isTooLong, verifyPassword } from './passwords.ts';
import { createProviders, type ProviderSettings } from './providers.ts';
import { createSecondFactor } from './second-factor.ts';
import { type Cookies, cookieOf, headersOf, isRefusal, type Visitor } from './session-cookies.ts';
import { createSetupToken } from './setup-token.ts';
import { signInSecret } from './sign-in-secret.ts';
import { createThrottle } from './throttle.ts';

export type SignedIn = {
  readonly account: Account;
  readonly cookies: Cookies;
  /** The password was right, but there is no session yet: a code of the second factor is needed. */
  readonly needsCode?: true;
};
export type Session = SignedIn & { readonly startedAt: number; readonly expiresAt: number; readonly token: string };
export type SignIn = ReturnType<typeof createSignIn>;

export type SignInConfig = ProviderSettings & {
  readonly smtpUrl?: string | undefined;
  readonly mailFrom?: string | undefined;
  readonly contact?: string | undefined;
};

export function createSignIn(parts: {
  store: OpenStore;
  config: SignInConfig;
  /** A function, because a free port is known only after the start. */
  baseUrl: () => string;
  log?: Log;
  clock?: () => number;
}) {
  const { store, config: settings, baseUrl, log } = parts;
  const clock = parts.clock ?? Date.now;
  const throttle = createThrottle(store.signIn, clock);
  async function build<const Plugins extends BetterAuthPlugin[]>(plugins: Plugins) {
    const service = await store.values.setIfAbsent(serviceSecretName, randomBytes(32).toString('hex'));
    return createAuth({ store, secret: signInSecret(service), baseUrl: baseUrl(), settings, log }, plugins);
  }
  const auth = lazily((): Promise<Auth> => build([]));
  // Apart, because few need them: the library for passkeys is large, and a provider may be down.
  const passkeyAuth = lazily(async () => build([await passkeyPlugin(baseUrl())]));
  const providers = createProviders({
    settings,
    auth,
    build,
    baseUrl,
    throttle,
    isUsable: async (visitor) => (await sessionFrom(visitor)) !== undefined,
    log,
  });

  const planOfNewAccounts = settings.defaultPlan ?? defaultPlan;
  const contact = settings.contact ?? 'the administrator of this server';
  const mailFrom = () => settings.mailFrom ?? `Tintype <tintype@${new URL(baseUrl()).hostname}>`;
  const mailer =
    settings.smtpUrl === undefined ? undefined : createMailer({ url: settings.smtpUrl, from: mailFrom, log });
  const setupToken = createSetupToken({ store });
  const invitations = createInvitations({ store, throttle, mailer, baseUrl, clock });
  const passwordReset = createPasswordReset({ store, throttle, mailer, baseUrl, contact, clock, log });
  const secondFactor = createSecondFactor({ store, auth, throttle, needSession, confirmPassword });
  const passkeys = createPasskeys({ auth: passkeyAuth, throttle });

  async function openSession(email: string, password: string, visitor: Visitor): Promise<SignedIn> {
    const { api } = await auth();
    const { headers, response } = await rethrowDatabaseFaults(() =>
      api.signInEmail({ body: { email, password }, headers: headersOf(visitor), returnHeaders: true }),
    ).catch((error: unknown) => {
      throw isRefusal(error) ? wrong() : error;
    });
    const needsCode = 'twoFactorRedirect' in response;
    const account = needsCode ? await store.accounts.byEmail(email) : accountOf(response.user as unknown as AuthUser);
    if (account === undefined) throw wrong();
    if (!account.disabled) {
      await throttle.signedIn(account.id, visitor.address);
      return { account, cookies: headers.getSetCookie(), ...(needsCode && { needsCode }) };
    }
    await store.signIn.endSessions(account.id);
    throw new Problem('forbidden', { message: 'This account is disabled. Ask the administrator.' });
  }

  async function sessionFrom(visitor: Visitor): Promise<Session | undefined> {
    if (!visitor.cookie?.includes(`${cookiePrefix(baseUrl())}.session_token=`)) return undefined;
    const { api } = await auth();
    const found = await rethrowDatabaseFaults(() =>
      api.getSession({ headers: headersOf(visitor), returnHeaders: true }),
    );
    if (!found.response) return undefined;
    const { user, session } = found.response;
    const account = accountOf(user as unknown as AuthUser);
    if (account.disabled) return undefined;
    const times = { startedAt: session.createdAt.getTime(), expiresAt: session.expiresAt.getTime() };
    return { account, cookies: found.headers.getSetCookie(), token: session.token, ...times };
  }

  async function needSession(visitor: Visitor): Promise<Session> {
    const session = await sessionFrom(visitor);
    if (session === undefined) throw new Problem('not_signed_in');
    return session;
  }

  /** Checks the password again before something that cannot be undone. */
  async function confirmPassword({ id, email }: Account, password: string, visitor: Visitor, parameter: string) {
    const stored = await store.signIn.passwordHash(id);
    // An account from GitHub or Google has no password; the session has to do.
    if (stored === undefined) return;
    await throttle.guess(email, visitor.address, async () => {
      if (isTooLong(password) || !(await verifyPassword(password, stored)))
        throw new Problem('forbidden', { parameter, message: 'The password is wrong.' });
    });
  }

  async function signOut(visitor: Visitor): Promise<Cookies> {
    const { api } = await auth();
    const { headers } = await rethrowDatabaseFaults(() =>
      api.signOut({ headers: headersOf(visitor), returnHeaders: true }),
    );
    return headers.getSetCookie();
  }

  const newAccount = (visitor: Visitor, password: string, make: () => Promise<Pick<Account, 'email'>>) =>
    throttle.newAccount(visitor.address, async () => openSession((await make()).email, password, visitor));

  return {
    signUpOpen: settings.signUp === 'open',
    planOfNewAccounts,
    providers,
    /** Whom to ask about a lost password. */
    contact,
    /** Browsers allow passkeys on https and on localhost, and never for an IP address. */
    get passkeysWork() {
      const { protocol, hostname } = new URL(baseUrl());
      return isIP(hostname) === 0 && !hostname.startsWith('[') && (protocol === 'https:' || hostname === 'localhost');
    },
    invitations,
    passwordReset,
    secondFactor,
    passkeys,
    sessionFrom,
    signOut,

    async signUp(input: { email: string; password: string; name?: string }, visitor: Visitor): Promise<SignedIn> {
      if (settings.signUp === 'closed')
        throw new Problem('forbidden', { message: 'Sign-up is closed here. Ask the administrator for an account.' });
      const { email, password, name } = input;
      const make = () => createAccount(store, { email, password, name, plan: planOfNewAccounts });
      return newAccount(visitor, password, make);
    },

    acceptInvitation: (
      input: { token: string; email: string; password: string; name: string },
      visitor: Visitor,
    ): Promise<SignedIn> => newAccount(visitor, input.password, () => invitations.accept(input)),

    /** The second step of a sign-in with a password. */
    async signInWithCode(code: string, visitor: Visitor): Promise<Cookies> {
      return usable(await secondFactor.verify(code, visitor), visitor);
    },

    async signInWithPasskey(answer: object, visitor: Visitor): Promise<Cookies> {
      return usable(await passkeys.signIn(answer, visitor), visitor);
    },

    /** A wrong address and a wrong password get the same answer, after the same work. */
    async signIn({ email, password }: { email: string; password: string }, visitor: Visitor): Promise<SignedIn> {
      return throttle.guess(email, visitor.address, async () => {
        if (isTooLong(password)) throw wrong();
        return openSession(email.trim(), password, visitor);
      });
    },

    async signOutEverywhere(visitor: Visitor): Promise<Cookies> {
      const { account } = await needSession(visitor);
      await store.signIn.endSessions(account.id);
      return signOut(visitor);
    },

    /** Ends every session except the one it returns. */
    async changePassword(change: { current: string; password: string }, visitor: Visitor): Promise<SignedIn> {
      const { account, token } = await needSession(visitor);
      checkPassword(change.password);
      await confirmPassword(account, change.current, visitor, 'current');
      return throttle.inRoom({ email: account.email, address: visitor.address }, async () => {
        // A new session would need a code, so this one stays.
        await setPassword(store, account.id, change.password, account.twoFactor ? token : undefined);
        return account.twoFactor ? { account, cookies: [] } : openSession(account.email, change.password, visitor);
      });
    },

    /** `before` removes what is not in the database. It runs after the password was confirmed. */
    async deleteAccount(
      { password }: { password: string },
      visitor: Visitor,
      before: (account: Account) => Promise<unknown> = async () => {},
    ): Promise<Cookies> {
      const { account } = await needSession(visitor);
      await confirmPassword(account, password, visitor, 'password');
      // Demoted first: two administrators who delete themselves at the same moment must not both succeed.
      if (account.admin && !(await store.accounts.setAdmin(account.id, false))) throw lastAdministrator();
      try {
        await before(account);
      } catch (error) {
        if (account.admin) await store.accounts.setAdmin(account.id, true);
        throw error;
      }
      await store.accounts.remove(account.id);
      return signOut(visitor);
    },

    createSetupToken: setupToken.create,
    isSetupToken: setupToken.isValid,

    /** Creates the first account, the administrator. */
    consumeSetupToken: (
      input: { token: string; email: string; password: string; name?: string },
      visitor: Visitor,
    ): Promise<SignedIn> => newAccount(visitor, input.password, () => setupToken.accept(input)),
  };

  /** The cookies of a new session, unless its account is disabled. */
  async function usable(cookies: Cookies, visitor: Visitor): Promise<Cookies> {
    if ((await sessionFrom({ ...visitor, cookie: cookieOf(cookies) })) !== undefined) return cookies;
    throw new Problem('forbidden', { message: 'This account is disabled. Ask the administrator.' });
  }
}

const wrong = () => new Problem('not_signed_in', { message: 'The e-mail address or the password is wrong.' });

type AuthUser = Pick<Account, 'id' | 'email' | 'name'> & {
  readonly plan: PlanName;
  readonly admin: boolean;
  readonly disabled: boolean;
  readonly twoFactorEnabled?: boolean | null;
  readonly createdAt: Date;
};

const accountOf = (user: AuthUser): Account => ({
  id: user.id,
  email: user.email,
  name: user.name,
  plan: user.plan,
  admin: Boolean(user.admin),
  disabled: Boolean(user.disabled),
  twoFactor: Boolean(user.twoFactorEnabled),
  createdAt: user.createdAt.getTime(),
});
