/// <reference path="./oidc-provider.d.ts" />
// A real OpenID Connect provider (oidc-provider), which can be told to misbehave. Its sign-in page takes any name; the
// address of a person is the name at example.com, unless a test says otherwise.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export type OpenIdProvider = {
  readonly issuer: string;
  /** The settings of a Tintype that uses it. */
  readonly settings: Record<string, string>;
  /** More claims of a person, by name. */
  readonly claims: Map<string, Record<string, unknown>>;
  /** What it does with a request instead of answering it, by path; undefined = it answers. */
  misbehave: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  close(): Promise<void>;
};

export async function startOpenIdProvider(redirectUri: string): Promise<OpenIdProvider> {
  const claims: OpenIdProvider['claims'] = new Map();
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server: Server = createServer((request, response) => {
    if (made.misbehave?.(request, response)) return;
    handle(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made: OpenIdProvider = {
    issuer,
    claims,
    misbehave: undefined,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'tintype',
      OIDC_CLIENT_SECRET: 'a secret',
      OIDC_NAME: 'Example Ltd.',
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'tintype', client_secret: 'a secret', redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id, ...claims.get(id) }),
    }),
    cookies: { keys: ['for a test'] },
  });
  handle = provider.callback();
  return made;
}
