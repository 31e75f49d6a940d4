// Sign-in to the dashboard, as functions for the HTTP layer. They take what is known about the visitor and return the
// cookies to set. The HTTP layer checks origin and method.
import { createHmac, hash, randomBytes } from 'node:crypto';
import { Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { defaultPlan, highestPlan, type PlanName } from '../kernel/plans.ts';
import { rethrowDatabaseFaults } from '../store/database.ts';
import { randomText } from '../store/identifiers.ts';
import type { OpenStore } from '../store/open.ts';
import type { Account } from '../store/store.ts';
import { createAccount, prepareAccount, setPassword } from './accounts.ts';
import {
  type Auth,
  addressHeader,
  authPath,
  cookiePrefix,
  createAuth,
  type SignInSettings,
  type SocialProvider,
  socialProviders,
} from './auth.ts';
import { checkPassword, isTooLong, verifyPassword } from './passwords.ts';
import { createThrottle, longestMemoryMs } from './throttle.ts';

export type Visitor = {
  /** The Cookie header. */
  readonly cookie?: string | undefined;
  /** The address of the client (see TRUST_PROXY). */
  readonly address: string;
  readonly userAgent?: string | undefined;
};

/** Set-Cookie headers. */
export type Cookies = readonly string[];
export type SignedIn = { readonly account: Account; readonly cookies: Cookies };
export type Session = SignedIn & { readonly startedAt: number; readonly expiresAt: number };
export type Redirect = { readonly location: string; readonly cookies: Cookies };

export type SignIn = ReturnType<typeof createSignIn>;

const setupToken = 'setup_token';
const hourMs = 3_600_000;

export function createSignIn(parts: {
  store: OpenStore;
  config: SignInSettings;
  /** A function, because a free port is known only after the start. */
  baseUrl: () => string;
  log?: Log;
  clock?: () => number;
}) {
  const { store, config: settings, baseUrl, log } = parts;
  const clock = parts.clock ?? Date.now;
  const throttle = createThrottle(store.signIn, clock);
  const providers = Object.keys(socialProviders(settings)) as SocialProvider[];

  let making: Promise<Auth> | undefined;
  const auth = () => {
    making ??= makeAuth().catch((error) => {
      making = undefined;
      throw error;
    });
    return making;
  };
  async function makeAuth(): Promise<Auth> {
    const service = await store.values.setIfAbsent('service_secret', randomBytes(32).toString('hex'));
    // Derived for this purpose, so that it is useless for anything else the service signs.
    const secret = createHmac('sha256', service).update('sessions').digest('hex');
    return createAuth({ store, secret, baseUrl: baseUrl(), settings, log });
  }

  const upkeep = setInterval(() => {
    store.signIn.prune(clock(), clock() - longestMemoryMs).catch((error: Error) => {
      log?.warn({ reason: error.message }, 'Old sessions could not be deleted yet.');
    });
  }, hourMs).unref();

  async function openSession(email: string, password: string, visitor: Visitor): Promise<SignedIn> {
    const { api } = await auth();
    const { headers, response } = await rethrowDatabaseFaults(() =>
      api.signInEmail({ body: { email, password }, headers: headersOf(visitor), returnHeaders: true }),
    ).catch((error: unknown) => {
      throw isRefusal(error) ? wrong() : error;
    });
    const account = accountOf(response.user as unknown as AuthUser);
    if (!account.disabled) return { account, cookies: headers.getSetCookie() };
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
    return { account, cookies: found.headers.getSetCookie(), ...times };
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
    await throttle.guess(email, visitor.address);
    if (isTooLong(password) || !(await verifyPassword(password, stored)))
      throw new Problem('forbidden', { parameter, message: 'The password is wrong.' });
    await throttle.wasRight(email, visitor.address);
  }

  async function isSetupToken(token: string): Promise<boolean> {
    const stored = await store.values.get(setupToken);
    return stored === hash('sha256', token, 'hex') && !(await store.accounts.adminExists());
  }

  async function signOut(visitor: Visitor): Promise<Cookies> {
    const { api } = await auth();
    const { headers } = await rethrowDatabaseFaults(() =>
      api.signOut({ headers: headersOf(visitor), returnHeaders: true }),
    );
    return headers.getSetCookie();
  }

  return {
    signUpOpen: settings.signUp === 'open',
    /** The configured ones of GitHub and Google. */
    providers,
    sessionFrom,
    signOut,

    async signUp(input: { email: string; password: string; name?: string }, visitor: Visitor): Promise<SignedIn> {
      if (settings.signUp === 'closed')
        throw new Problem('forbidden', { message: 'Sign-up is closed here. Ask the administrator for an account.' });
      await throttle.newAccount(visitor.address);
      const { email, password, name } = input;
      const account = await createAccount(store, { email, password, name, plan: defaultPlan });
      return openSession(account.email, password, visitor);
    },

    /** A wrong address and a wrong password get the same answer, after the same work. */
    async signIn({ email, password }: { email: string; password: string }, visitor: Visitor): Promise<SignedIn> {
      await throttle.guess(email, visitor.address);
      if (isTooLong(password)) throw wrong();
      const signedIn = await openSession(email.trim(), password, visitor);
      await throttle.wasRight(email, visitor.address);
      return signedIn;
    },

    async signOutEverywhere(visitor: Visitor): Promise<Cookies> {
      const { account } = await needSession(visitor);
      await store.signIn.endSessions(account.id);
      return signOut(visitor);
    },

    /** Ends every session except the one it returns. */
    async changePassword(change: { current: string; password: string }, visitor: Visitor): Promise<SignedIn> {
      const { account } = await needSession(visitor);
      checkPassword(change.password);
      await confirmPassword(account, change.current, visitor, 'current');
      await setPassword(store, account.id, change.password);
      return openSession(account.email, change.password, visitor);
    },

    /** `before` removes what is not in the database. It runs after the password was confirmed. */
    async deleteAccount(
      { password }: { password: string },
      visitor: Visitor,
      before: (account: Account) => Promise<unknown> = async () => {},
    ): Promise<Cookies> {
      const { account } = await needSession(visitor);
      await confirmPassword(account, password, visitor, 'password');
      await before(account);
      await store.accounts.remove(account.id);
      return signOut(visitor);
    },

    /** `next` is the path on this server that the visitor wanted to see. */
    async startSocial(provider: string, visitor: Visitor, next = '/'): Promise<Redirect> {
      const { api } = await auth();
      const known = knownProvider(provider);
      const body = {
        provider: known,
        callbackURL: baseUrl() + ownPath(next),
        errorCallbackURL: `${baseUrl()}/sign-in`,
      };
      const { headers, response } = await rethrowDatabaseFaults(() =>
        api.signInSocial({ body, headers: headersOf(visitor), returnHeaders: true }),
      );
      return { location: response.url ?? '/sign-in', cookies: headers.getSetCookie() };
    },

    /** Handles the redirect from the provider, with its `query`. Ends at `/`, or at `/sign-in?error=…`. */
    async finishSocial(provider: string, query: string, visitor: Visitor): Promise<Redirect> {
      const { handler } = await auth();
      const url = `${baseUrl()}${authPath}/callback/${knownProvider(provider)}?${query}`;
      const answer = await rethrowDatabaseFaults(() => handler(new Request(url, { headers: headersOf(visitor) })));
      const cookies = answer.headers.getSetCookie();
      const cookie = cookies.map((text) => text.split(';')[0]).join('; ');
      if (cookie.includes('.session_token=') && (await sessionFrom({ ...visitor, cookie })) === undefined)
        return { location: `${baseUrl()}/sign-in?error=account_disabled`, cookies: [] };
      return { location: answer.headers.get('location') ?? `${baseUrl()}/sign-in?error=failed`, cookies };
    },

    /** Creates the token of the link that the first start prints. It replaces an older one; only its hash is stored. */
    async createSetupToken(): Promise<string> {
      const token = randomText(32);
      await store.values.set(setupToken, hash('sha256', token, 'hex'));
      return token;
    },

    isSetupToken,

    /** Creates the first account, the administrator. The token works once, even if it is used twice at the same moment. */
    async consumeSetupToken(
      input: { token: string; email: string; password: string; name?: string },
      visitor: Visitor,
    ): Promise<SignedIn> {
      const { token, email, password, name } = input;
      await throttle.newAccount(visitor.address);
      if (!(await isSetupToken(token))) throw usedUp();
      const account = await prepareAccount({ email, password, name, plan: highestPlan, admin: true });
      const made = await store.signIn.createFirstAdmin(setupToken, hash('sha256', token, 'hex'), account);
      if (made === undefined) throw usedUp();
      return openSession(made.email, password, visitor);
    },

    stop(): void {
      clearInterval(upkeep);
    },
  };

  function knownProvider(name: string): SocialProvider {
    const provider = providers.find((each) => each === name);
    if (provider === undefined)
      throw new Problem('not_found', { message: `Sign-in with ${name.slice(0, 40)} is not set up here.` });
    return provider;
  }
}

const wrong = () => new Problem('not_signed_in', { message: 'The e-mail address or the password is wrong.' });

/** The path if it is on this server, otherwise `/`: a link must not redirect a visitor to another site after sign-in. */
const ownPath = (path: string): string => (/^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(path) ? path : '/');

const usedUp = () =>
  new Problem('forbidden', {
    message: 'This setup link is used up or out of date. The newest one is in the output of the last start.',
  });

/** better-auth refused the credentials; any other error is a fault. */
const isRefusal = (error: unknown): boolean =>
  [400, 401, 403].includes((error as { statusCode?: number }).statusCode ?? 0);

function headersOf({ cookie, address, userAgent }: Visitor): Headers {
  const headers = new Headers({ [addressHeader]: address });
  if (cookie !== undefined) headers.set('cookie', cookie);
  if (userAgent !== undefined) headers.set('user-agent', userAgent.slice(0, 500));
  return headers;
}

type AuthUser = Pick<Account, 'id' | 'email' | 'name'> & {
  readonly plan: PlanName;
  readonly admin: boolean;
  readonly disabled: boolean;
  readonly createdAt: Date;
};

const accountOf = (user: AuthUser): Account => ({
  id: user.id,
  email: user.email,
  name: user.name,
  plan: user.plan,
  admin: Boolean(user.admin),
  disabled: Boolean(user.disabled),
  createdAt: user.createdAt.getTime(),
});
