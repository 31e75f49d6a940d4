// OpenAPI 3.1, generated from the tables of parameters, formats, errors, plans and templates.
import { screenshotParameters } from '../capture/parameters.ts';
import { textFormats } from '../content/content-types.ts';
import { contentParameters } from '../content/parameters.ts';
import { errorTable } from '../kernel/errors.ts';
import { cardFormats, type FormatName, formatNames, formats } from '../kernel/formats.ts';
import type { Table } from '../kernel/parameters.ts';
import { planNames } from '../kernel/plans.ts';
import { verdictCodes } from '../kernel/verdict.ts';
import type { CatalogueEntry } from '../og/og-types.ts';
import { ogParameters } from '../og/parameters.ts';
import { jobListParameters } from './jobs.ts';
import { bodySchema, describeParameter } from './openapi-body.ts';
import { jobPaths, jobSchemas } from './openapi-jobs.ts';

type Json = Record<string, unknown>;

export function openapi(baseUrl: string, catalogue: readonly CatalogueEntry[]): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tintype',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Screenshots, PDFs, Open Graph images and the text of pages. Every request carries an API key: in the `X-API-Key` header, as `Authorization: Bearer`, or in the `api_key` parameter, in this order of precedence. Results are cached for as long as the plan says.',
    },
    servers: [{ url: baseUrl }],
    security: [{ header: [] }, { bearer: [] }, { query: [] }],
    paths: {
      '/v1/screenshot': { get: screenshot(), post: screenshotByPost() },
      '/v1/content': { get: content(), post: contentByPost() },
      '/v1/og': { get: og(catalogue), post: ogByPost() },
      '/v1/og/templates': { get: templates() },
      ...jobPaths({ errors, ref, listParameters: parametersOf(jobListParameters) }),
      '/v1/files/{name}': { get: files() },
      '/v1/cache': { delete: removeResults() },
      '/v1/usage': { get: usage() },
      '/healthz': { get: plain('Is the server alive?', { 200: 'It is.' }) },
      '/readyz': { get: plain('Can the server render now?', { 200: 'It can.', 503: 'It cannot; the body says why.' }) },
      '/metrics': { get: plain('Figures for Prometheus', { 200: 'In the Prometheus text format.' }) },
    },
    components: {
      securitySchemes: {
        header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key itself, `sk_live_…`.' },
        query: { type: 'apiKey', in: 'query', name: 'api_key' },
      },
      schemas: {
        ScreenshotBody: bodySchema(screenshotParameters, 'Any other name is ignored, with a warning.'),
        CardBody: bodySchema(ogParameters, 'A variable of the template; a list may be an array of strings.'),
        ContentBody: bodySchema(contentParameters, 'Any other name is ignored, with a warning.'),
        ...jobSchemas(ref),
        Error: errorSchema,
        Screenshot: screenshotSchema,
        Verdict: verdictSchema,
        Content: contentSchema,
        Card: cardSchema,
        Template: templateSchema,
        Usage: usageSchema,
      },
    },
  };
}

const screenshot = (): Json => ({
  operationId: 'screenshot',
  summary: 'Capture a web page as an image or a PDF',
  parameters: parametersOf(screenshotInQuery),
  responses: {
    200: success(formatNames, 'Screenshot'),
    304: { description: 'The caller has this result already (If-None-Match).' },
    ...errors([400, 401, 403, 414, 422, 429, 500, 502, 503, 504]),
  },
});

/** A GET has no page to send, so `url` is required and `baseUrl` has no use. */
const { baseUrl: _, ...withUrl } = screenshotParameters;
const screenshotInQuery: Table = { ...withUrl, url: { ...withUrl.url, required: true } };

const screenshotByPost = (): Json => ({
  operationId: 'screenshotByPost',
  summary: 'The same with a JSON body, and of HTML, Markdown or a page behind a login',
  description:
    'Exactly one of `url`, `html` and `markdown` is required. Values, results, cache and limits are those of the GET. The key may not be in the body.',
  requestBody: jsonBody('ScreenshotBody', {
    'a page': { url: 'https://example.com/', fullPage: true },
    'a page sent as html': { html: '<h1>Hello</h1>', width: 600, height: 300 },
  }),
  responses: {
    200: success(formatNames, 'Screenshot'),
    304: { description: 'The caller has this result already (If-None-Match).' },
    ...errors([400, 401, 403, 413, 415, 422, 429, 500, 502, 503, 504]),
  },
});

