// What is written about a request: the log line, the metrics and the usage record when it has ended, and what the watchdog logs
// while it is in flight.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../kernel/errors.ts';
import { roundedPhases, usageRecord } from '../render/usage-record.ts';
import type { HttpDependencies } from './dependencies.ts';
import { pathOf } from './request-context.ts';
import type { InWork } from './watchdog.ts';

/** Characters of a path in the log: enough to recognise the request. */
const longestLoggedPath = 200;

const loggedPath = (request: FastifyRequest): string => pathOf(request).slice(0, longestLoggedPath);

export function recordRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { log, metrics, journal }: Pick<HttpDependencies, 'log' | 'metrics' | 'journal'>,
): void {
  const { context } = request;
  const { requester, endpoint, outcome, phases } = context;
  const totalMs = performance.now() - context.startedAt;
  const route = request.routeOptions.url ?? 'none';
  // Nothing was sent to a client that left before the response, whatever status was prepared.
  const status = reply.raw.writableFinished ? reply.statusCode : 499;
  metrics.observe(route, request.method, status, totalMs / 1000, context);
  const problem = outcome instanceof Problem ? outcome : undefined;
  const result = outcome instanceof Problem ? undefined : outcome;
  const verdict = problem?.verdict ?? result?.meta.verdict;
  // A failed tool call of /mcp is a 200 with the problem in it.
  const recorded = status === 499 ? status : (problem?.status ?? status);
  const level = recorded >= 500 ? 'error' : 'info';
  log[level](
    {
      requestId: request.id,
      method: request.method,
      path: loggedPath(request),
      status,
      ms: Math.round(totalMs * 10) / 10,
      // What is undefined is not logged.
      account: requester?.account.id,
      key: requester?.key?.id,
      cache: result?.cache,
      code: problem?.code,
      // A full disk, or what the database says.
      cause: problem?.code === 'storage_unavailable' ? String(problem.cause).slice(0, 300) : undefined,
      verdict: verdict?.ok === false ? verdict.codes : undefined,
      phases: phases && roundedPhases(phases),
    },
    'request',
  );
  if (requester === undefined || endpoint === undefined) return;
  const { parameters = '{}', warnings } = context;
  journal.write(
    usageRecord({
      id: request.id,
      requester,
      endpoint,
      parameters,
      outcome,
      status: recorded,
      totalMs,
      phases,
      warnings,
    }),
  );
}

export function requestInWork(request: FastifyRequest): InWork {
  const { startedAt, endpoint, requester, execution } = request.context;
  return {
    id: request.id,
    ageMs: Math.round(performance.now() - startedAt),
    method: request.method,
    path: loggedPath(request),
    endpoint,
    account: requester?.account.id,
    step: execution?.step(),
  };
}
