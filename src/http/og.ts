// GET and POST /v1/og: 401 → 403 (plan) → validate (400, 403) → render → reply. GET /v1/og/templates is the catalogue as data.
import type { FastifyInstance } from 'fastify';
import { checkOgPlan } from '../render/validate-card.ts';
import { resultPaths } from '../render/validated-request.ts';
import { identify } from './caller.ts';
import type { HttpDependencies } from './dependencies.ts';
import { registerPost } from './post.ts';
import { renderAndReply } from './results.ts';
import { createValidationCache } from './validation-cache.ts';

export function registerOg(app: FastifyInstance, dependencies: HttpDependencies): void {
  const { cards, baseUrl } = dependencies;
  const validate = createValidationCache('og', dependencies.validate, () => cards.revision);
  for (const path of resultPaths('og'))
    app.get(path, async (request, reply) => {
      request.context.endpoint = 'og';
      const caller = await identify(request, dependencies);
      // Before the query is read: on a plan without cards a malformed query is a 403, too.
      checkOgPlan(caller.account.plan);
      return renderAndReply(request, reply, await validate(request, reply, caller), dependencies);
    });

  registerPost(app, 'og', dependencies);

  app.get('/v1/og/templates', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send({
      templates: cards.catalogue.map((entry) => ({ ...entry, meta: metaSnippet(entry, baseUrl()) })),
    }),
  );
}

/** Ready for a page's <head>; the signature is what `tintype sign` or the dashboard adds. */
function metaSnippet(
  { name, example }: { name: string; example: Readonly<Record<string, string>> },
  baseUrl: string,
): string {
  const query = new URLSearchParams({ template: name, ...example, key_id: 'KEY_ID', signature: 'SIGNATURE' });
  const url = `${baseUrl}/v1/og?${query}`.replaceAll('&', '&amp;');
  return `<meta property="og:image" content="${url}">\n<meta property="og:image:width" content="1200">\n<meta property="og:image:height" content="630">`;
}
