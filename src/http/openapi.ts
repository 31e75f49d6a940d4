// OpenAPI 3.1, generated from the tables of parameters, formats, errors, plans and templates.
import { screenshotParameters } from '../capture/parameters.ts';
import { errorTable } from '../kernel/errors.ts';
import { cardFormats, type FormatName, formatNames, formats } from '../kernel/formats.ts';
import type { Parameter, Table } from '../kernel/parameters.ts';
import { plans } from '../kernel/plans.ts';
import { verdictCodes } from '../kernel/verdict.ts';
import type { CatalogueEntry } from '../og/og-types.ts';
import { ogParameters } from '../og/parameters.ts';

type Json = Record<string, unknown>;

export function openapi(baseUrl: string, catalogue: readonly CatalogueEntry[]): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tintype',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Screenshots, PDFs and Open Graph images. Every request carries an API key, in the `X-API-Key` header or the `api_key` parameter; results are cached for as long as the plan says.',
    },
    servers: [{ url: baseUrl }],
    security: [{ header: [] }, { query: [] }],
    paths: {
      '/v1/screenshot': { get: screenshot() },
      '/v1/og': { get: og(catalogue) },
      '/v1/og/templates': { get: templates() },
      '/v1/files/{name}': { get: files() },
      '/healthz': { get: plain('Is the server alive?', { 200: 'It is.' }) },
      '/readyz': { get: plain('Can the server render now?', { 200: 'It can.', 503: 'It cannot; the body says why.' }) },
      '/metrics': { get: plain('Figures for Prometheus', { 200: 'In the Prometheus text format.' }) },
    },
    components: {
      securitySchemes: {
        header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        query: { type: 'apiKey', in: 'query', name: 'api_key' },
      },
      schemas: {
        Error: errorSchema,
        Screenshot: screenshotSchema,
        Verdict: verdictSchema,
        Card: cardSchema,
        Template: templateSchema,
      },
    },
  };
}

const screenshot = (): Json => ({
  operationId: 'screenshot',
  summary: 'Capture a web page as an image or a PDF',
  parameters: parametersOf(screenshotParameters),
  responses: {
    200: success(formatNames, 'Screenshot'),
    304: { description: 'The caller has this result already (If-None-Match).' },
    ...errors([400, 401, 403, 422, 429, 500, 502, 503, 504]),
  },
});