const { baseUrl: _base, ...contentWithUrl } = contentParameters;
const contentInQuery: Table = { ...contentWithUrl, url: { ...contentWithUrl.url, required: true } };

const content = (): Json => ({
  operationId: 'content',
  summary: 'Read a web page as Markdown, text or HTML',
  description: 'What a reader cannot see is not in it.',
  parameters: parametersOf(contentInQuery),
  responses: contentResponses([400, 401, 403, 414, 422, 429, 500, 502, 503, 504]),
});

const contentByPost = (): Json => ({
  operationId: 'contentByPost',
  summary: 'The same with a JSON body, and of HTML or a page behind a login',
  description: 'Exactly one of `url` and `html` is required. Values, results, cache and limits are those of the GET.',
  requestBody: jsonBody('ContentBody', {
    'a page': { url: 'https://example.com/', format: 'text' },
    'a page sent as html': { html: '<h1>Hello</h1>', response: 'json' },
  }),
  responses: contentResponses([400, 401, 403, 413, 415, 422, 429, 500, 502, 503, 504]),
});

const contentResponses = (statuses: readonly number[]): Json => ({
  200: {
    ...success([], 'Content'),
    description: 'The text, or with `response=json` an object with the text and facts about the page.',
    content: {
      'text/markdown': { schema: { type: 'string' } },
      'text/plain': { schema: { type: 'string' } },
      'application/json': { schema: ref('Content') },
    },
  },
  304: { description: 'The caller has this result already (If-None-Match).' },
  ...errors(statuses),
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
    ...errors([400, 401, 403, 414, 429, 500, 502, 503, 504]),
  },
});

const ogByPost = (): Json => ({
  operationId: 'ogByPost',
  summary: 'Make an Open Graph image, with a JSON body',
  description: 'Pro plan or higher. Values, results, cache and limits are those of the GET.',
  requestBody: jsonBody('CardBody', {
    'a card with a list': { template: 'changelog-card', title: 'Version 2', change_items: ['Faster', 'Smaller'] },
  }),
  responses: {
    200: success(cardFormats, 'Card'),
    304: { description: 'The caller has this result already (If-None-Match).' },
    ...errors([400, 401, 403, 413, 415, 429, 500, 502, 503, 504]),
  },
});

const jsonBody = (schema: string, examples: Readonly<Record<string, Json>>): Json => ({
  required: true,
  description: 'One JSON object of at most 4 MB.',
  content: {
    'application/json': {
      schema: ref(schema),
      examples: Object.fromEntries(
        Object.entries(examples).map(([summary, value]) => [keyOf(summary), { summary, value }]),
      ),
    },
  },
});

/** Names in a document have no blanks. */
const keyOf = (summary: string): string => summary.replaceAll(' ', '-');

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

const removeResults = (): Json => ({
  operationId: 'removeResults',
  summary: "Remove the account's cached results of one page or template",
  description: 'Exactly one of `url` and `template` is required.',
  parameters: ['url', 'template'].map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
  responses: {
    200: {
      description: 'How many results were removed.',
      content: {
        'application/json': {
          schema: { type: 'object', required: ['removed'], properties: { removed: { type: 'integer' } } },
        },
      },
    },
    ...errors([400, 401, 503]),
  },
});

const usage = (): Json => ({
  operationId: 'usage',
  summary: 'What the account has used in this month, and what is left',
  responses: {
    200: {
      description: 'Times are Unix milliseconds; months are those of UTC.',
      content: { 'application/json': { schema: ref('Usage') } },
    },
    ...errors([400, 401, 503]),
  },
});

const count = { type: 'integer' };
const allowance = (limit: Json): Json => ({
  type: 'object',
  required: ['limit', 'remaining', 'resetAt'],
  properties: { limit, remaining: limit, resetAt: { ...count, description: 'When all of it is available again.' } },
});
const quota = allowance({ type: ['integer', 'null'], description: 'Null where the plan has no monthly allowance.' });

