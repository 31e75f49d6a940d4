// What is known about a request by the time it ends: its log line, its metrics and its row in the
// account's usage are all told from this.
import type { FastifyRequest } from 'fastify';
import type { Phases } from '../kernel/deadline.ts';
import { redact } from '../kernel/log.ts';
import type { Verdict } from '../kernel/verdict.ts';
import type { Account, ApiKey } from '../store/store.ts';

export type Story = {
  /** When the request came, by performance.now(). */
  readonly startedAt: number;
  account?: Account;
  key?: ApiKey;
  endpoint?: 'screenshot' | 'og';
  /** The parameters as sent, without keys and signatures, as JSON. */
  parameters?: string;
  cache?: 'HIT' | 'MISS';
  cacheKey?: string;
  renderTime?: number;
  phases?: Phases;
  warnings?: readonly string[];
  verdict?: Verdict;
  code?: string;
};

declare module 'fastify' {
  interface FastifyRequest {
    story: Story;
  }
}

const secrets = new Set(['api_key', 'signature']);

// Enough to recognise a request by; nobody reads 50,000 characters of CSS in a list.
const shownLength = 500;

/** As JSON, for the account's list of requests. */
export const withoutSecrets = (query: ReadonlyMap<string, string>): string =>
  JSON.stringify(
    Object.fromEntries(
      [...query]
        .filter(([name]) => !secrets.has(name))
        .map(([name, value]) => [name, redact(value).slice(0, shownLength)]),
    ),
  );

/** The path alone: queries carry keys and what people capture. */
export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

export const rawQueryOf = (request: FastifyRequest): string => {
  const at = request.url.indexOf('?');
  return at < 0 ? '' : request.url.slice(at + 1);
};
