// Caches DNS answers for a few seconds, so that a page with forty connections to one host asks once, and the check of a
// target and its first connection see the same answer.
import { BoundedMap } from '../kernel/bounded-map.ts';
import { abortable } from './abortable.ts';
import type { Resolver } from './egress-types.ts';

export type NameAnswer = { readonly addresses: readonly string[] } | { readonly failure: string };

export interface NameCache {
  /** Rejects only when the signal aborts. */
  lookup(name: string, signal: AbortSignal): Promise<NameAnswer>;
}

const maxNames = 2000;

export function createNameCache(resolver: Resolver, keepMs: number): NameCache {
  const asked = new BoundedMap<string, { at: number; answer: Promise<NameAnswer> }>(maxNames);

  const ask = async (name: string): Promise<NameAnswer> => {
    try {
      // Without a signal: other callers may wait for the same answer. The resolver has its own time-outs.
      const addresses = await resolver(name);
      if (addresses.length > 0) return { addresses };
      asked.delete(name);
      return { failure: 'the host name was not found' };
    } catch (error) {
      asked.delete(name);
      return { failure: failureText((error as NodeJS.ErrnoException).code) };
    }
  };

  return {
    lookup(name, signal) {
      const now = performance.now();
      const known = asked.get(name);
      // The age counts from the query, so that the next caller repeats a query that hangs.
      if (known !== undefined && now - known.at < keepMs) return abortable(known.answer, signal);
      const answer = ask(name);
      asked.set(name, { at: now, answer });
      return abortable(answer, signal);
    },
  };
}

const failureText = (code: string | undefined): string =>
  code === 'ENOTFOUND' || code === 'ENODATA'
    ? 'the host name was not found'
    : code === 'ETIMEOUT' || code === 'EAI_AGAIN'
      ? 'the name server did not answer'
      : 'its name could not be looked up';
