// Jobs and batches as the API gives them, and as the bodies of webhooks.
import type { BatchRecord, JobCounts, JobRecord, JobStatus, JobWebhooks } from '../store/job-types.ts';

export type JobView = {
  readonly id: string;
  readonly status: JobStatus;
  readonly kind: JobRecord['kind'];
  readonly statusUrl: string;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly batchId?: string;
  readonly metadata?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
};

export type BatchView = {
  readonly id: string;
  /** `done` when all its jobs have ended, whatever became of them. */
  readonly status: 'running' | 'done';
  readonly statusUrl: string;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly counts: JobCounts;
};

export type JobViews = ReturnType<typeof createJobViews>;

export function createJobViews(baseUrl: () => string) {
  const statusUrl = (id: string): string => `${baseUrl()}/v1/${id.startsWith('job_') ? 'jobs' : 'batches'}/${id}`;
  const job = (record: JobRecord): JobView => ({
    id: record.id,
    status: record.status,
    kind: record.kind,
    statusUrl: statusUrl(record.id),
    createdAt: record.createdAt,
    startedAt: record.startedAt,
    endedAt: record.endedAt,
    ...(record.batchId !== null && { batchId: record.batchId }),
    ...(record.metadata !== null && { metadata: JSON.parse(record.metadata) }),
    ...(record.result !== null && { result: JSON.parse(record.result) }),
    ...(record.error !== null && { error: JSON.parse(record.error) }),
  });
  const batch = (record: BatchRecord): BatchView => ({
    id: record.id,
    status: record.endedAt === null ? 'running' : 'done',
    statusUrl: statusUrl(record.id),
    createdAt: record.createdAt,
    endedAt: record.endedAt,
    counts: record.counts,
  });
  const message = (type: string, at: number | null, data: unknown): string =>
    JSON.stringify({ type, timestamp: new Date(at ?? Date.now()).toISOString(), data });
  const webhooks: JobWebhooks = {
    job: (record) => message(record.status === 'done' ? 'job.done' : 'job.failed', record.endedAt, job(record)),
    batch: (record) => message('batch.done', record.endedAt, batch(record)),
  };
  return { job, batch, statusUrl, webhooks };
}

/** Longer results are shortened in lists and webhooks. */
const longestResult = 4000;

/** The result without its longest fields, which `omitted` names; null if it is short enough as it is. */
export function summaryOf(result: Readonly<Record<string, unknown>>, text: string): string | null {
  if (text.length <= longestResult) return null;
  const sizes = Object.entries(result)
    .map(([name, value]) => ({ name, size: JSON.stringify(value)?.length ?? 0 }))
    .sort((a, b) => b.size - a.size);
  let excess = text.length - longestResult + 500;
  const omitted: string[] = [];
  for (const { name, size } of sizes) {
    if (excess <= 0) break;
    omitted.push(name);
    excess -= size;
  }
  const kept = Object.entries(result).filter(([name]) => !omitted.includes(name));
  return JSON.stringify({ ...Object.fromEntries(kept), omitted });
}
