// POST /mcp: the tools for agents. Host and origin (403) → key (401) → the body (413, 415, 400) → src/mcp, which is loaded
// with the first request.
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import type { Backend, BackendRequest, ResultFacts } from '../mcp/backend.ts';
import { describeResult } from '../render/describe.ts';
import { storedParameters } from '../render/usage-texts.ts';
import { checkOgPlan } from '../render/validate-card.ts';
import { readJson } from './body-reader.ts';
import { type Caller, identify } from './caller.ts';
import type { HttpDependencies } from './dependencies.ts';

export function registerMcp(app: FastifyInstance, dependencies: HttpDependencies): void {
  app.post('/mcp', async (request, reply) => {
    checkHost(request, dependencies.baseUrl());
    const caller = await identify(request, dependencies);
    const body = await readJson(request, reply, caller.account.id);
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    if (reply.raw.destroyed) left.abort();
    const { answerMcp } = await import('../mcp/endpoint.ts');
    const response = await answerMcp(
      { id: request.id, url: dependencies.baseUrl(), headers: forwarded(request), body, signal: left.signal },
      createServerBackend(request, caller, dependencies),
      dependencies.version,
    );
    return send(reply, response);
  });
}

/**
 * A name in Host must be ours: a page whose name was pointed at this machine (DNS rebinding) sends its own. An address or
 * a name without dots cannot be pointed anywhere by a stranger. Programs send no Origin, and pages of others theirs.
 */
function checkHost({ headers }: FastifyRequest, baseUrl: string): void {
  const own = new URL(baseUrl);
  const host = URL.parse(`http://${headers.host ?? ''}`);
  const name = host?.hostname.replaceAll(/[[\]]/g, '') ?? '';
  if (host === null || (name !== own.hostname && isIP(name) === 0 && name.includes('.')))
    throw new Problem('forbidden', {
      message: `The Host header must name this server, which is ${own.origin} (BASE_URL).`,
    });
  if (headers.origin === undefined) return;
  const origin = URL.parse(headers.origin);
  if (origin === null || (origin.origin !== own.origin && origin.host !== host.host))
    throw new Problem('forbidden', {
      message: `The Origin header must be this server's, which is ${own.origin} (BASE_URL).`,
    });
}

/** Without the key. A client that accepts anything accepts both forms of the answer. */
function forwarded({ headers }: FastifyRequest): Headers {
  const accept = headers.accept ?? '*/*';
  const kept = new Headers({
    'content-type': 'application/json',
    accept: accept.includes('*/*') ? 'application/json, text/event-stream' : accept,
  });
  for (const [name, value] of Object.entries(headers))
    if (name.startsWith('mcp-') && typeof value === 'string') kept.set(name, value);
  return kept;
}

function send(reply: FastifyReply, { status, headers, body }: Response): FastifyReply {
  reply.code(status).header('cache-control', 'no-store').headers(Object.fromEntries(headers));
  return reply.send(body === null ? '' : Readable.fromWeb(body as never));
}

/** The API itself: plans, limits, cache and usage are those of any request. */
function createServerBackend(request: FastifyRequest, caller: Caller, dependencies: HttpDependencies): Backend {
  const { context } = request;
  const { validate, renderer, cards, log } = dependencies;
  async function render({ endpoint, parameters, signal }: BackendRequest) {
    context.endpoint = endpoint;
    context.parameters = storedParameters(parameters);
    if (endpoint === 'og') checkOgPlan(caller.account.plan);
    const validated = await validate(endpoint, parameters, caller);
    const execution = renderer.start(validated, new Deadline(validated.timeoutMs));
    context.execution = execution;
    if (signal.aborted) execution.cancel();
    signal.addEventListener('abort', execution.cancel, { once: true });
    try {
      const result = await execution.result;
      context.outcome = result;
      context.warnings = validated.warnings;
      if (result.cache === 'MISS') context.phases = result.phases;
      const facts = describeResult(result, validated, dependencies) as ResultFacts;
      return { facts, bytes: async () => result.bytes };
    } catch (error) {
      context.phases = execution.phases();
      throw error;
    } finally {
      signal.removeEventListener('abort', execution.cancel);
    }
  }
  return {
    accountId: caller.account.id,
    render: (wanted) =>
      render(wanted).catch((error) => {
        if (error instanceof Problem) context.outcome = error;
        throw error;
      }),
    templates: async () => cards.catalogue,
    onDefect: (error) => log.error({ requestId: request.id, err: error }, 'unhandled error'),
  };
}
