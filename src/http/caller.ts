// Who asks: an API key in the header or the query, or a signed link that acts for a key.
import type { FastifyRequest } from 'fastify';
import { authenticate } from '../access/keys.ts';
import { authenticateLink } from '../access/signatures.ts';
import { findInQuery } from '../kernel/parameters.ts';
import type { Requester } from '../render/validated-request.ts';
import type { HttpDependencies } from './dependencies.ts';
import { rawQueryOf } from './request-context.ts';

/** A requester with a key, which every caller of the API has. */
export type Caller = Requester & { readonly key: NonNullable<Requester['key']> };

export async function identify(request: FastifyRequest, { store, keyUsed }: HttpDependencies): Promise<Caller> {
  const header = request.headers['x-api-key'];
  // The query is not read where the header wins, and read leniently otherwise: only authenticated callers learn that it
  // is malformed.
  const query = header?.length ? undefined : findInQuery(rawQueryOf(request), ['api_key', 'signature']);
  const signed = header === undefined && !query?.has('api_key') && query?.has('signature') === true;
  const { key, account, expiresAt }: Awaited<ReturnType<typeof authenticateLink>> = signed
    ? await authenticateLink(request.url, store)
    : await authenticate({ header, query: query?.get('api_key')?.[0] }, store);
  const caller = { key, account, signed, linkExpiresAt: expiresAt };
  request.context.requester = caller;
  keyUsed(key.id);
  return caller;
}
