// Who asks: an API key in a header or the query, or a signed link that acts for a key.
import type { FastifyRequest } from 'fastify';
import { authenticate } from '../access/keys.ts';
import { authenticateLink } from '../access/signatures.ts';
import { Problem } from '../kernel/errors.ts';
import { findInQuery } from '../kernel/parameters.ts';
import type { Requester } from '../render/validated-request.ts';
import type { HttpDependencies } from './dependencies.ts';
import { rawQueryOf } from './request-context.ts';

/** A requester with a key, which every caller of the API has. */
export type Caller = Requester & { readonly key: NonNullable<Requester['key']> };

export async function identify(request: FastifyRequest, { store, keyUsed }: HttpDependencies): Promise<Caller> {
  const header = keyHeader(request);
  // The query is not read where the header wins, and read leniently otherwise: only authenticated callers learn that it
  // is malformed.
  const query = header?.length ? undefined : findInQuery(rawQueryOf(request), ['api_key', 'signature']);
  const signed = header === undefined && !query?.has('api_key') && query?.has('signature') === true;
  if (signed && request.method !== 'GET' && request.method !== 'HEAD')
    throw new Problem('invalid_signature', { message: 'A signed link is for GET only; send a key with a POST.' });
  const { key, account, expiresAt }: Awaited<ReturnType<typeof authenticateLink>> = signed
    ? await authenticateLink(request.url, store)
    : await authenticate({ header, query: query?.get('api_key')?.[0] }, store);
  const caller = { key, account, signed, linkExpiresAt: expiresAt };
  request.context.requester = caller;
  keyUsed(key.id);
  return caller;
}

/** X-API-Key, or else the key of `Authorization: Bearer`. Other schemes are not ours: a proxy may have its own password. */
function keyHeader({ headers }: FastifyRequest): string | readonly string[] | undefined {
  const own = headers['x-api-key'];
  if (own?.length) return own;
  return /^Bearer(?: +|$)(.*)/is.exec(headers.authorization ?? '')?.[1]?.trim() ?? own;
}
