// Passkeys: sign-in with a fingerprint, a face or a security key instead of a password and a code.
import { Problem } from '../kernel/errors.ts';
import { rethrowDatabaseFaults } from '../store/database.ts';
import type { createAuth, passkeyPlugin } from './auth.ts';
import { asProblem, type Cookies, headersOf, type Visitor } from './session-cookies.ts';
import type { Throttle } from './throttle.ts';

export type PasskeyAuth = Awaited<ReturnType<typeof createAuth<[Awaited<ReturnType<typeof passkeyPlugin>>]>>>;

export type PasskeyInfo = { readonly id: string; readonly name: string; readonly createdAt: number };

/** What a browser is asked to do, as JSON, and the cookie that binds its answer to it. */
export type PasskeyOptions = { readonly options: unknown; readonly cookies: Cookies };

const mostPasskeys = 20;

export function createPasskeys({ auth, throttle }: { auth: () => Promise<PasskeyAuth>; throttle: Throttle }) {
  const refused = () => new Problem('forbidden', { message: 'The passkey was not accepted. Try again.' });
  const asking = async <T>(work: (api: PasskeyAuth['api']) => Promise<T>): Promise<T> => {
    const { api } = await auth();
    return rethrowDatabaseFaults(() => work(api)).catch((error: unknown) => {
      throw asProblem(error, refused);
    });
  };

  const list = async (visitor: Visitor): Promise<PasskeyInfo[]> => {
    const found = await asking((api) => api.listPasskeys({ headers: headersOf(visitor) }));
    return found.map(({ id, name, createdAt }) => ({
      id,
      name: name ?? 'Passkey',
      createdAt: new Date(createdAt).getTime(),
    }));
  };

  return {
    list,

    async registrationOptions(visitor: Visitor): Promise<PasskeyOptions> {
      if ((await list(visitor)).length >= mostPasskeys)
        throw new Problem('conflict', { message: `An account has at most ${mostPasskeys} passkeys. Remove one.` });
      const { headers, response } = await asking((api) =>
        api.generatePasskeyRegistrationOptions({ headers: headersOf(visitor), returnHeaders: true }),
      );
      return { options: response, cookies: headers.getSetCookie() };
    },

    async register(answer: object, name: string, visitor: Visitor): Promise<void> {
      await asking((api) =>
        api.verifyPasskeyRegistration({ body: { response: answer, name }, headers: headersOf(visitor) }),
      );
    },

    async remove(id: string, visitor: Visitor): Promise<void> {
      await asking((api) => api.deletePasskey({ body: { id }, headers: headersOf(visitor) }));
    },

    async signInOptions(visitor: Visitor): Promise<PasskeyOptions> {
      await throttle.token(visitor.address);
      const { headers, response } = await asking((api) =>
        api.generatePasskeyAuthenticationOptions({ headers: headersOf(visitor), returnHeaders: true }),
      );
      return { options: response, cookies: headers.getSetCookie() };
    },

    async signIn(answer: object, visitor: Visitor): Promise<Cookies> {
      const { headers } = await asking((api) =>
        api.verifyPasskeyAuthentication({
          body: { response: answer as never },
          headers: headersOf(visitor),
          returnHeaders: true,
        }),
      );
      await throttle.tokenWasRight(visitor.address);
      return headers.getSetCookie();
    },
  };
}
