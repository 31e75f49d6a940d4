// OpenAPI 3.1, generated from the tables of parameters, formats, errors, plans and templates. Generators of clients give an
// operation one type of result, so bytes and JSON are two operations: /v1/screenshot, and /v1/screenshot.json for `response=json`.
import { screenshotParameters } from '../capture/parameters.ts';
import type { CatalogueEntry } from '../cards/card-types.ts';
import { ogParameters } from '../cards/parameters.ts';
import { contentParameters } from '../content/parameters.ts';
import { cardFormats, formatNames } from '../kernel/formats.ts';
import { bodySchema } from './openapi-body.ts';
import { jobPaths, jobSchemas } from './openapi-jobs.ts';
import { inQuery, jsonBody, keys, parametersOf, pathsOf } from './openapi-operations.ts';
import {
  binary,
  bytesResponses,
  errors,
  headers,
  jsonResponse,
  mediaTypesOf,
  notModified,
  ref,
  textMediaTypes,
  usedErrors,
  withCommonHeaders,
} from './openapi-responses.ts';
import { schemas } from './openapi-schemas.ts';
import { sitePaths, siteSchemas } from './openapi-sites.ts';
import { templatePaths, templateSchemas } from './openapi-templates.ts';

type Json = Record<string, unknown>;

const tags = [
  { name: 'Screenshots', description: 'A web page as an image or a PDF.' },
  { name: 'Text', description: 'A web page as Markdown, text or HTML.' },
  { name: 'Cards', description: 'Open Graph images from templates.' },
  { name: 'Templates', description: 'Your own templates: HTML and CSS, in versions.' },
  { name: 'Jobs', description: 'Work that nobody waits for, alone or in batches.' },
  { name: 'Results', description: 'Stored results.' },
  { name: 'Server', description: 'For operators and their monitoring.' },
];

export function openapi(baseUrl: string, catalogue: readonly CatalogueEntry[]): Json {
  const paths = withCommonHeaders({
    ...screenshotPaths(),
    ...contentPaths(),
    ...cardPaths(catalogue),
    ...templatePaths,
    ...sitePaths,
    ...jobPaths,
    '/v1/files/{name}': { get: file },
    '/v1/cache': { delete: removeResults },
    '/v1/usage': { get: usage },
    ...serverPaths,
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tintype',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The documentation of this server', url: `${baseUrl}/docs` },
      description:
        'Screenshots, PDFs, Open Graph images and the text of pages. Every request carries an API key: in the `X-API-Key` header, as `Authorization: Bearer`, or in the `api_key` parameter, in this order of precedence. Results are cached for as long as the plan says.',
    },
    servers: [{ url: baseUrl, description: 'This server.' }],
    tags,
    security: keys,
    paths,
    components: {
      securitySchemes,
      headers,
      responses: usedErrors(paths),
      schemas: {
        ScreenshotBody: bodySchema(screenshotParameters, 'Any other name is ignored, with a warning.'),
        CardBody: bodySchema(ogParameters, 'A variable of the template; a list may be an array of strings.'),
        ContentBody: bodySchema(contentParameters, 'Any other name is ignored, with a warning.'),
        ...jobSchemas,
        ...templateSchemas,
        ...siteSchemas,
        ...schemas,
      },
    },
  };
}

const securitySchemes = {
  header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key itself, `sk_live_…`.' },
  query: { type: 'apiKey', in: 'query', name: 'api_key', description: 'Where no header can be sent.' },
  linkKey: { type: 'apiKey', in: 'query', name: 'key_id', description: 'The id of the key that signed the link.' },
  linkSignature: {
    type: 'apiKey',
    in: 'query',
    name: 'signature',
    description:
      'HMAC-SHA256 of path and query, in hex, with the signing secret of the key. The last parameter. `expires` before it is optional.',
  },
};

const screenshotPaths = (): Json =>
  pathsOf({
    path: '/v1/screenshot',
    id: 'screenshot',
    tag: 'Screenshots',
    get: {
      summary: 'Capture a web page as an image or a PDF',
      description: 'The response is the file. `format` chooses what it is.',
      parameters: parametersOf(inQuery(screenshotParameters)),
    },
    post: {
      summary: 'Capture a page, HTML, Markdown or a page behind a login, with a JSON body',
      description:
        'Exactly one of `url`, `html` and `markdown` is required. Values, results, cache and limits are those of the GET. The key may not be in the body.',
      requestBody: jsonBody('ScreenshotBody', {
        'a page': { url: 'https://example.com/', fullPage: true },
        'a page sent as html': { html: '<h1>Hello</h1>', width: 600, height: 300 },
      }),
    },
    bytes: bytesResponses(mediaTypesOf(formatNames), binary, 'The image or the PDF.'),
    json: { schema: 'Screenshot', summary: 'Capture a web page and get JSON with a link to the file' },
  });

