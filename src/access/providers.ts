// Sign-in with GitHub, Google or the operator's own OpenID Connect provider. An account that exists is never taken over by
// whoever has its address at a provider: see accountLinking in auth.ts.
import type { BetterAuthPlugin } from 'better-auth';
import { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { lazily } from '../kernel/lazily.ts';
import type { Log } from '../kernel/log.ts';
import { rethrowDatabaseFaults } from '../store/database.ts';
import { type Auth, authPath, openIdPlugin, type SignInSettings, type SocialProvider, socialNames } from './auth.ts';
import { discover, type OpenIdSettings } from './openid.ts';
import { type Cookies, cookieOf, headersOf, type Visitor } from './session-cookies.ts';
import type { Throttle } from './throttle.ts';

export type ProviderSettings = SignInSettings & {
  readonly oidcIssuer?: string | undefined;
  readonly oidcClientId?: string | undefined;
  readonly oidcClientSecret?: string | undefined;
  readonly oidcName?: string | undefined;
};

export type Redirect = { readonly location: string; readonly cookies: Cookies };

/** A sign-in waits no longer for a provider. */
const patienceMs = 10_000;

export function createProviders(parts: {
  settings: ProviderSettings;
  auth: () => Promise<Auth>;
  build: <const Plugins extends BetterAuthPlugin[]>(plugins: Plugins) => Promise<unknown>;
  baseUrl: () => string;
  throttle: Throttle;
  /** Does this cookie belong to a session of an account that is not disabled? */
  isUsable: (visitor: Visitor) => Promise<boolean>;
  log?: Log | undefined;
}) {
  const { settings, auth, build, baseUrl, throttle, isUsable, log } = parts;
  const openId = openIdSettings(settings);
  const names: SocialProvider[] = [...socialNames(settings), ...(openId ? (['oidc'] as const) : [])];
  // Apart from the others: the provider is asked when somebody signs in with it, and it may be down.
  const openIdAuth = lazily(async () => {
    if (openId === undefined) throw new Problem('not_found');
    return (await build([await openIdPlugin(openId, await discover(openId.issuer), settings.signUp)])) as Auth;
  });

  function known(name: string): SocialProvider {
    const provider = names.find((each) => each === name);
    if (provider === undefined)
      throw new Problem('not_found', { message: `Sign-in with ${name.slice(0, 40)} is not set up here.` });
    return provider;
  }

  /** A provider that does not answer costs its own sign-in only. */
  async function using<T>(provider: SocialProvider, work: (auth: Auth) => Promise<T>): Promise<T> {
    const deadline = new Deadline(patienceMs, 'The sign-in provider');
    try {
      const made = await deadline.race(provider === 'oidc' ? openIdAuth() : auth());
      return await deadline.race(rethrowDatabaseFaults(() => work(made)));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'provider_unavailable')
        log?.error({ part: 'sign-in', provider, reason: (error.cause as Error | undefined)?.message }, error.message);
      throw error.code === 'render_timeout' ? new Problem('provider_unavailable', { retryAfter: 10 }) : error;
    } finally {
      deadline.done();
    }
  }

  return {
    names,
    /** What the button for OpenID Connect says. */
    oidcName: settings.oidcName ?? 'single sign-on',

    /** `next` is the path on this server that the visitor wanted to see. */
    async start(name: string, visitor: Visitor, next = '/'): Promise<Redirect> {
      const provider = known(name);
      await throttle.token(visitor.address);
      const body = { provider, callbackURL: baseUrl() + ownPath(next), errorCallbackURL: `${baseUrl()}/sign-in` };
      const { headers, response } = await using(provider, ({ api }) =>
        api.signInSocial({ body, headers: headersOf(visitor), returnHeaders: true }),
      );
      return { location: response.url ?? '/sign-in', cookies: headers.getSetCookie() };
    },

    /** Handles the redirect from the provider, with its `query`. Ends at `/`, or at `/sign-in?error=…`. */
    async finish(name: string, query: string, visitor: Visitor): Promise<Redirect> {
      const provider = known(name);
      const url = `${baseUrl()}${authPath}/callback/${provider}?${query}`;
      const failed = (error: string): Redirect => ({ location: `${baseUrl()}/sign-in?error=${error}`, cookies: [] });
      let answer: Response;
      try {
        answer = await using(provider, ({ handler }) => handler(new Request(url, { headers: headersOf(visitor) })));
      } catch (error) {
        if (error instanceof Problem && error.code === 'provider_unavailable') return failed(error.code);
        throw error;
      }
      const cookies = answer.headers.getSetCookie();
      const cookie = cookieOf(cookies);
      if (cookie.includes('.session_token=')) {
        if (!(await isUsable({ ...visitor, cookie }))) return failed('account_disabled');
        await throttle.tokenWasRight(visitor.address);
      }
      return { location: answer.headers.get('location') ?? `${baseUrl()}/sign-in?error=failed`, cookies };
    },
  };
}

/**
 * The path if it is on this server, otherwise `/`: a link must not redirect a visitor to another site after sign-in.
 */
const ownPath = (path: string): string => (/^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(path) ? path : '/');

function openIdSettings({ oidcIssuer, oidcClientId, oidcClientSecret }: ProviderSettings): OpenIdSettings | undefined {
  if (oidcIssuer === undefined || oidcClientId === undefined || oidcClientSecret === undefined) return undefined;
  return { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret };
}
