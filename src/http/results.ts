// Runs a validated request for a client, who may leave, and replies with bytes, JSON or 304.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signFile } from '../access/signatures.ts';
import { Deadline } from '../kernel/deadline.ts';
import { formatOf, formats } from '../kernel/formats.ts';
import { staleForMs } from '../render/freshness.ts';
import type { Result } from '../render/result.ts';
import type { ValidatedRequest } from '../render/validated-request.ts';
import type { HttpDependencies } from './dependencies.ts';
import { type Body, prepareResult } from './reply.ts';

export async function renderAndReply(
  request: FastifyRequest,
  reply: FastifyReply,
  validated: ValidatedRequest,
  dependencies: HttpDependencies,
): Promise<Body> {
  const { context } = request;
  const execution = dependencies.renderer.start(validated, new Deadline(validated.timeoutMs));
  context.execution = execution;
  // The work itself is cancelled when its last client has left.
  const leave = () => {
    if (!reply.raw.writableFinished) execution.cancel();
  };
  reply.raw.on('close', leave);
  let result: Result;
  try {
    result = await execution.result;
  } catch (error) {
    context.phases = execution.phases();
    throw error;
  } finally {
    reply.raw.off('close', leave);
  }
  context.outcome = result;
  if (result.cache === 'MISS') context.phases = result.phases;
  context.warnings = validated.warnings;
  const { signed, linkExpiresAt } = validated.requester;
  return prepareResult(request, reply, result, {
    visibility: signed ? 'public' : 'private',
    warnings: validated.warnings,
    linkExpiresAt,
    ...(validated.asJson && { json: describeResult(result, validated, dependencies) }),
  });
}

/** The body of `response=json`. */
export function describeResult(result: Result, validated: ValidatedRequest, dependencies: HttpDependencies) {
  const { width, height, renderTime, pages, page, verdict, warnings } = result.meta;
  return {
    ...validated.subject,
    imageUrl: result.stored ? fileLink(result, validated, dependencies) : null,
    width,
    height,
    format: formatOf(result.type),
    size: result.bytes.length,
    renderTime,
    cachedAt: result.cachedAt,
    ...(pages !== undefined && { pages }),
    ...(page !== undefined && { page }),
    ...(verdict !== undefined && { verdict }),
    warnings: [...validated.warnings, ...warnings],
  };
}

/** Whoever has the link sees the page behind the login. */
const loginLinkMs = 60 * 60 * 1000;

/** Valid as long as the result, but not longer than the signed link of the request. */
function fileLink(
  result: Result,
  { requester, hasSecrets }: ValidatedRequest,
  { baseUrl, serviceSecret }: HttpDependencies,
): string {
  const { extension } = formats[formatOf(result.type)];
  const until = result.stale === undefined ? result.expiresAt : Date.now() + staleForMs;
  const latest = hasSecrets ? Date.now() + loginLinkMs : Number.POSITIVE_INFINITY;
  const expires = Math.floor(Math.min(until, latest, requester.linkExpiresAt ?? Number.POSITIVE_INFINITY) / 1000);
  return baseUrl() + signFile(`/v1/files/${result.key}.${extension}`, expires, serviceSecret);
}
