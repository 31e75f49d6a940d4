// Jobs and batches in the OpenAPI document.
import { mostInBatch } from '../jobs/submission.ts';
import { endpoints } from '../render/validated-request.ts';
import { jobStatuses } from '../store/job-types.ts';
import { jobListParameters } from './jobs.ts';
import { parametersOf } from './openapi-operations.ts';
import { errors, headersOf, ref } from './openapi-responses.ts';

type Json = Record<string, unknown>;

const answer = (status: number, description: string, schema: Json, headers?: Json) => ({
  [status]: { description, ...(headers && { headers }), content: { 'application/json': { schema } } },
});
const acceptedHeaders = headersOf('Location', 'Idempotency-Replayed');
const body = (schema: string, value: Json) => ({
  required: true,
  description: 'One JSON object of at most 4 MB.',
  content: { 'application/json': { schema: ref(schema), examples: { example: { summary: 'an example', value } } } },
});
const withId = [{ name: 'id', in: 'path', required: true, description: 'The id.', schema: { type: 'string' } }];
const idempotency = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key and body within 24 hours is the same job or batch; another body is 409.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
];
const accepting = [400, 401, 403, 409, 413, 415, 429];

export const jobPaths: Json = {
  '/v1/jobs': {
    post: {
      tags: ['Jobs'],
      operationId: 'createJob',
      summary: 'Render later',
      description:
        'The request is checked at once, and rendered when nobody waits. It counts as a render when it runs. Nothing that was accepted is lost.',
      parameters: idempotency,
      requestBody: body('JobBody', {
        kind: 'screenshot',
        request: { url: 'https://example.com/', fullPage: true },
        webhook: 'https://example.com/hooks/tintype',
        metadata: { order: 7 },
      }),
      responses: { ...answer(202, 'Accepted.', ref('AcceptedJob'), acceptedHeaders), ...errors(accepting) },
    },
    get: {
      tags: ['Jobs'],
      operationId: 'listJobs',
      summary: 'The jobs of the account, newest first',
      description: '`next` is the `after` of the next page.',
      parameters: parametersOf(jobListParameters),
      responses: { ...answer(200, 'Long texts are left out of results.', ref('JobList')), ...errors([400, 401]) },
    },
  },
  '/v1/jobs/{id}': {
    get: {
      tags: ['Jobs'],
      operationId: 'job',
      summary: 'One job',
      description: 'Its status, and its result or its error once it has ended. It is kept for 7 days.',
      parameters: withId,
      responses: { ...answer(200, 'The job.', ref('Job')), ...errors([401, 404]) },
    },
    delete: {
      tags: ['Jobs'],
      operationId: 'cancelJob',
      summary: 'Cancel a job that has not begun',
      description: 'A job that is running or has ended is 409.',
      parameters: withId,
      responses: { ...answer(200, 'The canceled job.', ref('Job')), ...errors([401, 404, 409]) },
    },
  },
  '/v1/batches': {
    post: {
      tags: ['Jobs'],
      operationId: 'createBatch',
      summary: `Render up to ${mostInBatch} requests later`,
      description:
        'All requests are accepted, or none: an error names the request, such as `requests[299].request.width`.',
      parameters: idempotency,
      requestBody: body('BatchBody', {
        requests: [
          { kind: 'screenshot', request: { url: 'https://example.com/' } },
          { kind: 'og', request: { template: 'quote', title: 'Hello' }, metadata: { row: 2 } },
        ],
        webhook: 'https://example.com/hooks/tintype',
      }),
      responses: { ...answer(202, 'Accepted.', ref('AcceptedBatch'), acceptedHeaders), ...errors(accepting) },
    },
  },
  '/v1/batches/{id}': {
    get: {
      tags: ['Jobs'],
      operationId: 'batch',
      summary: 'A batch and its jobs',
      description: 'How many of its jobs are in which state, and the jobs. It is kept for 7 days.',
      parameters: withId,
      responses: { ...answer(200, 'The batch; its jobs without long texts.', ref('Batch')), ...errors([401, 404]) },
    },
    delete: {
      tags: ['Jobs'],
      operationId: 'cancelBatch',
      summary: 'Cancel the jobs of a batch that have not begun',
      description: 'Jobs that are running go on.',
      parameters: withId,
      responses: { ...answer(200, 'The batch, without its jobs.', ref('Batch')), ...errors([401, 404]) },
    },
  },
};

