// The pages as Vite built them: one HTML document for every page, and assets with a hash in their name, cached for good.
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../kernel/errors.ts';
import { type BuiltFiles, filesOf, readManifest } from '../built-files.ts';
import { matchesTag } from '../reply.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import { firstExample } from './first-example.ts';
import { commonHeaders, pageHeaders } from './guard.ts';

/** The addresses of web/src/app.tsx. */
const pages = [
  '/',
  '/sign-in',
  '/sign-up',
  '/setup',
  '/invitation',
  '/lost-password',
  '/new-password',
  '/templates',
  '/templates/new',
  '/templates/my/:name',
  '/keys',
  '/usage',
  '/playground',
  '/captures',
  '/webhooks',
  '/sites',
  '/sites/:id',
  '/jobs',
  '/settings',
  '/admin',
  '/admin/audit',
  '/admin/health',
];

const yearMs = 365 * 24 * 60 * 60 * 1000;

/** Links to the scripts of a page: they are fetched with the first script, not after it. */
function preloads(page: string, manifest: BuiltFiles): string {
  if (page === '/') return landingPreloads(manifest);
  const files = [`src/pages${page}.tsx`, `src/pages${page}${page}.tsx`].flatMap((name) => filesOf(name, manifest));
  const known = new Set(filesOf('index.html', manifest));
  return files
    .filter((name) => !known.has(name))
    .map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`)
    .join('');
}

/** The landing page is in the first script. It shows a heading in a font of its own, and a card. */
function landingPreloads(manifest: BuiltFiles): string {
  const font = manifest['index.html']?.assets?.find((name) => name.includes('source-serif-4-latin-wght-normal'));
  const card = new URLSearchParams(firstExample).toString().replaceAll('&', '&amp;');
  return [
    font ? `<link rel="preload" as="font" type="font/woff2" href="/${font}" crossorigin>` : '',
    `<link rel="preload" as="fetch" href="/api/example?${card}" crossorigin>`,
  ].join('');
}

export async function registerPages(app: FastifyInstance, { webDir, log }: DashboardDependencies): Promise<void> {
  const file = join(webDir, 'index.html');
  if (!existsSync(file)) {
    log.warn('The dashboard is not built; `npm run setup` builds it. The API works without it.');
    for (const page of pages)
      app.get(page, async () => {
        throw new Problem('not_found', { message: 'The dashboard is not built. Run `npm run setup` and restart.' });
      });
    return;
  }
  const html = readFileSync(file, 'utf8');
  const manifest = readManifest(webDir);
  for (const page of pages) {
    const document = html.replace('</head>', `${preloads(page, manifest)}</head>`);
    const etag = `"${hash('sha256', document, 'base64url')}"`;
    app.get(page, async (request, reply) => {
      reply.headers(pageHeaders).header('cache-control', 'no-cache').header('etag', etag);
      if (matchesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type('text/html; charset=utf-8').send(document);
    });
  }

  // At any other address a browser gets the HTML 404 page, and a program the JSON error.
  app.get('/*', async (request, reply) => {
    const isPerson = request.headers.accept?.includes('text/html') && !/^\/(v1|api)\//.test(request.url);
    if (!isPerson) return reply.callNotFound();
    return reply
      .code(404)
      .headers(pageHeaders)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(html);
  });

  await app.register(fastifyStatic, {
    root: webDir,
    serve: false,
    preCompressed: true,
    setHeaders: (reply) => void reply.headers(commonHeaders),
  });
  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) =>
    reply.sendFile(`assets/${request.params['*']}`, { immutable: true, maxAge: yearMs }),
  );
  for (const name of ['favicon.svg', 'theme.js'])
    app.get(`/${name}`, (_request, reply) => reply.sendFile(name, { maxAge: 60 * 60 * 1000 }));
}
