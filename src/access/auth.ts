// better-auth on our tables: sessions, their cookie, and GitHub and Google. What it calls user is our account,
// what it calls account is one of our credentials.
import type { Log } from '../kernel/log.ts';
import { defaultPlan } from '../kernel/plans.ts';
import { randomText } from '../store/identifiers.ts';
import type { OpenStore } from '../store/open.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

export type SocialProvider = 'github' | 'google';

export type SignInSettings = {
  readonly signUp: 'open' | 'closed';
  readonly githubClientId?: string | undefined;
  readonly githubClientSecret?: string | undefined;
  readonly googleClientId?: string | undefined;
  readonly googleClientSecret?: string | undefined;
};

/** Where providers send people back to: `{BASE_URL}/auth/callback/github`. */
export const authPath = '/auth';

const day = 24 * 60 * 60;

export function socialProviders(settings: SignInSettings) {
  const disableSignUp = settings.signUp === 'closed';
  const client = (clientId: string | undefined, clientSecret: string | undefined) =>
    clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret, disableSignUp } : undefined;
  const github = client(settings.githubClientId, settings.githubClientSecret);
  const google = client(settings.googleClientId, settings.googleClientSecret);
  return { ...(github && { github }), ...(google && { google }) };
}

/** `__Host-` binds the cookie to this very host, over https; a browser refuses the name on plain http. */
export const cookiePrefix = (baseUrl: string): string =>
  baseUrl.startsWith('https://') ? '__Host-tintype' : 'tintype';

/**
 * Not loaded by the command line, which needs none of it. A server loads it before it answers anybody: that takes half a second
 * of the one thread, and a stranger with any cookie would cause it.
 */
export const loadLibrary = () => import('better-auth');

export type Auth = Awaited<ReturnType<typeof createAuth>>;

export async function createAuth(parts: {
  store: OpenStore;
  secret: string;
  baseUrl: string;
  settings: SignInSettings;
  log?: Log | undefined;
}) {
  const { store, secret, baseUrl, settings, log } = parts;
  const { betterAuth } = await loadLibrary();
  const dates = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return betterAuth({
    appName: 'Tintype',
    baseURL: `${baseUrl}${authPath}`,
    secret,
    database: { db: store.db, type: store.dialect, transaction: true },
    user: {
      modelName: 'accounts',
      fields: { ...dates, emailVerified: 'email_verified' },
      // input: false: nobody gives a plan or rights to himself.
      additionalFields: {
        plan: { type: 'string', input: false, defaultValue: defaultPlan },
        admin: { type: 'boolean', input: false, defaultValue: false },
        disabled: { type: 'boolean', input: false, defaultValue: false },
      },
    },
    session: {
      modelName: 'sessions',
      fields: {
        ...dates,
        userId: 'account_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      },
      expiresIn: 30 * day,
      updateAge: day,
    },
    account: {
      modelName: 'credentials',
      fields: {
        ...dates,
        userId: 'account_id',
        accountId: 'provider_account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
      },
      encryptOAuthTokens: true,
      // We send no mail, so an address given with a password proves nothing: who signs up with somebody else's
      // must not be joined with the owner who comes later by GitHub or Google.
      accountLinking: { disableImplicitLinking: true },
    },
    verification: { modelName: 'verifications', fields: { ...dates, expiresAt: 'expires_at' } },
    emailAndPassword: {
      enabled: true,
      // Accounts are made by access/accounts.ts, for the dashboard and the command line alike.
      disableSignUp: true,
      minPasswordLength: 1,
      maxPasswordLength: 1024,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(password, hash) },
    },
    socialProviders: socialProviders(settings),
    onAPIError: { errorURL: `${baseUrl}/sign-in` },
    advanced: {
      cookiePrefix: cookiePrefix(baseUrl),
      // Its own prefix would be __Secure-, in front of ours.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: baseUrl.startsWith('https://'), httpOnly: true, sameSite: 'lax', path: '/' },
      // Set by us from the connection; X-Forwarded-For is anybody's to write.
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: {
        generateId: ({ model }) => `${model === 'user' || model === 'accounts' ? 'acc_' : ''}${randomText(16)}`,
      },
    },
    // access/throttle.ts does this, for an account and for an address, and across restarts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: 'warn', log: (_level, message) => log?.debug({ part: 'sign-in' }, message) },
  });
}

export const addressHeader = 'x-tintype-client-address';
