// GET and POST of an endpoint that loads a page (screenshot, content): 401 → validate (400, 403) → render → reply.
import type { FastifyInstance } from 'fastify';
import { resultPaths } from '../render/validated-request.ts';
import { identify } from './caller.ts';
import type { HttpDependencies } from './dependencies.ts';
import { registerPost } from './post.ts';
import { renderAndReply } from './results.ts';
import { createValidationCache } from './validation-cache.ts';

export function registerPageEndpoint(
  app: FastifyInstance,
  endpoint: 'screenshot' | 'content',
  dependencies: HttpDependencies,
): void {
  const validate = createValidationCache(endpoint, dependencies.validate);
  for (const path of resultPaths(endpoint))
    app.get(path, async (request, reply) => {
      request.context.endpoint = endpoint;
      const caller = await identify(request, dependencies);
      return renderAndReply(request, reply, await validate(request, reply, caller), dependencies);
    });
  registerPost(app, endpoint, dependencies);
}
