// The form that sends the request from the page. It needs the script; the key stays in the memory of the page.
import { escapeHtml } from '../../kernel/escape-html.ts';
import type { SampleRequest } from '../../samples/samples.ts';
import { type ApiDocument, type OperationView, resolve } from './operations.ts';

export function tryForm(
  operation: OperationView,
  { method, query, body, file, url }: Omit<SampleRequest, 'needsKey'>,
  needsKey: boolean,
  document: ApiDocument,
): string {
  const { path, parameters = [] } = operation;
  const given = new Set(query.map(([name]) => name));
  const others = parameters
    .filter(({ name }) => !given.has(name))
    .map(({ name }) => `<option>${escapeHtml(name)}</option>`);
  const schema = operation.requestBody?.content['application/json']?.schema;
  const example = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})[0]?.value;
  const names = schema ? Object.keys(resolve(schema, document).properties ?? {}) : [];
  const data = { method, path, url, file: file ?? '', key: needsKey ? 'yes' : '' };
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${escapeHtml(value)}"`);
  return [
    `<form class="try scripted-only" ${attributes.join(' ')}><h3>Try it</h3>`,
    needsKey
      ? '<label>API key <input type="password" name="key" autocomplete="off" spellcheck="false" placeholder="sk_live_…"></label><p class="hint">It stays in the memory of this page, and goes to this server only.</p>'
      : '',
    ...query.map(
      ([name, value]) =>
        `<label>${escapeHtml(name)} <input data-name="${escapeHtml(name)}" value="${escapeHtml(value)}"></label>`,
    ),
    others.length > 0
      ? `<div class="add"><label for="try-add">Add a parameter</label><select id="try-add" name="add"><option value="">Choose…</option>${others.join('')}</select></div>`
      : '',
    body
      ? `<div class="add"><label for="try-body">Body</label><textarea id="try-body" name="body" rows="8" spellcheck="false">${escapeHtml(JSON.stringify(example, null, 2))}</textarea></div><p class="hint">${names.length} properties are known; the table below lists them.</p>`
      : '',
    '<button type="submit" class="primary">Send</button><div class="result" aria-live="polite"></div></form>',
  ].join('\n');
}
