// Who asks: an API key in the header or the query, or a signed link that acts for a key.
import type { FastifyRequest } from 'fastify';
import { authenticate } from '../access/keys.ts';
import { authenticateLink } from '../access/signatures.ts';
import type { Account, ApiKey } from '../store/store.ts';
import type { HttpParts } from './parts.ts';
import { rawQueryOf } from './story.ts';

export type Caller = { readonly key: ApiKey; readonly account: Account; readonly signed: boolean };
/** Who asks for a render: a caller of the API, or a person in the playground, who has no key there. */
export type Asker = Omit<Caller, 'key'> & { readonly key?: ApiKey };

export async function identify(request: FastifyRequest, { store, keyUsed }: HttpParts): Promise<Caller> {
  const header = request.headers['x-api-key'];
  // Not read at all where the header wins. Else leniently: whether it is well-formed is only told to who may ask.
  const query = header?.length ? undefined : new URLSearchParams(rawQueryOf(request));
  const signed = header === undefined && !query?.has('api_key') && query?.has('signature') === true;
  const found = signed
    ? await authenticateLink(request.url, store)
    : await authenticate({ header, query: query?.get('api_key') ?? undefined }, store);
  request.story.account = found.account;
  request.story.key = found.key;
  keyUsed(found.key.id);
  return { key: found.key, account: found.account, signed };
}
