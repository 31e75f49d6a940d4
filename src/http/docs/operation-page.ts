// The page of one operation: what it does, code to copy, a form to try it, its parameters, responses and errors.
import { escapeHtml } from '../../kernel/escape-html.ts';
import { samples } from '../../samples/samples.ts';
import { codeArea, codeBlock, copyButton } from './code.ts';
import { headingHtml, scrollable } from './guide.ts';
import {
  type ApiDocument,
  type OperationView,
  type ResponseView,
  resolve,
  resolveResponse,
  type SchemaView,
  typeText,
} from './operations.ts';
import { sampleRequest } from './sample-request.ts';
import { tryForm } from './try-form.ts';

export const operationLink = ({ operationId }: OperationView): string => `/docs/api/${operationId}`;

/** The only formatting of descriptions: code between backticks. */
export const inline = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const heading = (text: string): string =>
  headingHtml(2, text.toLowerCase().replaceAll(' ', '-'), text, escapeHtml(text));

export function operationHtml(operation: OperationView, document: ApiDocument, baseUrl: string): string {
  const { method, path, summary, description } = operation;
  return [
    `<h1>${escapeHtml(summary)}</h1>`,
    `<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code></p>`,
    `<p>${inline(description)}</p>`,
    `<p>${keyText(operation)}</p>`,
    request(operation, document, baseUrl),
    parameters(operation, document),
    body(operation, document),
    heading('Response'),
    ...successes(operation).map(([status, response]) => success(status, response, document)),
    heading('Errors'),
    errorTable(operation, document),
  ].join('\n');
}

const needsKey = ({ security }: OperationView): boolean => security === undefined || security.length > 0;

function keyText(operation: OperationView): string {
  if (!needsKey(operation)) return 'It needs no key.';
  const link = operation.security?.some((scheme) => 'linkSignature' in scheme);
  const ways =
    'The key is in the <code>X-API-Key</code> header, in <code>Authorization: Bearer</code>, or in the <code>api_key</code> parameter.';
  return link ? `${ways} A <a href="/docs/signed-links">signed link</a> needs no key.` : ways;
}

function request(operation: OperationView, document: ApiDocument, baseUrl: string): string {
  const example = sampleRequest(operation, baseUrl);
  if (example === undefined) return '';
  const list = samples({ ...example, needsKey: needsKey(operation) });
  const id = operation.operationId;
  const tabs = list.map(
    ({ value, label }, at) =>
      `<button type="button" role="tab" id="${id}-${value}" aria-controls="${id}-${value}-panel" aria-selected="${at === 0}" tabindex="${at === 0 ? 0 : -1}" data-language="${value}">${label}</button>`,
  );
  const panels = list.map(
    ({ value, label, code }, at) =>
      `<div role="tabpanel" id="${id}-${value}-panel" aria-labelledby="${id}-${value}"${at === 0 ? '' : ' hidden'}>${codeArea(code, value, label)}</div>`,
  );
  return [
    heading('Request'),
    `<div class="code samples"><div class="bar"><div role="tablist" aria-label="Language">${tabs.join('')}</div>${copyButton}</div>${panels.join('')}</div>`,
    tryForm(operation, example, needsKey(operation), document),
  ].join('\n');
}

function parameters({ parameters: list = [] }: OperationView, document: ApiDocument): string {
  if (list.length === 0) return '';
  const rows = list.map(({ name, schema, required, description = '' }) =>
    propertyRow(name, schema, required === true, description, document),
  );
  return heading('Parameters') + propertyTable('Parameter', rows);
}

function body({ requestBody }: OperationView, document: ApiDocument): string {
  const content = requestBody?.content['application/json'];
  if (content?.schema === undefined) return '';
  const { properties = {}, required = [], additionalProperties } = resolve(content.schema, document);
  const rows = Object.entries(properties).map(([name, schema]) =>
    propertyRow(name, withoutNull(schema), required.includes(name), schema.description ?? '', document),
  );
  const others = typeof additionalProperties === 'object' ? (additionalProperties.description ?? '') : '';
  if (others) rows.push(`<tr><td>any other name</td><td></td><td>${inline(others)}</td></tr>`);
  return `${heading('Body')}<p>One JSON object of at most 4 MB. <code>null</code> means “not given”.</p>${propertyTable('Property', rows)}`;
}

