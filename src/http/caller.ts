// Who asks: an API key in the header or the query, or a signed link that acts for a key.
import type { FastifyRequest } from 'fastify';
import { authenticate } from '../access/keys.ts';
import { authenticateLink } from '../access/signatures.ts';
import { findInQuery } from '../kernel/parameters.ts';
import type { Account, ApiKey } from '../store/store.ts';
import type { HttpDependencies } from './dependencies.ts';
import { rawQueryOf } from './request-context.ts';

export type Caller = {
  readonly key: ApiKey;
  readonly account: Account;
  readonly signed: boolean;
  /** Of a signed link that expires: when, in Unix milliseconds. */
  readonly linkExpiresAt?: number | undefined;
};
/** Who asks for a render: a caller of the API, or a person in the playground, who has no key there. */
export type Asker = Omit<Caller, 'key'> & { readonly key?: ApiKey };

export async function identify(request: FastifyRequest, { store, keyUsed }: HttpDependencies): Promise<Caller> {
  const header = request.headers['x-api-key'];
  // Not read at all where the header wins. Otherwise leniently: only callers who are known learn that it is malformed.
  const query = header?.length ? undefined : findInQuery(rawQueryOf(request), ['api_key', 'signature']);
  const signed = header === undefined && !query?.has('api_key') && query?.has('signature') === true;
  const { key, account, expiresAt }: Awaited<ReturnType<typeof authenticateLink>> = signed
    ? await authenticateLink(request.url, store)
    : await authenticate({ header, query: query?.get('api_key')?.[0] }, store);
  request.context.account = account;
  request.context.key = key;
  keyUsed(key.id);
  return { key, account, signed, linkExpiresAt: expiresAt };
}