const usageSchema: Json = {
  type: 'object',
  required: ['plan', 'period', 'quota', 'rate', 'requests'],
  properties: {
    plan: { type: 'string', enum: planNames },
    period: { type: 'object', required: ['from', 'to'], properties: { from: count, to: count } },
    quota: {
      ...quota,
      required: ['limit', 'used', 'remaining', 'resetAt'],
      properties: { ...(quota.properties as Json), used: { ...count, description: 'Renders that count, this month.' } },
    },
    rate: { ...allowance(count), description: 'Renders a minute.' },
    requests: {
      type: 'object',
      required: ['renders', 'hits', 'errors'],
      properties: { renders: count, hits: count, errors: count },
    },
  },
};

const plain = (summary: string, answers: Readonly<Record<number, string>>): Json => ({
  summary,
  security: [],
  responses: Object.fromEntries(Object.entries(answers).map(([status, description]) => [status, { description }])),
});

/** The parameters that a query may have. The key is a security scheme. */
const parametersOf = (table: Table): Json[] =>
  Object.entries(table)
    .filter(([name, { onlyBody }]) => name !== 'api_key' && onlyBody === undefined)
    .map(([name, parameter]) => ({
      name,
      in: 'query',
      ...(parameter.required && { required: true }),
      description: describeParameter(parameter),
      schema: { ...parameter.kind.schema, ...(parameter.default !== undefined && { default: parameter.default }) },
      ...(parameter.example !== undefined && { example: parameter.example }),
    }));

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
  'RateLimit-Policy': 'Renders a minute, as the IETF draft writes it.',
  RateLimit: 'Renders left, and seconds until all of them are free again.',
  'X-RateLimit-Limit': 'Renders a minute.',
  'X-RateLimit-Remaining': 'Renders left in this minute.',
  'X-RateLimit-Reset': 'Unix time in seconds when all of them are free again.',
  'X-Quota-Limit': 'Renders a month, where the plan has an allowance.',
  'X-Quota-Remaining': 'Renders left in this month.',
  'X-Quota-Reset': 'Unix time in seconds when the next month begins.',
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

const screenshotSchema = {
  type: 'object',
  properties: {
    url: { type: ['string', 'null'], format: 'uri', description: 'Null where the caller sent the page.' },
    source: { type: 'string', enum: ['url', 'html', 'markdown'] },
    ...resultProperties,
    pages: { type: 'integer', description: 'PDF only: how many pages it has.' },
    page: {
      type: 'object',
      properties: {
        status: { type: 'integer' },
        finalUrl: { type: ['string', 'null'], description: 'Null where it is the page that the caller sent.' },
        title: { type: 'string' },
      },
    },
    verdict: ref('Verdict'),
  },
};

const nullableText = (description: string): Json => ({ type: ['string', 'null'], description });

const contentSchema: Json = {
  type: 'object',
  properties: {
    url: { type: ['string', 'null'], format: 'uri', description: 'Null where the caller sent the page.' },
    source: { type: 'string', enum: ['url', 'html'] },
    title: nullableText('The title of the article or of the page.'),
    description: nullableText('A summary by its author.'),
    language: nullableText('As the page declares it, such as `en` or `pt-BR`.'),
    byline: nullableText('Who wrote it.'),
    siteName: nullableText('The name of the site.'),
    publishedAt: nullableText('ISO 8601.'),
    image: nullableText('The address of the picture that represents it.'),
    favicon: nullableText('The address of the icon of the site.'),
    canonical: nullableText('The address that the page calls its own.'),
    links: {
      type: 'array',
      description: 'Without duplicates, in the order of the page.',
      items: {
        type: 'object',
        required: ['href', 'text'],
        properties: { href: { type: 'string' }, text: { type: 'string' } },
      },
    },
    format: { type: 'string', enum: [...textFormats] },
    content: { type: 'string', description: 'The text.' },
    words: { type: 'integer', description: 'Of the whole text, also where it was cut.' },
    truncated: { type: 'boolean', description: 'The text was cut.' },
    page: screenshotSchema.properties.page,
    verdict: ref('Verdict'),
    warnings: resultProperties.warnings,
    renderTime: resultProperties.renderTime,
    cachedAt: resultProperties.cachedAt,
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