const time = (description: string): Json => ({
  type: ['integer', 'null'],
  description: `${description} Unix time in milliseconds.`,
});
const id = (prefix: string): Json => ({ type: 'string', pattern: `^${prefix}_[0-9a-z]+$` });
const address: Json = { type: 'string', format: 'uri' };
const metadata: Json = {
  type: ['object', 'null'],
  description: 'Yours: it is given back as it is. At most 4 KB of JSON.',
};
const webhook: Json = {
  type: ['string', 'null'],
  format: 'uri',
  description: 'Where the end is reported, by the rules of Standard Webhooks. http or https.',
};

const request = {
  kind: { type: 'string', enum: endpoints },
  request: {
    anyOf: ['ScreenshotBody', 'CardBody', 'ContentBody'].map(ref),
    description: 'As the POST of this kind takes it.',
  },
  metadata,
};
const accepted = (prefix: string) => ({ id: id(prefix), statusUrl: address, createdAt: { type: 'integer' } });
const counts = {
  type: 'object',
  required: jobStatuses,
  properties: Object.fromEntries(jobStatuses.map((status) => [status, { type: 'integer' }])),
};
const status = { type: 'string', enum: jobStatuses };

export const jobSchemas: Json = {
  JobBody: {
    type: 'object',
    required: ['kind', 'request'],
    properties: { ...request, webhook },
    additionalProperties: false,
  },
  BatchBody: {
    type: 'object',
    required: ['requests'],
    properties: {
      requests: {
        type: 'array',
        minItems: 1,
        maxItems: mostInBatch,
        items: { type: 'object', required: ['kind', 'request'], properties: request, additionalProperties: false },
      },
      webhook,
    },
    additionalProperties: false,
  },
  AcceptedJob: {
    type: 'object',
    required: ['id', 'status', 'statusUrl', 'createdAt'],
    properties: { ...accepted('job'), status },
  },
  AcceptedBatch: {
    type: 'object',
    required: ['id', 'statusUrl', 'createdAt', 'counts'],
    properties: { ...accepted('batch'), counts },
  },
  Job: {
    type: 'object',
    required: ['id', 'status', 'kind', 'statusUrl', 'createdAt', 'startedAt', 'endedAt'],
    properties: {
      ...accepted('job'),
      status,
      kind: request.kind,
      startedAt: time('When it was begun.'),
      endedAt: time('When it ended.'),
      batchId: id('batch'),
      metadata,
      result: {
        anyOf: ['Screenshot', 'Card', 'Content', 'ShortenedResult'].map(ref),
        description:
          'With `done`: what `response=json` gives. In lists and webhooks without its longest fields, which `omitted` then names.',
      },
      error: { ...ref('Error'), description: 'With `failed`.' },
    },
  },
  ShortenedResult: {
    type: 'object',
    required: ['omitted'],
    properties: {
      omitted: { type: 'array', items: { type: 'string' }, description: 'The fields that are left out, by name.' },
    },
    description: 'A result without its longest fields.',
  },
  JobList: {
    type: 'object',
    required: ['jobs', 'next'],
    properties: {
      jobs: { type: 'array', items: ref('Job') },
      next: { type: ['string', 'null'], description: '`after` of the next page; null on the last.' },
    },
  },
  Batch: {
    type: 'object',
    required: ['id', 'status', 'statusUrl', 'createdAt', 'endedAt', 'counts'],
    properties: {
      ...accepted('batch'),
      status: { type: 'string', enum: ['running', 'done'], description: '`done` when all its jobs have ended.' },
      endedAt: time('When the last of its jobs ended.'),
      counts,
      jobs: { type: 'array', items: ref('Job') },
    },
  },
};
