// Validates requests, and remembers the result: it depends on nothing but the URL, the key and the plan. Most requests of
// a cached result repeat a URL, and validation dominated the cost of a hit.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BoundedMap } from '../kernel/bounded-map.ts';
import { readQuery, refuseBodyParameters } from '../kernel/parameters.ts';
import { tables } from '../render/endpoint-tables.ts';
import { storedParameters } from '../render/usage-texts.ts';
import type { Validate } from '../render/validate.ts';
import type { Endpoint, ValidatedRequest } from '../render/validated-request.ts';
import { acceptedFormat } from './accepted-format.ts';
import type { Caller } from './caller.ts';
import { rawQueryOf } from './request-context.ts';

/** A few megabytes at most. */
const mostKept = 2000;
const longestUrl = 2000;

/** `revision` grows when templates change. */
export function createValidationCache(endpoint: Endpoint, validate: Validate, revision: () => number = () => 0) {
  const kept = new BoundedMap<string, { readonly validated: ValidatedRequest; readonly parameters: string }>(mostKept);
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
  ): ValidatedRequest | Promise<ValidatedRequest> => {
    const { url, context } = request;
    // What a signed link gives is what was signed, whoever opens it.
    const isGiven = caller.signed || /[?&]format=/.test(url);
    const format = acceptedFormat(request, reply, endpoint, isGiven);
    const name = `${caller.key.id} ${caller.account.plan} ${caller.signed} ${format} ${revision()} ${url}`;
    const known = kept.get(name);
    if (known !== undefined) {
      context.parameters = known.parameters;
      return known.validated;
    }
    const query = readQuery(rawQueryOf(request));
    refuseBodyParameters(query, tables[endpoint]);
    if (format !== undefined && !query.has('format')) query.set('format', format);
    const parameters = storedParameters(query);
    // Before validation: the usage record of a refused request has them, too.
    context.parameters = parameters;
    const validated = validate(endpoint, query, caller);
    // An account may publish a new version of its own template at any time.
    if (validated instanceof Promise) return validated;
    if (url.length <= longestUrl) kept.set(name, { validated, parameters });
    return validated;
  };
}
