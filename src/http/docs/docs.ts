// The documentation: /docs and its pages, /docs/*.md, /llms.txt and /openapi.json. The pages are built when one is first opened.
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/errors.ts';
import { lazily } from '../../kernel/lazily.ts';
import { pageHeaders } from '../dashboard/guard.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { openapi } from '../openapi.ts';
import { matchesTag } from '../reply.ts';
import { pathOf } from '../request-context.ts';
import type { DocsFile, DocsSite } from './site.ts';

export function registerDocs(app: FastifyInstance, { baseUrl, cards }: HttpDependencies): void {
  let document: DocsFile | undefined;
  let building = buildLazily();
  let revision = cards.revision;
  /** Templates may have changed. */
  const refresh = () => {
    if (cards.revision === revision) return;
    revision = cards.revision;
    document = undefined;
    building = buildLazily();
  };
  const openapiFile = () => {
    refresh();
    // Links in examples are those of this server.
    const text = () => JSON.stringify(openapi(baseUrl(), cards.catalogue));
    document ??= { type: 'application/json', body: text().replaceAll('https://shots.example.com', baseUrl()) };
    return document;
  };
  const site = () => {
    refresh();
    return building();
  };
  function buildLazily() {
    return lazily(() => build(openapiFile().body, baseUrl()));
  }

  app.get('/openapi.json', async (request, reply) =>
    send(request, reply.header('access-control-allow-origin', '*'), openapiFile(), 300),
  );

  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const files = await site();
    const path = pathOf(request);
    const file = files.get(path);
    if (file !== undefined && path !== '/docs/404') return send(request, reply, file);
    if (path.endsWith('/') && files.has(path.slice(0, -1))) return reply.redirect(path.slice(0, -1), 308);
    const notFound = files.get('/docs/404');
    if (notFound === undefined || !request.headers.accept?.includes('text/html')) throw new Problem('not_found');
    return send(request, reply.code(404), notFound);
  };
  for (const path of ['/docs', '/docs/*', '/llms.txt']) app.get(path, page);
}

const tags = new WeakMap<DocsFile, string>();

function send(request: FastifyRequest, reply: FastifyReply, file: DocsFile, maxAge = 0): FastifyReply {
  const { type, body } = file;
  const etag = tags.get(file) ?? `"${hash('sha256', body, 'base64url')}"`;
  tags.set(file, etag);
  reply.headers({ ...pageHeaders, etag, 'cache-control': maxAge > 0 ? `public, max-age=${maxAge}` : 'no-cache' });
  if (matchesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(`${type}; charset=utf-8`).send(body);
}

/** In a thread, which ends with its work. */
async function build(openapiText: string, baseUrl: string): Promise<DocsSite> {
  const thread = new Worker(new URL('./site-thread.ts', import.meta.url), { workerData: { openapiText, baseUrl } });
  const [site] = (await once(thread, 'message')) as [DocsSite];
  return site;
}
