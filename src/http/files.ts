// GET /v1/files/…: a stored result. The link needs no key: it has its own expiry and signature.
import type { FastifyInstance } from 'fastify';
import { verifyFile } from '../access/signatures.ts';
import { storedTextType } from '../content/stored-text.ts';
import { Problem } from '../kernel/errors.ts';
import { formatNames, formats } from '../kernel/formats.ts';
import type { HttpDependencies } from './dependencies.ts';
import { prepareResult } from './reply.ts';

/** The key of a result and the extension of its format. */
const fileName = new RegExp(
  `^([0-9a-f]{64}(?:-bad)?)\\.(?:${formatNames.map((name) => formats[name].extension).join('|')})$`,
);

export function registerFiles(app: FastifyInstance, { renderer, serviceSecret }: HttpDependencies): void {
  app.get<{ Params: { name: string } }>('/v1/files/:name', async (request, reply) => {
    const linkExpiresAt = verifyFile(request.url, serviceSecret);
    const key = fileName.exec(request.params.name)?.[1];
    const result = key === undefined ? undefined : await renderer.stored(key);
    // Texts have no links.
    if (result === undefined || result.type === storedTextType)
      throw new Problem('not_found', {
        message: 'This result is no longer stored. Repeat the request to render it again.',
      });
    return prepareResult(request, reply, result, { visibility: 'private', warnings: [], linkExpiresAt });
  });
}
