// GET and POST /v1/content: 401 → validate (400, 403) → render → reply.
import type { FastifyInstance } from 'fastify';
import { resultPaths } from '../render/validated-request.ts';
import { identify } from './caller.ts';
import type { HttpDependencies } from './dependencies.ts';
import { registerPost } from './post.ts';
import { renderAndReply } from './results.ts';
import { createValidationCache } from './validation-cache.ts';

export function registerContent(app: FastifyInstance, dependencies: HttpDependencies): void {
  const validate = createValidationCache('content', dependencies.validate);
  for (const path of resultPaths('content'))
    app.get(path, async (request, reply) => {
      request.context.endpoint = 'content';
      const caller = await identify(request, dependencies);
      return renderAndReply(request, reply, await validate(request, reply, caller), dependencies);
    });
  registerPost(app, 'content', dependencies);
}
