// The responses of the OpenAPI document: their media types, headers and errors.
import { textFormats } from '../content/content-types.ts';
import { textMediaType } from '../content/stored-text.ts';
import { type ErrorCode, errorTable } from '../kernel/errors.ts';
import { type FormatName, formats } from '../kernel/formats.ts';

type Json = Record<string, unknown>;

export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Bytes, or a part of them: a GET takes a Range. */
export function bytesResponses(mediaTypes: readonly string[], schema: Json, description: string, more?: Json): Json {
  const own = { ...resultHeaders, ...headersOf('Accept-Ranges'), ...more };
  const content = Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
  return {
    200: { description, headers: own, content },
    206: {
      description: 'The part that `Range` asks for.',
      headers: { ...own, ...headersOf('Content-Range') },
      content,
    },
  };
}

export const binary: Json = { type: 'string', format: 'binary' };
export const mediaTypesOf = (names: readonly FormatName[]): string[] => names.map((name) => formats[name].mediaType);
export const textMediaTypes = [...new Set(textFormats.map((format) => textMediaType(format).split(';', 1)[0] ?? ''))];

/** A result as JSON. */
export const resultResponse = (schema: string, description: string): Json => ({
  200: { description, headers: resultHeaders, content: { 'application/json': { schema: ref(schema) } } },
});

export const jsonResponse = (schema: Json, description: string): Json => ({
  200: { description, content: { 'application/json': { schema } } },
});

/** Every request may have them: its address or its headers are too long, or the server stops. */
const always = [414, 431, 500, 503] as const;

export const errors = (statuses: readonly number[]): Json =>
  Object.fromEntries(
    [...statuses, ...always].map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );

/** Codes of the dashboard's own API. */
const elsewhere: readonly ErrorCode[] = ['not_signed_in'];

const rows = (Object.entries(errorTable) as [ErrorCode, { status: number; text: string; doc: string }][]).filter(
  ([code]) => !elsewhere.includes(code),
);

/** One response for each status that these paths refer to, with the error codes that have it. */
export function usedErrors(paths: Json): Json {
  const names = new Set(JSON.stringify(paths).match(/Error\d{3}/g));
  return Object.fromEntries([...names].sort().map((name) => [name, errorResponse(Number(name.slice(5)))]));
}

function errorResponse(status: number): Json {
  const codes = rows.filter(([, row]) => row.status === status);
  return {
    description: codes.map(([code, { doc }]) => `\`${code}\`: ${doc}`).join('\n\n'),
    headers: {
      ...headersOf('X-Request-Id', ...(status === 401 ? ['WWW-Authenticate'] : rateHeaders)),
      ...(status === 416 && { ...resultHeaders, ...headersOf('Accept-Ranges', 'Content-Range') }),
      ...(status === 422 && headersOf('X-Verdict')),
      ...((status === 429 || status === 503) && headersOf('Retry-After')),
    },
    content: {
      'application/json': {
        schema: ref('Error'),
        examples: Object.fromEntries(codes.map(([code, { text, doc }]) => [code, errorExample(code, text, doc)])),
      },
    },
  };
}

function errorExample(code: ErrorCode, error: string, summary: string): Json {
  const more = {
    ...(code === 'plan_required' && { parameter: 'darkMode', requiredPlan: 'starter' }),
    ...(code === 'capture_rejected' && { verdict: { ok: false, codes: ['blank'] } }),
  };
  return { summary, value: { error, code, ...more, requestId: 'mi2k7x4fQ3Zk0b7y' } };
}

const text: Json = { type: 'string' };
const count: Json = { type: 'integer', minimum: 0 };

/** Every header that a response may have, once. */
export const headers: Readonly<Record<string, { readonly description: string; readonly schema: Json }>> = {
  'X-Request-Id': { description: 'The id of this request in the log of the server.', schema: text },
  'X-Render-Time': { description: 'Render duration in milliseconds.', schema: count },
  'X-Image-Size': { description: 'File size in bytes.', schema: count },
  'X-Cache': {
    description: 'HIT when served from cache, MISS when freshly rendered.',
    schema: { type: 'string', enum: ['HIT', 'MISS'] },
  },
  'X-Stale': {
    description:
      'Why the result is older than asked for: `expired`, an error code or a verdict code. Its age in seconds is in `Age`.',
    schema: text,
  },
  Age: { description: 'With `X-Stale`: the age of the result in seconds.', schema: count },
  'X-Verdict': { description: '`ok`, or the codes of the verdict separated by commas. Captures only.', schema: text },
  'X-Warning': {
    description: 'What a person would want to know: unknown parameters, a blank or cut page.',
    schema: text,
  },
  'RateLimit-Policy': { description: 'Renders a minute, as the IETF draft writes it.', schema: text },
  RateLimit: { description: 'Renders left, and seconds until all of them are free again.', schema: text },
  'X-RateLimit-Limit': { description: 'Renders a minute.', schema: count },
  'X-RateLimit-Remaining': { description: 'Renders left in this minute.', schema: count },
  'X-RateLimit-Reset': { description: 'Unix time in seconds when all of them are free again.', schema: count },
  'X-Quota-Limit': { description: 'Renders a month, where the plan has an allowance.', schema: count },
  'X-Quota-Remaining': { description: 'Renders left in this month.', schema: count },
  'X-Quota-Reset': { description: 'Unix time in seconds when the next month begins.', schema: count },
  'Server-Timing': { description: 'The phases of the render in milliseconds.', schema: text },
  ETag: { description: 'The hash of the content.', schema: text },
  'Cache-Control': {
    description: 'How long a client, or any cache for a signed link, may keep the result.',
    schema: text,
  },
  'Accept-Ranges': { description: '`bytes`: parts can be asked for with `Range`.', schema: text },
  'Content-Range': { description: 'Which part of how many bytes it is.', schema: text },
  'Idempotency-Replayed': {
    description: '`true` where the job or batch of an earlier request with this `Idempotency-Key` is returned.',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: { description: 'Where its status is.', schema: { type: 'string', format: 'uri' } },
  'X-Card': {
    description: 'Whether the card shows the page or stands for it as that of the site.',
    schema: { type: 'string', enum: ['page', 'site'] },
  },
  'Retry-After': {
    description: 'Seconds after which another try makes sense.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'How to send a key: `Bearer`.', schema: text },
};

const rateHeaders = Object.keys(headers).filter((name) => /^(X-)?RateLimit|^X-Quota/.test(name));
const notOfResults = [
  ...['Accept-Ranges', 'Content-Range', 'Idempotency-Replayed', 'Location', 'Retry-After', 'WWW-Authenticate'],
  'X-Card',
];

export function headersOf(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const resultHeaders = headersOf(...Object.keys(headers).filter((name) => !notOfResults.includes(name)));

export const notModified: Json = {
  304: { description: 'The caller has this result already (`If-None-Match`).', headers: resultHeaders },
};

type Response = { readonly $ref?: string; readonly headers?: Json };
type Operation = { readonly security?: readonly Json[]; readonly responses: Readonly<Record<string, Response>> };
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const mapValues = <V, W>(object: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** Adds what every response has: the id of its request and, for a caller with a key, what is left of the rate. */
export const withCommonHeaders = (paths: Json): Json =>
  mapValues(paths as Paths, (methods) =>
    mapValues(methods, (operation) => {
      const common = headersOf('X-Request-Id', ...(operation.security?.length === 0 ? [] : rateHeaders));
      const complete = (response: Response): Response =>
        response.$ref === undefined ? { ...response, headers: { ...common, ...response.headers } } : response;
      return { ...operation, responses: mapValues(operation.responses, complete) };
    }),
  );
