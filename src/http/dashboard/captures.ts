// The account's cached results: the list, the bytes, thumbnails, and deletion.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { longestText } from '../../content/parameters.ts';
import { storedContent, storedTextType, textMediaType } from '../../content/stored-text.ts';
import { Problem } from '../../kernel/errors.ts';
import { formatOf, formats } from '../../kernel/formats.ts';
import { type Plan, ttlMs } from '../../kernel/plans.ts';
import { readMeta } from '../../render/result.ts';
import type { CacheEntry } from '../../store/store.ts';
import { sandboxed } from '../reply.ts';
import { cursorIn, nextPage, queryOf, verdictIn } from './body.ts';
import type { CapturesView, CaptureView } from './contract.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import type { Guard } from './guard.ts';
import { registerOn } from './route.ts';
import { createThumbnails } from './thumbnails.ts';

const pageSize = 24;

type WithId = { readonly params: { readonly id: string } };

export function registerCaptures(app: FastifyInstance, dependencies: DashboardDependencies, guard: Guard): void {
  const route = registerOn(app);
  const { store, cache, plans } = dependencies;
  const thumbnails = createThumbnails();

  route('GET /api/captures', async (request, reply): Promise<CapturesView> => {
    const account = await guard.account(request, reply);
    const query = queryOf(request);
    const plan = plans[account.plan];
    const entries = await store.cache.ofAccount(account.id, pageSize, {
      before: cursorIn(query),
      verdict: verdictIn(query),
      alive: { now: Date.now(), ttlMs: ttlMs(plan) },
    });
    return {
      captures: entries.map((entry) => captureView(entry, plan)),
      next: nextPage(entries, pageSize, ({ createdAt, key }) => ({ at: createdAt, id: key })),
    };
  });

  route('GET /api/captures/:id/image', async (request, reply) => {
    const entry = await own(request, reply);
    const bytes = await cache.read(entry);
    if (bytes === undefined) throw gone();
    if (entry.type === storedTextType) {
      const content = storedContent(bytes, longestText);
      return sendBytes(reply, content, entry, textMediaType('text'));
    }
    // Browsers do not show a sandboxed PDF, so it is offered as a download.
    if (!entry.type.startsWith('image/'))
      reply.header('content-disposition', `attachment; filename="capture.${formats[formatOf(entry.type)].extension}"`);
    return sendBytes(reply, bytes, entry, entry.type);
  });

  route('GET /api/captures/:id/thumbnail', async (request, reply) => {
    const entry = await own(request, reply);
    const picture = await thumbnails.of(entry.hash, entry.type, async () => {
      const bytes = await cache.read(entry);
      if (bytes === undefined) throw gone();
      return bytes;
    });
    if (picture === undefined) throw new Problem('not_found', { message: 'This capture has no thumbnail.' });
    return sendBytes(reply, picture, entry, 'image/webp');
  });

  route('DELETE /api/captures/:id', async (request, reply) => {
    const entry = await own(request, reply);
    await cache.remove([entry.key]);
    return reply.code(204).send();
  });

  route('DELETE /api/captures', async (request, reply) => {
    const account = await guard.account(request, reply);
    return { removed: await cache.purge(account.id) };
  });

  // The same error for another account's result and for one that never existed.
  async function own(request: FastifyRequest & WithId, reply: FastifyReply): Promise<CacheEntry> {
    const account = await guard.account(request, reply);
    const entry = await cache.find(request.params.id);
    if (entry === undefined || entry.accountId !== account.id) throw gone();
    return entry;
  }
}

const gone = () => new Problem('not_found', { message: 'This capture is no longer stored.' });

function sendBytes(reply: FastifyReply, bytes: Buffer, { meta }: CacheEntry, type: string): FastifyReply {
  return reply
    .headers({ ...sandboxed, 'cross-origin-resource-policy': 'same-origin' })
    .header('cache-control', readMeta(meta).behindLogin ? 'private, no-store' : 'private, max-age=3600')
    .type(type)
    .send(bytes);
}

function captureView(entry: CacheEntry, plan: Plan): CaptureView {
  const meta = readMeta(entry.meta);
  const isCard = meta.template !== undefined;
  return {
    id: entry.key,
    kind: isCard ? 'og' : entry.type === storedTextType ? 'content' : 'screenshot',
    title: isCard ? (meta.template ?? '') : (meta.page?.title ?? ''),
    source: meta.url ?? meta.source ?? meta.page?.finalUrl ?? '',
    type: entry.type === storedTextType ? textMediaType('text') : entry.type,
    width: meta.width,
    height: meta.height,
    size: entry.size,
    pages: meta.pages ?? null,
    verdict: meta.verdict ?? null,
    createdAt: entry.createdAt,
    expiresAt: entry.createdAt + Math.min(ttlMs(plan), entry.maxAgeMs ?? Number.POSITIVE_INFINITY),
    version: entry.hash,
  };
}
