// Runs a validated request for a client, who may leave, and replies with bytes, JSON or 304.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { storedContent, textMediaType } from '../content/stored-text.ts';
import { Deadline } from '../kernel/deadline.ts';
import { ownTurn } from '../kernel/own-turn.ts';
import { describeResult } from '../render/describe.ts';
import type { Result } from '../render/result.ts';
import type { ValidatedRequest } from '../render/validated-request.ts';
import type { HttpDependencies } from './dependencies.ts';
import { type Body, prepareResult } from './reply.ts';

const smallBytes = 64 * 1024;

const isJsonPath = (request: FastifyRequest): boolean => request.routeOptions.url?.endsWith('.json') === true;

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
  // A text of a megabyte is cut and written in some ten milliseconds.
  if (validated.text !== undefined && result.bytes.length > smallBytes) await ownTurn();
  const { signed, linkExpiresAt } = validated.requester;
  const asJson = validated.asJson || isJsonPath(request);
  const json = asJson ? describeResult(result, validated, dependencies) : undefined;
  return prepareResult(request, reply, asSent(result, validated.text, json?.content), {
    visibility: signed ? 'public' : 'private',
    warnings: validated.warnings,
    linkExpiresAt,
    ...(json && { json }),
  });
}

/** A text is stored with the facts about it, and sent without them. `content` is given where it has been cut already. */
export function asSent(result: Result, text: ValidatedRequest['text'], content?: unknown): Result {
  if (text === undefined) return result;
  return {
    ...result,
    type: textMediaType(text.format),
    bytes: typeof content === 'string' ? Buffer.from(content) : storedContent(result.bytes, text.maxChars, text.format),
    // Texts that were cut at another place are other texts.
    hash: `${result.hash}-${text.maxChars}`,
  };
}
