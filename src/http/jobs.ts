// /v1/jobs and /v1/batches: 401 → the body (413, 415, 400) → the idempotency key (409) → validate (400, 403) → 429, or 202 once
// the jobs are committed.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Idempotency } from '../jobs/acceptance.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { mostInBatch, readBatch, readJob } from '../jobs/submission.ts';
import { createAccountSlots } from '../kernel/account-slots.ts';
import { invalidParameter } from '../kernel/errors.ts';
import { choice, int, type Kind } from '../kernel/kinds.ts';
import { parse, readQuery, type Table } from '../kernel/parameters.ts';
import { jobStatuses } from '../store/job-types.ts';
import { readJson } from './body-reader.ts';
import { type Caller, identify } from './caller.ts';
import type { HttpDependencies } from './dependencies.ts';
import { refuseQuery } from './post.ts';
import { rawQueryOf } from './request-context.ts';

/** 500 requests of 100 values. */
const mostValuesOfBatch = 50_000;
const longestKey = 200;

const id = /^(?:job|batch)_[0-9a-z]{1,40}$/;

/** Jobs are listed by their ids, so anything else than one would be the first page again, or none. */
const jobId: Kind<string> = {
  parse: (value) => (/^job_[0-9a-z]{1,40}$/.test(value) ? value : undefined),
  expects: 'the id of a job, such as next of the list before',
  schema: { type: 'string', pattern: '^job_[0-9a-z]{1,40}$' },
  input: 'text',
};

/** The parameters of GET /v1/jobs. */
export const jobListParameters = {
  status: { kind: choice(jobStatuses), doc: 'Only jobs with this status.', stage: 'answer', cache: 'never' },
  limit: { kind: int(1, 100), default: 20, doc: 'How many jobs.', stage: 'answer', cache: 'never' },
  after: {
    kind: jobId,
    doc: 'Only jobs that were made before this one: `next` of the list before.',
    stage: 'answer',
    cache: 'never',
  },
} as const satisfies Table;

type WithId = { Params: { id: string } };

export type JobsHttp = Pick<HttpDependencies, 'jobs' | 'jobChecks'>;

export function registerJobs(app: FastifyInstance, dependencies: HttpDependencies): void {
  const { jobs } = dependencies;
  app.post('/v1/jobs', async (request, reply) => {
    const caller = await identify(request, dependencies);
    const { body, idempotency } = await read(request, reply, caller, jobs);
    const { id: jobId, createdAt } = await onlyOnce(reply, caller, idempotency, jobs, () =>
      accept(caller, body, idempotency, dependencies),
    );
    const statusUrl = jobs.statusUrl(jobId);
    reply.code(202).header('location', statusUrl);
    if (createdAt !== undefined) return { id: jobId, status: 'queued', statusUrl, createdAt };
    const { status, createdAt: before } = await jobs.find(caller.account.id, jobId);
    return { id: jobId, status, statusUrl, createdAt: before };
  });

  app.post('/v1/batches', async (request, reply) => {
    const caller = await identify(request, dependencies);
    const { body, idempotency } = await read(request, reply, caller, jobs, mostValuesOfBatch);
    const { id: batchId } = await onlyOnce(reply, caller, idempotency, jobs, () =>
      acceptBatch(caller, body, idempotency, dependencies),
    );
    const { statusUrl, createdAt, counts } = await jobs.batch(caller.account.id, batchId);
    return reply.code(202).header('location', statusUrl).send({ id: batchId, statusUrl, createdAt, counts });
  });

  app.get('/v1/jobs', async (request, reply) => {
    const { account, key } = await identify(request, dependencies);
    const { status, limit, after } = parse(readQuery(rawQueryOf(request)), jobListParameters).values;
    const list = await jobs.list(account.id, { count: limit + 1, status, after, keyId: onlyOf(key) });
    const shown = list.slice(0, limit);
    const next = list.length > limit ? (shown.at(-1)?.id ?? null) : null;
    return sendJson(reply, `{"jobs":[${shown.map(jobs.view).join(',')}],"next":${JSON.stringify(next)}}`);
  });

  app.get<WithId>('/v1/jobs/:id', async (request, reply) => {
    const { account, key } = await identify(request, dependencies);
    return sendJson(reply, jobs.view(await jobs.find(account.id, idOf(request), onlyOf(key))));
  });

  app.delete<WithId>('/v1/jobs/:id', async (request, reply) => {
    const { account, key } = await identify(request, dependencies);
    return sendJson(reply, jobs.view(await jobs.cancel(account.id, idOf(request), onlyOf(key))));
  });

  app.get<WithId>('/v1/batches/:id', async (request, reply) => {
    const { account, key } = await identify(request, dependencies);
    const batch = await jobs.batch(account.id, idOf(request), onlyOf(key));
    const list = await jobs.list(account.id, { count: mostInBatch, batchId: batch.id });
    const head = JSON.stringify(batch).slice(0, -1);
    return sendJson(reply, `${head},"jobs":[${list.map(jobs.view).join(',')}]}`);
  });

  app.delete<WithId>('/v1/batches/:id', async (request) => {
    const { account, key } = await identify(request, dependencies);
    return jobs.cancelBatch(account.id, idOf(request), onlyOf(key));
  });
}

