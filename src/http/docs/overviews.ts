// The two pages that list the others: the documentation, and the operations of the API.
import { escapeHtml } from '../../kernel/escape-html.ts';
import { samples } from '../../samples/samples.ts';
import { codeBlock } from './code.ts';
import { headingHtml, scrollable } from './guide.ts';
import type { Guide } from './guides.ts';
import type { NavigationGroup, PageContent } from './layout.ts';
import { inline, operationLink } from './operation-page.ts';
import type { ApiDocument, OperationView } from './operations.ts';

const idOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

export function overview(
  groups: readonly NavigationGroup[],
  guides: readonly (Guide & { readonly title: string })[],
): PageContent {
  const titles = groups.map(({ title }) => title).filter((title) => guides.some(({ group }) => group === title));
  const sections = titles.map((title) => {
    const cards = guides
      .filter(({ group }) => group === title)
      .map(
        (guide) =>
          `<li><a href="/docs/${guide.name}">${escapeHtml(guide.title)}</a><p>${escapeHtml(guide.summary)}</p></li>`,
      );
    return `${headingHtml(2, idOf(title), title, title)}<ul class="cards">${cards.join('')}</ul>`;
  });
  return {
    href: '/docs',
    title: 'Tintype API reference and guides',
    summary: 'Screenshots, PDFs, Open Graph images and the text of pages: guides, and a reference of every operation.',
    html: `<h1>Documentation</h1>
<p class="lead">Tintype turns web pages into images, PDFs and text, and templates into Open Graph images. Each is one HTTP request.</p>
<ul class="cards"><li><a href="/docs/api">API reference</a><p>Every operation with its parameters, responses, errors, and code in five languages.</p></li>
<li><a href="/openapi.json">OpenAPI 3.1</a><p>The same for programs, such as generators of clients.</p></li>
<li><a href="/llms.txt">llms.txt</a><p>The same for agents: every guide as Markdown.</p></li></ul>
${sections.join('\n')}`,
    headings: titles.map((title) => ({ depth: 2, id: idOf(title), text: title })),
  };
}

export function apiOverview({ tags }: ApiDocument, operations: readonly OperationView[], baseUrl: string): PageContent {
  const sections = tags.map(({ name, description }) => {
    const rows = operations
      .filter((operation) => operation.tags[0] === name)
      .map(
        (operation) =>
          `<tr><td><span class="method ${operation.method.toLowerCase()}">${operation.method}</span></td><td><a href="${operationLink(operation)}"><code>${escapeHtml(operation.path)}</code></a></td><td>${inline(operation.summary)}</td></tr>`,
      );
    const table = `<table><thead><tr><th>Method</th><th>Path</th><th>What it does</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
    return `${headingHtml(2, idOf(name), name, name)}<p>${escapeHtml(description)}</p>${scrollable(table)}`;
  });
  const url = `${baseUrl}/v1/screenshot`;
  const query = [['url', 'https://example.com/']] as const;
  const [sample] = samples({ method: 'GET', url, query, needsKey: true, file: 'page.png' });
  return {
    href: '/docs/api',
    title: 'API reference · Tintype',
    summary: 'Every operation of the Tintype API, with parameters, responses, errors and code in five languages.',
    html: `<h1>API reference</h1>
<p>The base URL of this server is <code>${escapeHtml(baseUrl)}</code>. Create a key in the <a href="/keys">dashboard</a> and send it in the <code>X-API-Key</code> header:</p>
${codeBlock(sample?.code ?? '', 'sh')}
<p>Every path ending in <code>.json</code> gives JSON about the result instead of the result itself. <code>response=json</code> does the same.
The whole reference is also <a href="/openapi.json">an OpenAPI document</a>, from which clients can be generated.</p>
${sections.join('\n')}`,
    headings: tags.map(({ name }) => ({ depth: 2, id: idOf(name), text: name })),
  };
}
