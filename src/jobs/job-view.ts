// Jobs and batches as the API gives them, and as the bodies of webhooks.
import type { BatchRecord, JobCounts, JobRecord, JobWebhooks } from '../store/job-types.ts';

export type BatchView = {
  readonly id: string;
  /** `done` when all its jobs have ended, whatever became of them. */
  readonly status: 'running' | 'done';
  readonly statusUrl: string;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly counts: JobCounts;
};

export function createJobViews(baseUrl: () => string) {
  const statusUrl = (id: string): string => `${baseUrl()}/v1/${id.startsWith('job_') ? 'jobs' : 'batches'}/${id}`;
  /** As JSON: what the row has as JSON is not parsed, because a batch may have megabytes of it. */
  const job = (record: JobRecord): string => {
    const { id, status, kind, createdAt, startedAt, endedAt, batchId } = record;
    const head = { id, status, kind, statusUrl: statusUrl(id), createdAt, startedAt, endedAt };
    const fields = [JSON.stringify({ ...head, ...(batchId !== null && { batchId }) }).slice(1, -1)];
    for (const name of ['metadata', 'result', 'error'] as const)
      if (record[name] !== null) fields.push(`"${name}":${record[name]}`);
    return `{${fields.join(',')}}`;
  };
  const batch = (record: BatchRecord): BatchView => ({
    id: record.id,
    status: record.endedAt === null ? 'running' : 'done',
    statusUrl: statusUrl(record.id),
    createdAt: record.createdAt,
    endedAt: record.endedAt,
    counts: record.counts,
  });
  const message = (type: string, at: number | null, data: string): string =>
    `{"type":"${type}","timestamp":"${new Date(at ?? Date.now()).toISOString()}","data":${data}}`;
  const jobMessage = (record: JobRecord): string =>
    message(record.status === 'done' ? 'job.done' : 'job.failed', record.endedAt, job(record));
  const webhooks: JobWebhooks = {
    job(record, summary) {
      const whole = jobMessage(record);
      const isShort = summary === null || Buffer.byteLength(whole) < longestWebhook;
      return isShort ? whole : jobMessage({ ...record, result: summary });
    },
    batch: (record) => message('batch.done', record.endedAt, JSON.stringify(batch(record))),
  };
  return { job, batch, statusUrl, webhooks };
}

/** Bytes. Longer results are shortened in webhooks. */
const longestWebhook = 20_000;
/** Longer results are shortened in lists. */
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
