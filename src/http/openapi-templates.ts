// An account's own templates in the OpenAPI document.
import { templateName } from '../cards/template-name.ts';
import { jsonBody } from './openapi-operations.ts';
import { binary, errors, jsonResponse, ref } from './openapi-responses.ts';
import { object, text, variable } from './openapi-schemas.ts';

type Json = Record<string, unknown>;

const inPath = (name: string, schema: Json, description: string): Json => ({
  ...{ name, in: 'path', required: true, description, schema },
});
const name = inPath(
  'name',
  { type: 'string', pattern: templateName.source },
  'The name of the template, without `my/`.',
);
const version = inPath('version', { type: 'integer', minimum: 1 }, 'The number of the version.');
const file = inPath('file', { type: 'string', maxLength: 100 }, 'The name of the file, such as `logo.png`.');

const operation = (operationId: string, summary: string, description: string, more: Json): Json => ({
  ...{ operationId, tags: ['Templates'], summary, description, ...more },
});
const nothing = (description: string): Json => ({ 204: { description } });
const bytes: Json = { 'application/octet-stream': { schema: binary } };

const html = '<div class="flex w-full h-full p-18 bg-[#ffffff]"><h1 class="text-[72px]">{{title}}</h1></div>';

export const templatePaths: Json = {
  '/v1/templates': {
    get: operation('listOwnTemplates', 'List your templates', 'Pro plan or higher. Those of this account, by name.', {
      responses: { ...jsonResponse(ref('OwnTemplates'), 'The templates.'), ...errors([401, 403]) },
    }),
  },
  '/v1/templates/{name}': {
    get: operation('ownTemplate', 'Open a template', 'Its newest version, and its uploaded files.', {
      parameters: [name],
      responses: { ...jsonResponse(ref('OwnTemplate'), 'The template.'), ...errors([400, 401, 403]) },
    }),
    put: operation(
      'saveOwnTemplate',
      'Save a template as a new version',
      'Creates it if there is none of this name. The HTML is checked and its example painted; a mistake is 400 with line and column.',
      {
        parameters: [name],
        requestBody: jsonBody('OwnTemplateBody', {
          'a template with one variable': { html, variables: { title: { default: 'Untitled', example: 'Hello' } } },
        }),
        responses: {
          ...jsonResponse(ref('SavedTemplate'), 'The number of the version.'),
          ...errors([400, 401, 403, 409, 413, 415, 504]),
        },
      },
    ),
    delete: operation('removeOwnTemplate', 'Remove a template', 'With all its versions and files.', {
      parameters: [name],
      responses: { ...nothing('It is removed.'), ...errors([400, 401, 403]) },
    }),
  },
  '/v1/templates/{name}/versions/{version}': {
    get: operation('ownTemplateVersion', 'Open a version of a template', 'A version never changes.', {
      parameters: [name, version],
      responses: { ...jsonResponse(ref('OwnTemplate'), 'The version.'), ...errors([400, 401, 403, 404]) },
    }),
  },
  '/v1/templates/{name}/versions/{version}/publish': {
    post: operation('publishOwnTemplate', 'Publish a version of a template', '`my/<name>` then shows this version.', {
      parameters: [name, version],
      responses: { ...nothing('It is published.'), ...errors([400, 401, 403, 404]) },
    }),
  },
  '/v1/templates/{name}/files/{file}': {
    get: operation('templateFile', 'Download a file of a template', 'As it was uploaded, or as png.', {
      parameters: [name, file],
      responses: { 200: { description: 'The file.', content: bytes }, ...errors([400, 401, 403, 404]) },
    }),
    put: operation(
      'uploadTemplateFile',
      'Upload an image or a font for a template',
      'The body is the file: an image of at most 1 MB, or a font of at most 5 MB. The next version that is saved can use it.',
      {
        parameters: [name, file],
        requestBody: { required: true, description: 'The file.', content: bytes },
        responses: { ...jsonResponse(ref('TemplateFile'), 'The file.'), ...errors([400, 401, 403, 409, 413, 504]) },
      },
    ),
    delete: operation('removeTemplateFile', 'Remove a file of a template', 'Versions that show it keep it.', {
      parameters: [name, file],
      responses: { ...nothing('It is removed.'), ...errors([400, 401, 403, 404]) },
    }),
  },
};

const about: Json = {
  name: text('`my/` and its name: the value of `template`.'),
  latest: { type: 'integer', minimum: 0, description: 'The newest version; 0 if only files were uploaded.' },
  published: { type: 'integer', minimum: 0, description: 'The version that `my/<name>` shows; 0 if none is.' },
  updatedAt: { type: 'string', format: 'date-time' },
  description: text('What it is for.'),
  variables: { type: 'object', additionalProperties: variable },
  example: { type: 'object', additionalProperties: { type: 'string' } },
};

const said = object(
  {
    doc: text('What it is. At most 200 characters.'),
    default: text('Its value where it is not given. An image has none.'),
    example: text('Its value in the example.'),
  },
  ['doc', 'default', 'example'],
);

export const templateSchemas: Json = {
  OwnTemplateSummary: object(about),
  OwnTemplates: object({ templates: { type: 'array', items: ref('OwnTemplateSummary') } }),
  OwnTemplate: object({
    ...about,
    version: { type: 'integer', minimum: 0, description: 'Of this text.' },
    html: text('The HTML and CSS.'),
    file: text('The HTML with description and variables as JSON in a comment at its top, to be kept in git.'),
    files: { type: 'array', items: ref('TemplateFile'), description: 'The current files.' },
  }),
  OwnTemplateBody: object(
    {
      html: text('HTML and CSS with {{variables}}, at most 64 KB; or a whole file, as `file` of a template.'),
      description: text('What it is for. At most 300 characters.'),
      variables: { type: 'object', additionalProperties: said, description: 'By name. Others are found in the HTML.' },
      files: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Files to upload with it, by name, in base64.',
      },
      publish: { type: 'boolean', default: true, description: 'Publish the version.' },
    },
    ['description', 'variables', 'files', 'publish'],
  ),
  SavedTemplate: object({
    name: text('`my/` and its name.'),
    version: { type: 'integer', minimum: 1 },
    published: { type: 'integer', minimum: 0 },
  }),
  TemplateFile: object({
    name: text('Its name.'),
    kind: { type: 'string', enum: ['image', 'font'] },
    size: { type: 'integer', description: 'Bytes.' },
    hash: text('SHA-256 of its bytes, in hex.'),
  }),
};