const og = (catalogue: readonly CatalogueEntry[]): Json => ({
  operationId: 'og',
  summary: 'Make an Open Graph image from a template',
  description: `Pro plan or higher. Every additional parameter is a variable of the template. Templates: ${catalogue.map(({ name }) => `\`${name}\``).join(', ')}.`,
  parameters: [
    ...parametersOf(ogParameters),
    ...['title', 'description'].map((name) => ({
      name,
      in: 'query',
      description: 'A variable; see /v1/og/templates for those of each template.',
      schema: { type: 'string', maxLength: 2000 },
    })),
  ],
  responses: {
    200: success(cardFormats, 'Card'),
    304: { description: 'The caller has this result already (If-None-Match).' },
    ...errors([400, 401, 403, 429, 500, 502, 503, 504]),
  },
});

const templates = (): Json => ({
  operationId: 'ogTemplates',
  summary: 'The catalogue of Open Graph templates',
  security: [],
  responses: {
    200: {
      description: 'Every template with its variables, an example and a ready <meta> snippet.',
      content: {
        'application/json': {
          schema: { type: 'object', properties: { templates: { type: 'array', items: ref('Template') } } },
        },
      },
    },
  },
});

const files = (): Json => ({
  operationId: 'file',
  summary: 'A stored result, behind a link from imageUrl',
  security: [],
  parameters: [
    { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'expires', in: 'query', required: true, schema: { type: 'integer' } },
    { name: 'signature', in: 'query', required: true, schema: { type: 'string' } },
  ],
  responses: { 200: { description: 'The bytes.' }, ...errors([401, 404]) },
});

const plain = (summary: string, answers: Readonly<Record<number, string>>): Json => ({
  summary,
  security: [],
  responses: Object.fromEntries(Object.entries(answers).map(([status, description]) => [status, { description }])),
});

export const parametersOf = (table: Table): Json[] =>
  Object.entries(table)
    .filter(([name]) => name !== 'api_key')
    .map(([name, parameter]) => ({
      name,
      in: 'query',
      ...(parameter.required && { required: true }),
      description: describeParameter(parameter),
      schema: { ...parameter.kind.schema, ...(parameter.default !== undefined && { default: parameter.default }) },
      ...(parameter.example !== undefined && { example: parameter.example }),
    }));

/** The parameter's text in the reference: what it does, with which format, and from which plan on. */
export function describeParameter({ doc, onlyFormat, plan }: Parameter): string {
  const notes = [onlyFormat && `Only with format=${onlyFormat}.`, plan && `${plans[plan].label} plan or higher.`];
  return [doc, ...notes].filter(Boolean).join(' ');
}

const success = (names: readonly FormatName[], schema: string): Json => ({
  description: 'The bytes, or with `response=json` an object about them.',
  headers: Object.fromEntries(
    Object.entries(resultHeaders).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  ),
  content: {
    ...Object.fromEntries(
      names.map((name) => [formats[name].mediaType, { schema: { type: 'string', format: 'binary' } }]),
    ),
    'application/json': { schema: ref(schema) },
  },
});

const resultHeaders = {
  'X-Render-Time': 'Render duration in milliseconds.',
  'X-Image-Size': 'File size in bytes.',
  'X-Cache': 'HIT when served from cache, MISS when freshly rendered.',
  'X-Stale':
    'Why the result is older than asked for: `expired`, an error code or a verdict code. Its age in seconds is in `Age`.',
  'X-Verdict': '`ok`, or the codes of the verdict separated by commas. Captures only.',
  'X-Warning': 'What a person would want to know: unknown parameters, a blank or cut page.',
  'X-RateLimit-Limit': 'Renders a minute.',
  'X-RateLimit-Remaining': 'Renders left in this minute.',
  'X-RateLimit-Reset': 'Unix time in seconds when all of them are free again.',
  'Server-Timing': 'The phases of the render in milliseconds.',
  ETag: 'The hash of the content.',
};

/** One response for each status, with the error codes that have it. */
const errors = (statuses: readonly number[]): Json =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: codesOf(status), content: { 'application/json': { schema: ref('Error') } } },
    ]),
  );

const codesOf = (status: number): string =>
  Object.entries(errorTable)
    .filter(([, row]) => row.status === status)
    .map(([code, row]) => `\`${code}\`: ${row.doc}`)
    .join('\n\n');

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const errorSchema: Json = {
  type: 'object',
  required: ['error', 'code', 'requestId'],
  properties: {
    error: { type: 'string', description: 'A sentence for a person.' },
    code: { type: 'string', enum: Object.keys(errorTable) },
    parameter: { type: 'string', description: 'The parameter at fault, where one is.' },
    requiredPlan: { type: 'string', description: 'With plan_required: the lowest plan that has it.' },
    verdict: { ...ref('Verdict'), description: 'With capture_rejected: what was found.' },
    requestId: { type: 'string', description: 'Also in the X-Request-Id header and in the log.' },
  },
};

const verdictSchema: Json = {
  type: 'object',
  required: ['ok', 'codes'],
  properties: {
    ok: { type: 'boolean', description: 'True when there are no codes.' },
    codes: { type: 'array', items: { type: 'string', enum: verdictCodes } },
  },
};

const resultProperties: Json = {
  imageUrl: {
    type: ['string', 'null'],
    format: 'uri',
    description: 'Opens without a key, until the result expires; for a page behind a login at most for an hour.',
  },
  width: { type: 'number', description: 'Output pixels; for a PDF the width of its page in points.' },
  height: { type: 'number', description: 'Output pixels; for a PDF the height of its page in points.' },
  format: { type: 'string' },
  size: { type: 'integer', description: 'File size in bytes.' },
  renderTime: { type: 'integer', description: 'Milliseconds.' },
  cachedAt: { type: ['integer', 'null'], description: 'Unix time in milliseconds; null when freshly rendered.' },
  warnings: { type: 'array', items: { type: 'string' } },
};

const screenshotSchema: Json = {
  type: 'object',
  properties: {
    url: { type: 'string', format: 'uri' },
    ...resultProperties,
    pages: { type: 'integer', description: 'PDF only: how many pages it has.' },
    page: {
      type: 'object',
      properties: { status: { type: 'integer' }, finalUrl: { type: 'string' }, title: { type: 'string' } },
    },
    verdict: ref('Verdict'),
  },
};

const cardSchema: Json = { type: 'object', properties: { template: { type: 'string' }, ...resultProperties } };

const templateSchema: Json = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    variables: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          type: { type: 'string', enum: ['text', 'color', 'image_url', 'items'] },
          doc: { type: 'string' },
          default: { type: 'string' },
          maxLength: { type: 'integer' },
        },
      },
    },
    example: { type: 'object', additionalProperties: { type: 'string' } },
    meta: { type: 'string', description: 'A <meta> snippet for a page, to be signed.' },
  },
};
