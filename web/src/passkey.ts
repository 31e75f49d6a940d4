// Passkeys by the browser's own functions: our JSON becomes its options, and its credential becomes JSON.

type FromJson = {
  parseCreationOptionsFromJSON?: (options: unknown) => PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON?: (options: unknown) => PublicKeyCredentialRequestOptions;
};
const parsers = (): FromJson => (window.PublicKeyCredential ?? {}) as unknown as FromJson;

const tooOld = () => new Error('This browser is too old for passkeys.');
const refused = () => new Error('No passkey was used. Try again, or sign in another way.');

export async function makePasskey(options: unknown): Promise<unknown> {
  const publicKey = parsers().parseCreationOptionsFromJSON?.(options);
  if (publicKey === undefined) throw tooOld();
  return asJson(await navigator.credentials.create({ publicKey }).catch(() => null));
}

export async function askPasskey(options: unknown): Promise<unknown> {
  const publicKey = parsers().parseRequestOptionsFromJSON?.(options);
  if (publicKey === undefined) throw tooOld();
  return asJson(await navigator.credentials.get({ publicKey }).catch(() => null));
}

function asJson(credential: Credential | null): unknown {
  if (credential === null) throw refused();
  return (credential as PublicKeyCredential).toJSON();
}
