// What is known about a request by the time it ends: its log line, its metrics and its row in the
// account's usage are all told from this.
import type { FastifyRequest } from 'fastify';
import type { Deadline, Phases } from '../kernel/deadline.ts';
import type { Verdict } from '../kernel/verdict.ts';
import type { Order } from '../render/render.ts';
import type { Account, ApiKey } from '../store/store.ts';

export type RequestContext = {
  /** When the request came, by performance.now(). */
  readonly startedAt: number;
  account?: Account;
  key?: ApiKey;
  endpoint?: 'screenshot' | 'og';
  /** The parameters as sent, without keys and signatures, as JSON. */
  parameters?: string;
  cache?: 'HIT' | 'MISS';
  /** Why an old result was the answer. */
  stale?: string | undefined;
  cacheKey?: string;
  renderTime?: number;
  phases?: Phases;
  warnings?: readonly string[];
  verdict?: Verdict;
  code?: string;
  /** The render it waits for. */
  work?: { readonly order: Order; readonly deadline: Deadline };
};

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
  }
}

/** The path alone: queries carry keys and what people capture. */
export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

export const rawQueryOf = (request: FastifyRequest): string => {
  const at = request.url.indexOf('?');
  return at < 0 ? '' : request.url.slice(at + 1);
};
