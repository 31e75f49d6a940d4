// What is known about a request by the time it ends. Its log line, its metrics and its usage record are made of it.
import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Phases } from '../kernel/deadline.ts';
import type { Problem } from '../kernel/errors.ts';
import type { Execution } from '../render/render.ts';
import type { Result } from '../render/result.ts';
import type { Endpoint, Requester } from '../render/validated-request.ts';

export type RequestContext = {
  /** When the request arrived, by performance.now(). */
  readonly startedAt: number;
  /** Not a function that is added later: with one, V8 kept 4 KB of every request through two collections. */
  readonly response: ServerResponse;
  requester?: Requester;
  endpoint?: Endpoint;
  /** The parameters as sent, without keys and signatures, as JSON. */
  parameters?: string;
  /** The render it waits for. */
  execution?: Execution;
  outcome?: Result | Problem;
  phases?: Phases;
  /** About a request that succeeded. */
  warnings?: readonly string[];
};

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
  }
}

/** The path alone: queries contain keys and what people capture. */
export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

export const rawQueryOf = (request: FastifyRequest): string => {
  const at = request.url.indexOf('?');
  return at < 0 ? '' : request.url.slice(at + 1);
};