const contentPaths = (): Json =>
  pathsOf({
    path: '/v1/content',
    id: 'content',
    tag: 'Text',
    get: {
      summary: 'Read a web page as Markdown, text or HTML',
      description: 'What a reader cannot see is not in it.',
      parameters: parametersOf(inQuery(contentParameters)),
    },
    post: {
      summary: 'Read a page, HTML or a page behind a login, with a JSON body',
      description:
        'Exactly one of `url` and `html` is required. Values, results, cache and limits are those of the GET.',
      requestBody: jsonBody('ContentBody', {
        'a page': { url: 'https://example.com/', format: 'text' },
        'a page sent as html': { html: '<h1>Hello</h1>' },
      }),
    },
    bytes: bytesResponses(textMediaTypes, { type: 'string' }, 'The text; HTML is sent as plain text.'),
    json: { schema: 'Content', summary: 'Read a web page and get JSON with its text, title, author, date and links' },
  });

const cardPaths = (catalogue: readonly CatalogueEntry[]): Json => ({
  ...pathsOf({
    path: '/v1/og',
    id: 'og',
    tag: 'Cards',
    get: {
      summary: 'Make an Open Graph image from a template',
      description: `Pro plan or higher. Every other parameter is a variable of the template: its own variables are in /v1/og/templates. Templates: ${catalogue.map(({ name }) => `\`${name}\``).join(', ')}.`,
      parameters: [...parametersOf(ogParameters), ...variablesOf(catalogue)],
    },
    post: {
      summary: 'Make an Open Graph image, with a JSON body',
      description: 'Pro plan or higher. Values, results, cache and limits are those of the GET.',
      requestBody: jsonBody('CardBody', {
        'a card with a list': { template: 'changelog-card', title: 'Version 2', change_items: ['Faster', 'Smaller'] },
      }),
    },
    bytes: bytesResponses(mediaTypesOf(cardFormats), binary, 'The image.'),
    json: { schema: 'Card', summary: 'Make an Open Graph image and get JSON with a link to it' },
    never: [422],
  }),
  '/v1/og/templates': {
    get: {
      operationId: 'ogTemplates',
      tags: ['Cards'],
      summary: 'List the Open Graph templates',
      description: 'Every template with its variables, an example and a <meta> snippet. Needs no key.',
      security: [],
      responses: { ...jsonResponse(ref('Templates'), 'The templates.'), ...errors([]) },
    },
  },
});

/** The variables of all templates. `title` and `description` come first, because most templates have them. */
function variablesOf(catalogue: readonly CatalogueEntry[]): Json[] {
  const users = new Map<string, string[]>([
    ['title', []],
    ['description', []],
  ]);
  for (const { name, variables } of catalogue)
    for (const variable of Object.keys(variables)) {
      if (Object.hasOwn(ogParameters, variable)) continue;
      users.set(variable, [...(users.get(variable) ?? []), name]);
    }
  return [...users].map(([name, templates]) => ({
    name,
    in: 'query',
    description: `A variable of ${templates.join(', ')}.`,
    schema: { type: 'string', maxLength: name.endsWith('_items') ? 20_000 : 2000 },
  }));
}

const required = (name: string, place: 'path' | 'query', schema: Json, description: string): Json => ({
  ...{ name, in: place, required: true, description, schema },
});

const file: Json = {
  operationId: 'file',
  tags: ['Results'],
  summary: 'Open a stored result by its link',
  description: '`imageUrl` of a JSON result is such a link. It needs no key, and works until it expires.',
  security: [],
  parameters: [
    required('name', 'path', { type: 'string' }, 'The name of the file.'),
    required('expires', 'query', { type: 'integer' }, 'Unix seconds.'),
    required('signature', 'query', { type: 'string' }, 'Made by the server.'),
  ],
  responses: {
    ...bytesResponses(mediaTypesOf(formatNames), binary, 'The image or the PDF.'),
    ...notModified,
    ...errors([401, 404, 416]),
  },
};

const removeResults: Json = {
  operationId: 'removeResults',
  tags: ['Results'],
  summary: "Remove the account's cached results of one page or template",
  description: 'Exactly one of `url` and `template` is required.',
  parameters: [
    { name: 'url', in: 'query', description: 'The page.', schema: { type: 'string', format: 'uri' } },
    { name: 'template', in: 'query', description: 'The template.', schema: { type: 'string' } },
  ],
  responses: { ...jsonResponse(ref('Removed'), 'How many results were removed.'), ...errors([400, 401, 403]) },
};

const usage: Json = {
  operationId: 'usage',
  tags: ['Results'],
  summary: 'What the account has used in this month, and what is left',
  description: 'Times are Unix milliseconds; months are those of UTC.',
  responses: { ...jsonResponse(ref('Usage'), 'The usage.'), ...errors([400, 401]) },
};

const server = (operationId: string, summary: string, description: string, responses: Json): Json => ({
  get: { operationId, tags: ['Server'], summary, description, security: [], responses },
});

const serverPaths: Json = {
  '/healthz': server('health', 'Is the server alive?', 'For a supervisor that restarts it.', {
    ...jsonResponse(ref('Health'), 'It is.'),
    ...errors([]),
  }),
  '/readyz': server('ready', 'Can the server render now?', 'For a load balancer.', {
    ...jsonResponse(ref('Readiness'), 'It can.'),
    ...errors([]),
    503: {
      description: 'It cannot; `reasons` say why.',
      content: { 'application/json': { schema: ref('Readiness') } },
    },
  }),
  '/metrics': server('metrics', 'Figures for Prometheus', 'In the Prometheus text format.', {
    200: { description: 'The figures.', content: { 'text/plain': { schema: { type: 'string' } } } },
    ...errors([]),
  }),
};
