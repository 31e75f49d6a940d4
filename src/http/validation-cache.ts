// A query that was checked before is not checked again: what it asks for depends on nothing but its text, the key and
// the plan. Most requests of a cache are such, and checking them was the most of their cost.
import type { FastifyRequest } from 'fastify';
import { readQuery } from '../kernel/parameters.ts';
import type { Caller } from './caller.ts';
import { rawQueryOf } from './request-context.ts';
import type { Ask } from './results.ts';
import { storedParameters } from './stored-texts.ts';

export type Asks = {
  /** What this request asks for; `check` throws what is wrong with it. */
  of(request: FastifyRequest, caller: Caller, check: (query: ReadonlyMap<string, string>) => Ask): Ask;
};

/** Some megabytes at most. */
const mostKept = 2000;
const longestUrl = 2000;

export function createAsks(): Asks {
  const kept = new Map<string, { readonly ask: Ask; readonly parameters: string }>();
  return {
    of(request, caller, check) {
      const { url, context } = request;
      const name = `${caller.key.id} ${caller.account.plan} ${caller.signed} ${url}`;
      const known = kept.get(name);
      if (known !== undefined) {
        context.parameters = known.parameters;
        return known.ask;
      }
      const query = readQuery(rawQueryOf(request));
      const parameters = storedParameters(query);
      // Before the check: a request that is refused is shown with them, too.
      context.parameters = parameters;
      const ask = check(query);
      if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
      if (url.length <= longestUrl) kept.set(name, { ask, parameters });
      return ask;
    },
  };
}
