// What screenshot and og do alike once they know the order: render it for a client who may go away, and
// answer with bytes, JSON or 304.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signFile } from '../access/signatures.ts';
import { Deadline } from '../kernel/deadline.ts';
import { formatOf, formats } from '../kernel/formats.ts';
import { staleForMs } from '../render/freshness.ts';
import type { Order, Result } from '../render/render.ts';
import type { HttpDependencies } from './dependencies.ts';
import { rateHeaders } from './rate-headers.ts';
import { sendResult } from './reply.ts';

export type Ask = {
  readonly order: Order;
  readonly timeoutMs: number;
  readonly asJson: boolean;
  /** What the metadata object names first: the url, or the template. */
  readonly subject: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  readonly signed: boolean;
  /** Of a signed link that expires: when, in Unix milliseconds. */
  readonly linkExpiresAt?: number | undefined;
};

export async function renderAndSend(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: HttpDependencies,
  ask: Ask,
): Promise<void> {
  const result = await renderForClient(request, reply, dependencies, ask);
  const { context } = request;
  context.cache = result.cache;
  context.stale = result.stale;
  context.cacheKey = result.stored ? result.key : undefined;
  context.renderTime = result.meta.renderTime;
  context.phases = result.phases;
  context.verdict = result.meta.verdict;
  context.warnings = [...ask.warnings, ...result.meta.warnings];
  sendResult(request, reply, result, {
    rate: await rateHeaders(request, dependencies),
    visibility: ask.signed ? 'public' : 'private',
    warnings: ask.warnings,
    linkExpiresAt: ask.linkExpiresAt,
    ...(ask.asJson && { json: describe(result, ask, dependencies) }),
  });
}

// When the client goes, its waiting ends; when the last one goes, so does the work.
async function renderForClient(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: HttpDependencies,
  ask: Ask,
): Promise<Result> {
  const deadline = new Deadline(ask.timeoutMs);
  request.context.work = { order: ask.order, deadline };
  const leave = () => {
    if (!reply.raw.writableFinished) deadline.cancel();
  };
  reply.raw.on('close', leave);
  try {
    return await dependencies.renderer.render(ask.order, deadline);
  } catch (error) {
    request.context.phases = deadline.phases();
    throw error;
  } finally {
    reply.raw.off('close', leave);
    deadline.done();
  }
}

function describe(result: Result, ask: Ask, dependencies: HttpDependencies): Record<string, unknown> {
  const { width, height, renderTime, pages, page, verdict, warnings } = result.meta;
  const format = formatOf(result.type);
  return {
    ...ask.subject,
    imageUrl: result.stored ? fileLink(result, formats[format].extension, ask, dependencies) : null,
    width,
    height,
    format,
    size: result.bytes.length,
    renderTime,
    cachedAt: result.cachedAt,
    ...(pages !== undefined && { pages }),
    ...(page !== undefined && { page }),
    ...(verdict !== undefined && { verdict }),
    warnings: [...ask.warnings, ...warnings],
  };
}

/** Lives as long as the result, but not longer than the signed link by which it was asked for. */
function fileLink(result: Result, extension: string, ask: Ask, { baseUrl, serviceSecret }: HttpDependencies): string {
  const until = result.stale === undefined ? result.expiresAt : Date.now() + staleForMs;
  const expires = Math.floor(Math.min(until, ask.linkExpiresAt ?? Number.POSITIVE_INFINITY) / 1000);
  return baseUrl() + signFile(`/v1/files/${result.key}.${extension}`, expires, serviceSecret);
}
