// better-auth on our tables: sessions, their cookie, and sign-in with GitHub and Google. Its "user" is our account, its
// "account" is one of our credentials.
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

/** Providers redirect users to `{BASE_URL}/auth/callback/github`. */
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

/** `__Host-` binds the cookie to this host over https; browsers refuse the prefix over http. */
export const cookiePrefix = (baseUrl: string): string =>
  baseUrl.startsWith('https://') ? '__Host-tintype' : 'tintype';

/**
 * Loading takes a third of a second of the event loop. A server loads the library right after its start; the command line
 * never loads it.
 */
export const loadAuth = () => import('better-auth');

export type Auth = Awaited<ReturnType<typeof createAuth>>;

export async function createAuth(parts: {
  store: OpenStore;
  secret: string;
  baseUrl: string;
  settings: SignInSettings;
  log?: Log | undefined;
}) {
  const { store, secret, baseUrl, settings, log } = parts;
  const { betterAuth } = await loadAuth();
  const dates = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return betterAuth({
    appName: 'Tintype',
    baseURL: `${baseUrl}${authPath}`,
    secret,
    database: { db: store.db, type: store.dialect, transaction: true },
    user: {
      modelName: 'accounts',
      fields: { ...dates, emailVerified: 'email_verified' },
      // input: false: users cannot set these themselves.
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
      // We send no mail, so the address of an account with a password is not verified: the account must not be linked
      // to the owner of the address, who may sign in with GitHub or Google later.
      accountLinking: { disableImplicitLinking: true },
    },
    verification: { modelName: 'verifications', fields: { ...dates, expiresAt: 'expires_at' } },
    emailAndPassword: {
      enabled: true,
      // access/accounts.ts creates the accounts.
      disableSignUp: true,
      minPasswordLength: 1,
      maxPasswordLength: 1024,
      password: { hash: hashPassword, verify: ({ hash, password }) => verifyPassword(password, hash) },
    },
    socialProviders: socialProviders(settings),
    onAPIError: { errorURL: `${baseUrl}/sign-in` },
    advanced: {
      cookiePrefix: cookiePrefix(baseUrl),
      // It would put its own prefix, __Secure-, in front of ours.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: baseUrl.startsWith('https://'), httpOnly: true, sameSite: 'lax', path: '/' },
      // We set this header from the connection; clients can write any X-Forwarded-For.
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: {
        generateId: ({ model }) => `${model === 'user' || model === 'accounts' ? 'acc_' : ''}${randomText(16)}`,
      },
    },
    // access/throttle.ts does this, for accounts and for addresses, and remembers across restarts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: 'warn', log: (_level, message) => log?.debug({ part: 'sign-in' }, message) },
  });
}

export const addressHeader = 'x-tintype-client-address';
