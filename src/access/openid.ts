// Sign-in with an OpenID Connect provider of the operator. Its addresses come from the operator's own setting, so these
// requests do not go through the guard for pages. They are bounded in time and size, and nothing is asked before
// somebody signs in with it: a provider that is down stops no other sign-in.
import { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { isObject } from '../kernel/is-object.ts';
import { checkEmail, checkName } from './accounts.ts';

export type OpenIdSettings = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string };

/** What the provider says about itself, checked. */
export type Discovery = {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly userinfo_endpoint: string | undefined;
  readonly jwks_uri: string;
  readonly id_token_signing_alg_values_supported: readonly string[];
  readonly token_endpoint_auth_methods_supported: readonly string[];
};

const discoveryMs = 5000;
const userInfoMs = 5000;
const maxBytes = 256 * 1024;
/** Signed by the provider's key. A symmetric signature could be made by whoever knows the client's secret. */
const isAsymmetric = (algorithm: unknown): algorithm is string =>
  typeof algorithm === 'string' && /^(?:RS|PS|ES)(?:256|384|512)$|^(?:EdDSA|Ed25519)$/.test(algorithm);

export async function discover(issuer: string): Promise<Discovery> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = await readJson(url, {}, discoveryMs);
  // A document for another issuer would let that one sign in everybody here.
  if (found.issuer !== issuer) throw wrongAnswer(`says that its issuer is ${String(found.issuer).slice(0, 200)}`);
  const endpoint = (name: string): string => {
    const text = found[name];
    if (typeof text !== 'string' || !URL.canParse(text)) throw wrongAnswer(`has no ${name}`);
    const { protocol } = new URL(text);
    const isSecure = protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'));
    if (!isSecure) throw wrongAnswer(`has a ${name} without https`);
    return text;
  };
  const listed = (name: string): unknown[] => (Array.isArray(found[name]) ? (found[name] as unknown[]) : []);
  const algorithms = listed('id_token_signing_alg_values_supported').filter(isAsymmetric);
  if (algorithms.length === 0) throw wrongAnswer('signs its tokens with no algorithm that is accepted here');
  return {
    issuer,
    authorization_endpoint: endpoint('authorization_endpoint'),
    token_endpoint: endpoint('token_endpoint'),
    userinfo_endpoint: found.userinfo_endpoint === undefined ? undefined : endpoint('userinfo_endpoint'),
    jwks_uri: endpoint('jwks_uri'),
    id_token_signing_alg_values_supported: algorithms,
    token_endpoint_auth_methods_supported: listed('token_endpoint_auth_methods_supported').map(String),
  };
}

type Tokens = { readonly idToken?: string | undefined; readonly accessToken?: string | undefined };

/** Who signed in; null if the provider does not vouch for the address. better-auth has verified the token before. */
export async function readUser({ userinfo_endpoint: url }: Discovery, { idToken, accessToken }: Tokens) {
  if (idToken === undefined) return null;
  const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;
  // Providers may leave the address out of the token.
  const more =
    typeof claims.email === 'string' || url === undefined || accessToken === undefined
      ? {}
      : await readJson(url, { authorization: `Bearer ${accessToken}` }, userInfoMs);
  if (more.sub !== undefined && more.sub !== claims.sub) return null;
  const { sub, email, email_verified: verified, name } = { ...more, ...claims };
  if (typeof sub !== 'string' || sub === '' || typeof email !== 'string' || verified === false || verified === 'false')
    return null;
  try {
    const address = checkEmail(email);
    const shown = typeof name === 'string' ? name.replaceAll(/\p{Cc}/gu, ' ').slice(0, 100) : '';
    return {
      sub,
      id: sub,
      email: address,
      emailVerified: verified === true || verified === 'true',
      name: checkName(shown) ?? address.split('@')[0] ?? '',
    };
  } catch {
    return null;
  }
}

async function readJson(url: string, headers: Record<string, string>, ms: number): Promise<Record<string, unknown>> {
  const deadline = new Deadline(ms, 'The sign-in provider');
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'error',
      signal: deadline.signal,
    });
    if (!response.ok) throw wrongAnswer(`answers with status ${response.status}`);
    const value: unknown = JSON.parse(await textOf(response));
    if (!isObject(value)) throw wrongAnswer('sends no JSON object');
    return value;
  } catch (error) {
    throw error instanceof Problem && error.code === 'provider_unavailable'
      ? error
      : new Problem('provider_unavailable', { retryAfter: 10, cause: error });
  } finally {
    deadline.done();
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw wrongAnswer('sends too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const wrongAnswer = (what: string): Problem =>
  new Problem('provider_unavailable', {
    message: 'The sign-in provider is not set up as this server expects. Ask the administrator.',
    cause: new Error(`The OpenID Connect provider ${what}.`),
  });