const sendJson = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(text);

/**
 * A key that is limited to hosts or templates sees and cancels only the jobs that were made with it: the results of others
 * may show what it may not render.
 */
const onlyOf = (key: Caller['key']): string | undefined =>
  key.allowedHosts || key.allowedTemplates ? key.id : undefined;

/** An id that none of ours can be is looked up as an empty one. */
const idOf = ({ params }: FastifyRequest<WithId>): string => (id.test(params.id) ? params.id : '');

async function read(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  jobs: Pick<Jobs, 'idempotency'>,
  mostValues?: number,
) {
  const key = request.headers['idempotency-key'];
  if (key !== undefined && (typeof key !== 'string' || key === '' || key.length > longestKey))
    throw invalidParameter('Idempotency-Key', `Idempotency-Key must be a text of 1 to ${longestKey} characters.`);
  const body = await readJson(request, reply, caller.account.id, mostValues);
  refuseQuery(rawQueryOf(request));
  const idempotency =
    key === undefined ? undefined : jobs.idempotency(scoped(key, caller), request.routeOptions.url ?? '', body);
  return { body, idempotency };
}

/** A key that does not see the jobs of others has idempotency keys of its own. No header contains a line break. */
const scoped = (idempotencyKey: string, { key }: Caller): string =>
  onlyOf(key) === undefined ? idempotencyKey : `${key.id}\n${idempotencyKey}`;

/** The job or batch that was made with this idempotency key, before or at this moment, or the one that `accept` makes. */
async function onlyOnce(
  reply: FastifyReply,
  { account }: Caller,
  idempotency: Idempotency | undefined,
  jobs: Pick<Jobs, 'known'>,
  accept: () => ReturnType<Jobs['accept']>,
): ReturnType<Jobs['accept']> {
  const known = idempotency && (await jobs.known(account.id, idempotency));
  const accepted = known === undefined ? await accept() : { id: known };
  if (accepted.createdAt === undefined) reply.header('idempotency-replayed', 'true');
  return accepted;
}

type Body = Readonly<Record<string, unknown>>;

async function accept(caller: Caller, body: Body, idempotency: Idempotency | undefined, { jobs, jobChecks }: JobsHttp) {
  const { webhook, ...job } = await readJob(body, caller, jobChecks);
  const { account, key } = caller;
  return jobs.accept({ account, keyId: key.id, jobs: [job], as: 'job', webhook, idempotency });
}

async function acceptBatch(
  caller: Caller,
  body: Body,
  idempotency: Idempotency | undefined,
  { jobs, jobChecks }: JobsHttp,
) {
  const { account, key } = caller;
  const { webhook, jobs: checked } = await oneAtATime(account.id, undefined, () => readBatch(body, caller, jobChecks));
  return jobs.accept({ account, keyId: key.id, jobs: checked, as: 'batch', webhook, idempotency });
}

/** Batches of one account that may wait for their check: a client that goes away leaves its body of up to 4 MB here. */
const mostChecks = 16;
/** Checks the batches of one account one after the other, so that others need not wait for many of them. */
const oneAtATime = createAccountSlots(1, {
  most: mostChecks,
  message: `${mostChecks} batches of this account are being checked. Send fewer at once.`,
});
