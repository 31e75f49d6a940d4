// better-auth on our tables: sessions, their cookie, and sign-in with GitHub and Google. Its "user" is our account, its
// "account" is one of our credentials.
import { setImmediate } from 'node:timers/promises';
import type { BetterAuthPlugin } from 'better-auth';
import { lazily } from '../kernel/lazily.ts';
import type { Log } from '../kernel/log.ts';
import { defaultPlan, type PlanName } from '../kernel/plans.ts';
import { randomText } from '../store/identifiers.ts';
import type { OpenStore } from '../store/open.ts';
import { type Discovery, type OpenIdSettings, readUser } from './openid.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

export type SocialProvider = 'github' | 'google' | 'oidc';

export type SignInSettings = {
  readonly signUp: 'open' | 'closed';
  readonly defaultPlan?: PlanName | undefined;
  readonly githubClientId?: string | undefined;
  readonly githubClientSecret?: string | undefined;
  readonly googleClientId?: string | undefined;
  readonly googleClientSecret?: string | undefined;
};

/** Providers redirect users to `{BASE_URL}/auth/callback/github`. */
export const authPath = '/auth';

const day = 24 * 60 * 60;

export const socialNames = (settings: SignInSettings) =>
  Object.keys(socialProviders(settings)) as ('github' | 'google')[];

function socialProviders(settings: SignInSettings) {
  const disableSignUp = settings.signUp === 'closed';
  const client = (clientId: string | undefined, clientSecret: string | undefined) =>
    clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret, disableSignUp } : undefined;
  const github = client(settings.githubClientId, settings.githubClientSecret);
  const google = client(settings.googleClientId, settings.googleClientSecret);
  return { ...(github && { github }), ...(google && { google }) };
}

/** The operator's own provider, beside GitHub and Google. */
export async function openIdPlugin(settings: OpenIdSettings, discovery: Discovery, signUp: SignInSettings['signUp']) {
  const [{ genericOAuth }, { createRemoteJWKSet }] = await Promise.all([
    import('better-auth/plugins/generic-oauth'),
    import('jose'),
  ]);
  const methods = discovery.token_endpoint_auth_methods_supported;
  const plugin = genericOAuth({
    config: [
      {
        providerId: 'oidc',
        authorizationUrl: discovery.authorization_endpoint,
        tokenUrl: discovery.token_endpoint,
        clientId: settings.clientId,
        clientSecret: settings.clientSecret,
        authentication: methods.length === 0 || methods.includes('client_secret_basic') ? 'basic' : 'post',
        scopes: ['openid', 'email', 'profile'],
        disableSignUp: signUp === 'closed',
        // Another provider may use the same identifiers for other people.
        accountSubject: ({ profile }) => `${settings.issuer} ${profile.sub}`,
        getUserInfo: (tokens) => readUser(discovery, tokens),
      },
    ],
  });
  // The plugin would fetch the provider's document itself, without a time limit, and accept any issuer in it. openid.ts has
  // checked it, so what the plugin takes from the document is set here: tokens are verified, and bound to the sign-in.
  const idToken = {
    jwks: createRemoteJWKSet(new URL(discovery.jwks_uri)),
    issuer: discovery.issuer,
    audience: settings.clientId,
    algorithms: [...discovery.id_token_signing_alg_values_supported],
  };
  return {
    ...plugin,
    async init(context: Parameters<typeof plugin.init>[0]) {
      const made = await plugin.init(context);
      const provider = made.context.socialProviders.find(({ id }) => id === 'oidc');
      if (provider === undefined) throw new Error('The OpenID Connect plugin has changed.');
      Object.assign(provider, { idToken, issuer: discovery.issuer, requiresIdTokenNonce: true });
      return made;
    },
  };
}

/** Signs in with a passkey, which must verify its user: it replaces the password and the code. */
export async function passkeyPlugin(baseUrl: string) {
  const { passkey } = await import('@better-auth/passkey');
  const { origin, hostname } = new URL(baseUrl);
  return passkey({
    rpID: hostname,
    rpName: 'Tintype',
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    authentication: {
      afterVerification({ verification }) {
        if (!verification.authenticationInfo.userVerified) throw new Error('The passkey did not verify its user.');
      },
    },
    schema: {
      passkey: {
        modelName: 'passkeys',
        fields: {
          userId: 'account_id',
          publicKey: 'public_key',
          credentialID: 'credential_id',
          deviceType: 'device_type',
          backedUp: 'backed_up',
          createdAt: 'created_at',
        },
      },
    },
  });
}

/** `__Host-` binds the cookie to this host over https; browsers refuse the prefix over http. */
export const cookiePrefix = (baseUrl: string): string =>
  baseUrl.startsWith('https://') ? '__Host-tintype' : 'tintype';

/**
 * All at once, the library would block the event loop for half a second. A server loads it right after its start; the
 * command line never loads it.
 */
export const loadAuth = lazily(async () => {
  const parts = [
    () => import('better-auth/crypto'),
    () => import('better-auth/db/adapter/minimal'),
    () => import('better-auth/cookies'),
    () => import('better-auth/db'),
    () => import('better-auth/oauth2'),
    () => import('better-auth/social-providers'),
    () => import('better-auth/api'),
  ];
  for (const load of parts) {
    await load();
    await setImmediate();
  }
  return Promise.all([import('better-auth'), import('better-auth/plugins/two-factor')]);
});

export type AuthParts = {
  store: OpenStore;
  secret: string;
  baseUrl: string;
  settings: SignInSettings;
  log?: Log | undefined;
};

export type Auth = Awaited<ReturnType<typeof createAuth<[]>>>;

export async function createAuth<const Plugins extends BetterAuthPlugin[]>(parts: AuthParts, plugins: Plugins) {
  const { store, secret, baseUrl, settings, log } = parts;
  const [{ betterAuth }, { twoFactor }] = await loadAuth();
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
        plan: { type: 'string', input: false, defaultValue: settings.defaultPlan ?? defaultPlan },
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
      // Sign-up with a password does not verify the address: the account must not be linked to the owner of the address,
      // who may sign in with GitHub or Google later.
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
    plugins: [
      twoFactor({
        issuer: 'Tintype',
        twoFactorTable: 'two_factors',
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor' } },
          twoFactor: {
            fields: {
              userId: 'account_id',
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failures',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
      ...plugins,
    ],
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
