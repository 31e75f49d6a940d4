// The account's jobs and batches: lists, progress, cancelling, running again, and a table for spreadsheets.
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { erasedNames, keptParameters } from '../../jobs/stored-request.ts';
import { storedParameters } from '../../render/usage-texts.ts';
import { endpoints } from '../../render/validated-request.ts';
import { type BatchRecord, type JobRecord, type JobsFilter, jobStatuses } from '../../store/job-types.ts';
import type { Account } from '../../store/store.ts';
import { type QueryReader, queryOf, readChoice } from './body.ts';
import type { BatchesView, BatchProgressView, JobItemView, JobsView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import type { Guard } from './guard.ts';
import { registerOn } from './route.ts';
import type { JobsQuery } from './routes.ts';

const pageSize = 25;
/** Rows of one read for the CSV, and rows in all. */
const csvPage = 500;
const csvRows = 100_000;
const longestId = 60;

export function registerDashboardJobs(app: FastifyInstance, dependencies: DashboardDependencies, guard: Guard): void {
  const route = registerOn(app);
  const { store, cache, jobs } = dependencies;

  route('GET /api/jobs', async (request, reply): Promise<JobsView> => {
    const account = await guard.account(request, reply);
    const filter = filterOf(queryOf(request));
    const found = await store.jobs.list(account.id, { ...filter, count: pageSize + 1 });
    const shown = found.slice(0, pageSize);
    return {
      jobs: await Promise.all(shown.map(async (job) => jobView(job, await isStored(account, job)))),
      next: found.length > pageSize ? (shown.at(-1)?.id ?? null) : null,
      ...(await store.jobs.load(account.id)),
    };
  });

  route('GET /api/jobs.csv', async (request, reply) => {
    const account = await guard.account(request, reply);
    const filter = filterOf(queryOf(request));
    const lines = async function* () {
      yield `${csvColumns.join(',')}\r\n`;
      let after: string | undefined;
      for (let rows = 0; rows < csvRows; rows += csvPage) {
        const page = await store.jobs.list(account.id, { ...filter, count: csvPage, after });
        for (const job of page) yield `${csvLine(job)}\r\n`;
        after = page.at(-1)?.id;
        if (page.length < csvPage) return;
      }
    };
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="tintype-jobs.csv"')
      .send(Readable.from(lines()));
  });

  route('DELETE /api/jobs/:id', async (request, reply) => {
    const account = await guard.account(request, reply);
    await jobs.cancel(account.id, request.params.id.slice(0, longestId));
    return reply.code(204).send();
  });

  route('POST /api/jobs/:id/retry', async (request, reply) => {
    const account = await guard.account(request, reply);
    return { id: await jobs.runAgain(account, request.params.id.slice(0, longestId)) };
  });

  route('GET /api/batches', async (request, reply): Promise<BatchesView> => {
    const account = await guard.account(request, reply);
    const after = queryOf(request).get('after') ?? undefined;
    const found = await store.jobs.batches(account.id, pageSize + 1, after?.slice(0, longestId));
    const shown = found.slice(0, pageSize);
    return { batches: shown.map(batchView), next: found.length > pageSize ? (shown.at(-1)?.id ?? null) : null };
  });

  route('GET /api/batches/:id', async (request, reply): Promise<BatchProgressView> => {
    const account = await guard.account(request, reply);
    return batchView(await jobs.batchRecord(account.id, request.params.id.slice(0, longestId)));
  });

  route('DELETE /api/batches/:id', async (request, reply) => {
    const account = await guard.account(request, reply);
    await jobs.cancelBatch(account.id, request.params.id.slice(0, longestId));
    return reply.code(204).send();
  });

  async function isStored(account: Account, { cacheKey }: JobRecord): Promise<boolean> {
    return cacheKey !== null && (await cache.find(cacheKey))?.accountId === account.id;
  }
}

function filterOf(query: QueryReader<JobsQuery>): Omit<JobsFilter, 'count'> {
  const [status, kind] = [query.get('status'), query.get('kind')];
  return {
    ...(status !== null && { status: readChoice(status, 'status', jobStatuses) }),
    ...(kind !== null && { kind: readChoice(kind, 'kind', endpoints) }),
    batchId: query.get('batch')?.slice(0, longestId),
    after: query.get('after')?.slice(0, longestId),
  };
}

type ErrorText = { readonly error: string; readonly code: string };

function jobView(job: JobRecord, stored: boolean): JobItemView {
  const { id, kind, status, batchId, batchIndex, attempts, createdAt, startedAt, endedAt } = job;
  const erased = erasedNames(kind, job.request);
  const error: ErrorText | null = job.error === null ? null : JSON.parse(job.error);
  const ended = status === 'failed' || status === 'canceled';
  return {
    ...{ id, kind, status, batchId, batchIndex, attempts, createdAt, startedAt, endedAt },
    subject: job.subject,
    parameters: JSON.parse(storedParameters(keptParameters(job.request))),
    metadata: job.metadata === null ? null : JSON.parse(job.metadata),
    error: error && { text: error.error, code: error.code },
    result: job.result === null ? null : JSON.parse(job.result),
    captureId: stored ? job.cacheKey : null,
    canRunAgain: ended && erased.length === 0,
  };
}

function batchView({ id, createdAt, endedAt, size, counts }: BatchRecord): BatchProgressView {
  return { id, createdAt, endedAt, size, counts };
}

const csvColumns = ['id', 'batch', 'kind', 'subject', 'status', 'created', 'ended', 'error', 'result'] as const;

function csvLine(job: JobRecord): string {
  const time = (at: number | null) => (at === null ? '' : new Date(at).toISOString());
  const error: ErrorText | null = job.error === null ? null : JSON.parse(job.error);
  const result = job.result === null ? null : (JSON.parse(job.result) as { imageUrl?: string | null });
  return [
    job.id,
    job.batchId ?? '',
    job.kind,
    job.subject,
    job.status,
    time(job.createdAt),
    time(job.endedAt),
    error === null ? '' : `${error.code}: ${error.error}`,
    result?.imageUrl ?? '',
  ]
    .map(csvField)
    .join(',');
}

/** A spreadsheet takes a field that begins like this for a formula, and callers choose some of the texts. */
function csvField(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
