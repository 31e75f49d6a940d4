// Reads the body of POST /v1/jobs and /v1/batches. An error names the field: `metadata`, or in a batch
// `requests[299].request.width`.
import { invalidParameter, Problem } from '../kernel/errors.ts';
import { isObject } from '../kernel/is-object.ts';
import { ownTurn } from '../kernel/own-turn.ts';
import { parametersIn, type RequestParameters, tables } from '../render/endpoint-tables.ts';
import type { Validate } from '../render/validate.ts';
import { type Endpoint, endpoints, type Requester } from '../render/validated-request.ts';

export const mostInBatch = 500;
const longestMetadata = 4096;

type Fields = Readonly<Record<string, unknown>>;

export type CheckedJob = {
  readonly kind: Endpoint;
  readonly parameters: RequestParameters;
  readonly metadata: string | null;
};

export type SubmissionChecks = {
  readonly validate: Validate;
  /** Throws if a webhook may not be sent there. Returns its address. */
  readonly checkWebhook: (url: unknown) => string;
};

export async function readJob(
  body: Fields,
  requester: Requester,
  checks: SubmissionChecks,
): Promise<CheckedJob & WithWebhook> {
  refuseOthers(body, ['kind', 'request', 'webhook', 'metadata']);
  return { ...(await checkedJob(body, requester, checks.validate)), webhook: webhookIn(body, checks) };
}

type WithWebhook = { readonly webhook: string | null };

/** A request takes up to a few milliseconds to check, so every one has its own turn of the event loop. */
export async function readBatch(
  body: Fields,
  requester: Requester,
  checks: SubmissionChecks,
): Promise<{ readonly jobs: readonly CheckedJob[] } & WithWebhook> {
  refuseOthers(body, ['requests', 'webhook']);
  const { requests } = body;
  const expects = `requests must be an array of 1 to ${mostInBatch} objects.`;
  if (requests === undefined || requests === null)
    throw new Problem('missing_parameter', { parameter: 'requests', message: expects });
  if (!Array.isArray(requests) || requests.length === 0 || requests.length > mostInBatch)
    throw invalidParameter('requests', expects);
  const webhook = webhookIn(body, checks);
  const jobs: CheckedJob[] = [];
  for (const [index, each] of requests.entries()) {
    jobs.push(await inBatch(index, () => jobOfBatch(each, requester, checks.validate)));
    await ownTurn();
  }
  return { jobs, webhook };
}

async function jobOfBatch(each: unknown, requester: Requester, validate: Validate): Promise<CheckedJob> {
  if (!isObject(each))
    throw new Problem('invalid_parameter', { message: 'it must be an object with kind and request.' });
  refuseOthers(each, ['kind', 'request', 'metadata']);
  return checkedJob(each, requester, validate, 'request.');
}

async function inBatch<T>(index: number, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const place = `requests[${index}]`;
    throw new Problem(error.code, {
      message: `${place}: ${error.message}`,
      parameter: error.parameter === undefined ? place : `${place}.${error.parameter}`,
      ...(error.requiredPlan !== undefined && { requiredPlan: error.requiredPlan }),
    });
  }
}

/** `prefix` is for the names of the request's own parameters. */
async function checkedJob(fields: Fields, requester: Requester, validate: Validate, prefix = ''): Promise<CheckedJob> {
  const { request } = fields;
  const kind = endpoints.find((endpoint) => endpoint === fields.kind);
  if (kind === undefined)
    throw new Problem(fields.kind === undefined ? 'missing_parameter' : 'invalid_parameter', {
      parameter: 'kind',
      message: `kind must be one of ${endpoints.join(', ')}.`,
    });
  if (!isObject(request))
    throw new Problem(request === undefined ? 'missing_parameter' : 'invalid_parameter', {
      parameter: 'request',
      message: `request must be an object, as POST /v1/${kind} takes it.`,
    });
  const metadata = metadataIn(fields);
  try {
    const parameters = parametersIn(kind, request);
    await validate(kind, knownOnly(kind, parameters), requester);
    return { kind, parameters, metadata };
  } catch (error) {
    if (!(error instanceof Problem) || error.parameter === undefined || prefix === '') throw error;
    throw new Problem(error.code, {
      message: error.message,
      parameter: prefix + error.parameter,
      ...(error.requiredPlan !== undefined && { requiredPlan: error.requiredPlan }),
    });
  }
}

/** Nobody sees the warnings about unknown parameters, and the search for similar names takes longer than all other checks. */
function knownOnly(kind: Endpoint, parameters: RequestParameters): RequestParameters {
  // For a card, the others are variables of its template.
  if (kind === 'og') return parameters;
  return new Map([...parameters].filter(([name]) => Object.hasOwn(tables[kind], name)));
}

function metadataIn({ metadata }: Fields): string | null {
  if (metadata === undefined || metadata === null) return null;
  const text = isObject(metadata) ? JSON.stringify(metadata) : undefined;
  if (text === undefined || Buffer.byteLength(text) > longestMetadata)
    throw invalidParameter('metadata', `metadata must be an object of at most ${longestMetadata} bytes of JSON.`);
  return text;
}

function webhookIn({ webhook }: Fields, { checkWebhook }: SubmissionChecks): string | null {
  if (webhook === undefined || webhook === null) return null;
  return checkWebhook(webhook);
}

function refuseOthers(fields: Fields, known: readonly string[]): void {
  const other = Object.keys(fields).find((name) => !known.includes(name));
  if (other === undefined) return;
  const shown = other.slice(0, 40);
  throw invalidParameter(shown, `${shown} is unknown here; the fields are ${known.join(', ')}.`);
}
