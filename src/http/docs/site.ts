// All pages of the documentation, from the guides in docs/ and the OpenAPI document.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webDir } from '../../kernel/project-paths.ts';
import { filesOf, readManifest } from '../built-files.ts';
import { type GuidePage, renderGuide, type Section } from './guide.ts';
import { type Guide, guides } from './guides.ts';
import { type Assets, layout, type NavigationGroup, type PageContent } from './layout.ts';
import { operationHtml, operationLink } from './operation-page.ts';
import { type ApiDocument, type OperationView, operationsOf } from './operations.ts';
import { apiOverview, overview } from './overviews.ts';

/** A page as it is sent. */
export type DocsFile = { readonly type: string; readonly body: string };
export type DocsSite = ReadonlyMap<string, DocsFile>;

const docs = new URL('../../../docs/', import.meta.url);

type Written = Guide & GuidePage;

export function buildSite(document: ApiDocument, baseUrl: string): DocsSite {
  const written = readGuides(baseUrl);
  const operations = operationsOf(document);
  const groups = navigationOf(written, operations);
  const assets = findAssets();
  const files = new Map<string, DocsFile>();
  const add = (page: PageContent) => files.set(page.href, { type: 'text/html', body: layout(page, groups, assets) });

  add(overview(groups, written));
  add(apiOverview(document, operations, baseUrl));
  for (const { name, title, summary, html, headings, markdown } of written) {
    const href = `/docs/${name}`;
    add({ href, title: `${title} · Tintype`, summary, html, headings, markdown: `${href}.md` });
    files.set(`${href}.md`, { type: 'text/markdown', body: markdown });
  }
  for (const operation of operations) add(operationPage(operation, document, baseUrl));
  const notFound = '<h1>Page not found</h1><p>There is no such page in the <a href="/docs">documentation</a>.</p>';
  add({
    href: '/docs/404',
    title: 'Page not found · Tintype',
    summary: 'Page not found.',
    html: notFound,
    headings: [],
  });
  files.set('/docs/search.json', { type: 'application/json', body: JSON.stringify(searchIndex(written, operations)) });
  files.set('/llms.txt', { type: 'text/plain', body: llms(written, baseUrl) });
  return files;
}

function readGuides(baseUrl: string): Written[] {
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' });
  const present = new Set(files.map((file) => file.replaceAll('\\', '/').replace(/\.md$/, '')));
  const listed = guides.filter(({ name }) => present.has(name));
  const names = new Set(listed.map(({ name }) => name));
  return listed.map((guide) => {
    const source = readFileSync(new URL(`${guide.name}.md`, docs), 'utf8');
    return { ...guide, ...renderGuide(guide.name, source, baseUrl, (name) => names.has(name)) };
  });
}

function navigationOf(written: readonly Written[], operations: readonly OperationView[]): NavigationGroup[] {
  const titles = [...new Set(written.map(({ group }) => group))];
  return [
    { title: 'Start', links: [{ href: '/docs', title: 'Overview' }] },
    ...titles.map((title) => ({
      title,
      links: written
        .filter(({ group }) => group === title)
        .map((guide) => ({ href: `/docs/${guide.name}`, title: guide.title })),
    })),
    {
      title: 'API',
      links: [
        { href: '/docs/api', title: 'All operations' },
        ...operations.map((operation) => ({
          href: operationLink(operation),
          title: operation.path,
          method: operation.method,
        })),
      ],
    },
  ];
}

function operationPage(operation: OperationView, document: ApiDocument, baseUrl: string): PageContent {
  const html = operationHtml(operation, document, baseUrl);
  const headings = [...html.matchAll(/<h2 id="([^"]+)">([^<]+)</g)].map(([, id = '', text = '']) => ({
    depth: 2,
    id,
    text,
  }));
  return {
    href: operationLink(operation),
    title: `${operation.method} ${operation.path} · Tintype`,
    summary: `${operation.summary}. ${operation.description.replaceAll('`', '')}`.slice(0, 200),
    html,
    headings,
  };
}

function findAssets(): Assets {
  const manifest = readManifest(webDir);
  const [script, ...imports] = filesOf('src/docs/main.ts', manifest).map((name) => `/${name}`);
  const fonts = existsSync(join(webDir, 'assets')) ? readdirSync(join(webDir, 'assets')) : [];
  return {
    ...(script && { script }),
    imports,
    styles: (manifest['src/docs/main.ts']?.css ?? []).map((name) => `/${name}`),
    fonts: fonts.filter((name) => /^inter-latin-wght-normal.*\.woff2$/.test(name)).map((name) => `/assets/${name}`),
  };
}

type Entry = { readonly page: string; readonly heading: string; readonly href: string; readonly text: string };

/** Longer sections are found by their first words only. The index stays small. */
const longestText = 1500;

function searchIndex(written: readonly Written[], operations: readonly OperationView[]): Entry[] {
  const ofGuide = ({ name, title, sections }: Written) =>
    sections.map(({ id, heading, text }: Section) => ({
      page: title,
      heading,
      href: `/docs/${name}${id === '' ? '' : `#${id}`}`,
      text: text.slice(0, longestText),
    }));
  const ofOperation = (operation: OperationView): Entry[] => {
    const page = `${operation.method} ${operation.path}`;
    const href = operationLink(operation);
    const parameters = operation.path.endsWith('.json') ? [] : (operation.parameters ?? []);
    return [
      { page, heading: operation.summary, href, text: `${operation.operationId} ${operation.description}` },
      ...parameters.map(({ name, description = '' }) => ({
        page,
        heading: name,
        href: `${href}#${name}`,
        text: description,
      })),
    ];
  };
  return [...written.flatMap(ofGuide), ...operations.flatMap(ofOperation)];
}

function llms(written: readonly Written[], baseUrl: string): string {
  const lines = written.map(({ name, title, summary }) => `- [${title}](${baseUrl}/docs/${name}.md): ${summary}`);
  return `# Tintype

> Screenshots, PDFs, Open Graph images and the text of web pages, by one HTTP request with an API key.

The base URL is ${baseUrl}. Send the key in the \`X-API-Key\` header. Every error is JSON that names the parameter and says what is allowed.

## Guides

${lines.join('\n')}

## API

- [OpenAPI 3.1](${baseUrl}/openapi.json): every operation with its parameters, responses and errors
- [Templates](${baseUrl}/v1/og/templates): every Open Graph template with its variables
`;
}
