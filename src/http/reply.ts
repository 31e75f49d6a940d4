// The only writer of results and errors.
import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Cancelled, type Phases } from '../kernel/deadline.ts';
import { errorBody } from '../kernel/error-body.ts';
import { Problem } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { type Verdict, verdictText } from '../kernel/verdict.ts';
import type { Result } from '../render/result.ts';
import { rangeOf } from './byte-range.ts';

export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown, log: Log): FastifyReply {
  const problem = asProblem(error, request.id, log);
  request.context.outcome = problem;
  if (problem.retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(problem.retryAfter)));
  if (problem.verdict !== undefined) reply.header('x-verdict', verdictHeader(problem.verdict));
  if (problem.status === 401 && problem.code !== 'not_signed_in') reply.header('www-authenticate', challenge(problem));
  if (problem.code === 'shutting_down') reply.header('connection', 'close');
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(errorBody(problem, request.id));
}

/** RFC 6750: an error is named only where a key was sent. */
const challenge = ({ code }: Problem): string =>
  `Bearer realm="Tintype"${code === 'missing_api_key' ? '' : ', error="invalid_token"'}`;

// Fastify's own errors, in our words. Any other error is a defect: the log has all of it, the client gets a short text.
function asProblem(error: unknown, requestId: string, log: Log): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Cancelled) return new Problem('shutting_down');
  const status = (error as { statusCode?: number }).statusCode;
  if (status === 413) return new Problem('body_too_large');
  if (status === 415) return new Problem('unsupported_media_type');
  if (status === 414) return new Problem('uri_too_long');
  if (status !== undefined && status >= 400 && status < 500)
    return new Problem('bad_request', { message: `The request could not be read: ${(error as Error).message}` });
  log.error({ requestId, err: error }, 'unhandled error');
  return new Problem('internal_error');
}

/** The response to a request line or headers that cannot be parsed, written to the socket itself. */
export function rawError(problem: Problem, requestId: string): string {
  const body = JSON.stringify(errorBody(problem, requestId));
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

type Options = {
  /** Public for signed links: any cache on the way may keep it. */
  readonly visibility: 'private' | 'public';
  /** Warnings about the request itself; those of the result come with it. */
  readonly warnings: readonly string[];
  /** The JSON body, where `response=json` asks for it. */
  readonly json?: Record<string, unknown>;
  /** When the link of the request expires, in Unix milliseconds: no cache may keep the result for longer. */
  readonly linkExpiresAt?: number | undefined;
};

export type Body = Buffer | Record<string, unknown> | undefined;

/**
 * Sets the status and the headers of a result, and returns its body, which the route returns to Fastify: bytes, JSON, or
 * nothing for a 304.
 */
export function prepareResult(
  request: FastifyRequest,
  reply: FastifyReply,
  result: Result,
  { visibility, warnings, json, linkExpiresAt = Number.POSITIVE_INFINITY }: Options,
): Body {
  const maxAge = Math.floor(Math.min(result.freshForMs, linkExpiresAt - Date.now()) / 1000);
  const etag = json === undefined ? `"${result.hash}"` : `"${result.hash}-json"`;
  const { verdict, behindLogin } = result.meta;
  const warning = warningHeader(warnings, result.meta.warnings);
  const timing = serverTiming(result.phases);
  reply.headers({
    'x-render-time': result.meta.renderTime,
    'x-image-size': result.bytes.length,
    'x-cache': result.cache,
    etag,
    'cache-control': behindLogin ? 'private, no-store' : maxAge > 0 ? cacheControl(visibility, maxAge) : 'no-store',
  });
  if (verdict !== undefined) reply.header('x-verdict', verdictHeader(verdict));
  if (warning !== '') reply.header('x-warning', warning);
  if (result.stale !== undefined)
    reply.headers({ age: Math.floor((Date.now() - result.createdAt) / 1000), 'x-stale': result.stale });
  if (timing !== '') reply.header('server-timing', timing);
  if (matchesTag(request.headers['if-none-match'], etag)) return void reply.code(304);
  reply.type(json === undefined ? result.type : 'application/json; charset=utf-8');
  if (json !== undefined) return json;
  reply.headers(sandboxed).header('accept-ranges', 'bytes');
  return rangeIn(request, reply, result.bytes, etag);
}

function rangeIn(request: FastifyRequest, reply: FastifyReply, bytes: Buffer, etag: string): Buffer {
  // HTTP defines ranges for GET only.
  if (request.headers.range === undefined || request.method === 'POST') return bytes;
  const range = rangeOf(request.headers, etag, bytes.length);
  if (range === undefined) return bytes;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${bytes.length}`);
    throw new Problem('range_not_satisfiable', { message: `The result has ${bytes.length} bytes.` });
  }
  const { start, end } = range;
  reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes.length}`);
  return bytes.subarray(start, end + 1);
}

/** Captured content must never run with our origin, whatever a browser takes it for. */
export const sandboxed = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

const dayS = 24 * 60 * 60;
// A later render may change the bytes behind a link, so only a link that stays the same for a day or more is immutable.
const cacheControl = (visibility: 'private' | 'public', maxAge: number): string =>
  `${visibility}, max-age=${maxAge}${visibility === 'public' && maxAge >= dayS ? ', immutable' : ''}`;

// The server limits the length of headers to a few hundred tags, so a linear search is enough.
export const matchesTag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));

const verdictHeader = (verdict: Verdict): string => (verdict.ok ? 'ok' : verdictText(verdict));

// A header may contain ASCII only, and proxies reject long ones.
const warningHeader = (ofRequest: readonly string[], ofResult: readonly string[]): string =>
  ofRequest.length + ofResult.length === 0
    ? ''
    : [...ofRequest, ...ofResult]
        .join('; ')
        .replaceAll(/[^\x20-\x7e]/g, '?')
        .slice(0, 1000);

const serverTiming = (phases: Phases): string =>
  Object.entries(phases)
    .filter(([, ms]) => ms >= 0.05)
    .map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`)
    .join(', ');
