// Work that nobody waits for, and waiting for it all the same.
import { TintypeError } from './errors.ts';
import type {
  AcceptedBatch,
  AcceptedJob,
  ContentMetadata,
  ErrorBody,
  JobListOptions,
  OgMetadata,
  ScreenshotMetadata,
} from './generated.ts';
import { pause } from './pause.ts';
import {
  bodyOf,
  type ContentRequest,
  type OgRequest,
  type PdfRequest,
  queryOf,
  type ScreenshotRequest,
} from './requests.ts';
import { limited, type RequestOptions, readJson, type Send } from './transport.ts';

export type JobMetadata = { readonly [name: string]: unknown };

export type JobRequest = (
  | { readonly kind: 'screenshot'; readonly request: ScreenshotRequest | (PdfRequest & { readonly format: 'pdf' }) }
  | { readonly kind: 'og'; readonly request: OgRequest }
  | { readonly kind: 'content'; readonly request: ContentRequest }
) & {
  /** Yours: it comes back with the job. At most 4 KB of JSON. */
  readonly metadata?: JobMetadata | undefined;
};

type Webhook = {
  /** Called when the work has ended, by the rules of Standard Webhooks. */
  readonly webhook?: string | undefined;
};

export type JobInput = JobRequest & Webhook;
export type BatchInput = Webhook & {
  /** 1 to 500. */
  readonly requests: readonly JobRequest[];
};

type Results = { screenshot: ScreenshotMetadata; og: OgMetadata; content: ContentMetadata };
export type JobKind = keyof Results;

type JobHead<Kind extends JobKind> = {
  readonly id: string;
  readonly kind: Kind;
  readonly statusUrl: string;
  /** Unix milliseconds, as the other times. */
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly batchId?: string;
  readonly metadata?: JobMetadata;
};

export type PendingJob = { [Kind in JobKind]: JobHead<Kind> & { readonly status: 'queued' | 'running' } }[JobKind];

export type EndedJob = {
  [Kind in JobKind]: JobHead<Kind> &
    (
      | { readonly status: 'done'; readonly result: Results[Kind] }
      | { readonly status: 'failed'; readonly error: ErrorBody }
      | { readonly status: 'canceled' }
    );
}[JobKind];

export type Job = PendingJob | EndedJob;

/** In lists a long result lacks its longest fields, which `omitted` names: `get` has them. */
type Summary<J> = J extends { readonly result: infer Result }
  ? Omit<J, 'result'> & { readonly result: Partial<Result> & { readonly omitted?: readonly string[] } }
  : J;
export type ListedJob = Summary<Job>;

export type JobList = {
  readonly jobs: readonly ListedJob[];
  /** `after` of the next page; null on the last. */
  readonly next: string | null;
};

export type Batch = AcceptedBatch & { readonly status: 'running' | 'done'; readonly endedAt: number | null };
export type BatchWithJobs = Batch & { readonly jobs: readonly ListedJob[] };

export type CreateOptions = RequestOptions & {
  /** The same key and body within 24 hours is the same job. By default a random one, so that a retry creates no second job. */
  readonly idempotencyKey?: string | undefined;
};

export type WaitOptions = Pick<RequestOptions, 'signal'> & {
  /** Milliseconds for the whole wait. Default: 10 minutes. */
  readonly timeout?: number | undefined;
};

const firstPollMs = 1000;
const longestPollMs = 5000;
/** For the answer to the last question, which is asked when the time is over. */
const lastAnswerMs = 1000;

export function createJobs(send: Send) {
  const json = async <T>(...call: Parameters<Send>) => readJson<T>(await send(...call));
  const path = (id: string) => `/v1/jobs/${encodeURIComponent(id)}`;
  const get = (id: string, options?: RequestOptions) => json<Job>({ method: 'GET', path: path(id) }, options);
  return {
    /** The request is checked at once; what is wrong with it is the error that it would have without a job. */
    create: (job: JobInput, options: CreateOptions = {}) =>
      json<AcceptedJob>(
        { method: 'POST', path: '/v1/jobs', body: withBody(job), headers: idempotency(options) },
        options,
      ),
    get,
    /** Newest first. */
    list: (which: JobListOptions = {}, options?: RequestOptions) =>
      json<JobList>({ method: 'GET', path: `/v1/jobs?${queryOf(which)}` }, options),
    /** Throws `conflict` for a job that has begun. */
    cancel: (id: string, options?: RequestOptions) => json<EndedJob>({ method: 'DELETE', path: path(id) }, options),
    /** The job once it has ended, whatever came of it: see its `status`. */
    wait: (id: string, options?: WaitOptions): Promise<EndedJob> =>
      poll(
        (each) => get(id, each),
        (job): job is EndedJob => !isPending(job),
        options,
      ),
  };
}

export function createBatches(send: Send) {
  const json = async <T>(...call: Parameters<Send>) => readJson<T>(await send(...call));
  const path = (id: string) => `/v1/batches/${encodeURIComponent(id)}`;
  const get = (id: string, options?: RequestOptions) => json<BatchWithJobs>({ method: 'GET', path: path(id) }, options);
  return {
    /** All requests are accepted, or none: `parameter` of the error names the request, such as `requests[2].request.width`. */
    create: ({ requests, webhook }: BatchInput, options: CreateOptions = {}) =>
      json<AcceptedBatch>(
        {
          method: 'POST',
          path: '/v1/batches',
          body: { requests: requests.map(withBody), webhook },
          headers: idempotency(options),
        },
        options,
      ),
    get,
    /** Cancels the jobs that have not begun. */
    cancel: (id: string, options?: RequestOptions) => json<Batch>({ method: 'DELETE', path: path(id) }, options),
    /** The batch once all of its jobs have ended. */
    wait: (id: string, options?: WaitOptions): Promise<BatchWithJobs> =>
      poll(
        (each) => get(id, each),
        (batch): batch is BatchWithJobs => batch.status === 'done',
        options,
      ),
  };
}

const isPending = ({ status }: Job): boolean => status === 'queued' || status === 'running';

const withBody = <Input extends JobRequest>(job: Input) => ({ ...job, request: bodyOf(job.request) });

function idempotency({ idempotencyKey = randomKey() }: CreateOptions): Record<string, string> {
  return { 'idempotency-key': idempotencyKey };
}

const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

async function poll<T, Ended extends T>(
  get: (options: RequestOptions) => Promise<T>,
  hasEnded: (value: T) => value is Ended,
  { signal, timeout = 600_000 }: WaitOptions = {},
): Promise<Ended> {
  const until = Date.now() + timeout;
  const message = `It has not ended within ${timeout} ms.`;
  signal?.throwIfAborted();
  const limit = limited(timeout + lastAnswerMs, signal, message);
  try {
    for (let wait = firstPollMs; ; wait = Math.min(longestPollMs, wait * 1.5)) {
      const found = await get({ signal: limit.signal });
      if (hasEnded(found)) return found;
      const left = until - Date.now();
      if (left <= 0) throw new TintypeError({ code: 'timeout', message });
      await pause(Math.min(wait, left), limit.signal);
    }
  } finally {
    limit.end();
  }
}