/** Every optional property may be null, which the text before the table says once. */
const withoutNull = (schema: SchemaView): SchemaView => ({
  ...schema,
  ...(Array.isArray(schema.type) && { type: schema.type.filter((type) => type !== 'null') }),
  ...(schema.enum && { enum: schema.enum.filter((value) => value !== null) }),
  ...(schema.anyOf && { anyOf: schema.anyOf.filter(({ type }) => type !== 'null') }),
});

function propertyRow(name: string, schema: SchemaView, required: boolean, text: string, document: ApiDocument): string {
  const value = schema.default === undefined ? '' : ` Default: \`${String(schema.default)}\`.`;
  const mark = required ? ' <strong class="required">required</strong>' : '';
  return `<tr id="${escapeHtml(name)}"><td><code>${escapeHtml(name)}</code>${mark}</td><td>${inline(typeText(schema, document))}</td><td>${inline(text + value)}</td></tr>`;
}

const propertyTable = (title: string, rows: readonly string[]): string =>
  scrollable(
    `<table><thead><tr><th>${title}</th><th>Value</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );

const successes = ({ responses }: OperationView): [string, ResponseView][] =>
  Object.entries(responses).filter(([status]) => Number(status) < 400);

function success(status: string, response: ResponseView, document: ApiDocument): string {
  const types = Object.keys(response.content ?? {});
  const schema = response.content?.['application/json']?.schema;
  const resolved = schema && resolve(schema, document);
  const headers = Object.keys(response.headers ?? {}).map(
    (name) =>
      `<tr><td><code>${name}</code></td><td>${inline(document.components.headers[name]?.description ?? '')}</td></tr>`,
  );
  const rows = Object.entries(resolved?.properties ?? {}).map(([name, property]) =>
    propertyRow(
      name,
      property,
      false,
      resolve(property, document).description ?? property.description ?? '',
      document,
    ).replace(/ id="[^"]*"/, ''),
  );
  const example = resolved?.examples?.[0];
  return [
    `<h3>${status}</h3>`,
    `<p>${inline(response.description)}${types.length > 0 ? ` ${types.map((type) => `<code>${escapeHtml(type)}</code>`).join(', ')}` : ''}</p>`,
    rows.length > 0 ? propertyTable('Property', rows) : '',
    example === undefined ? '' : codeBlock(JSON.stringify(example, null, 2), 'json'),
    headers.length > 3
      ? `<details><summary>Headers</summary>${scrollable(`<table><thead><tr><th>Header</th><th>Meaning</th></tr></thead><tbody>${headers.join('')}</tbody></table>`)}</details>`
      : '',
  ].join('\n');
}

function errorTable({ responses }: OperationView, document: ApiDocument): string {
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) => errorRows(status, resolveResponse(response, document)));
  return `${scrollable(`<table><thead><tr><th>Status</th><th>Code</th><th>When</th></tr></thead><tbody>${rows.join('')}</tbody></table>`)}<p>The body of every error has the same shape: see <a href="/docs/errors">errors</a>.</p>`;
}

function errorRows(status: string, { description, headers = {} }: ResponseView): string[] {
  const retry = 'Retry-After' in headers ? ' Has <code>Retry-After</code>.' : '';
  return description.split('\n\n').map((line) => {
    const [, code = '', text = line] = /^`(\w+)`: ([\s\S]*)$/.exec(line) ?? [];
    return `<tr><td>${status}</td><td>${code === '' ? '' : `<code>${code}</code>`}</td><td>${inline(text)}${retry}</td></tr>`;
  });
}
