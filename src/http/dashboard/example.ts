// The landing page's live card, which needs no key: the visitor's own title on one of a few templates. Title, templates,
// rate and cache are bounded, because anybody may ask.
import type { FastifyInstance } from 'fastify';
import { createMemoryLimits } from '../../access/limits.ts';
import { addressGroup } from '../../access/throttle.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { invalidParameter, Problem } from '../../kernel/errors.ts';
import { queryOf, readChoice } from './body.ts';
import { paintExample } from './catalogue.ts';
import type { DashboardDependencies } from './dashboard-dependencies.ts';
import { registerOn } from './route.ts';

const templates = ['default', 'blog-post', 'changelog-card', 'stats-card'] as const;
const maxTitle = 80;
/** Previews a minute. */
const perAddress = 60;
const forAll = 300;
const keep = 100;

type Painted = { readonly bytes: Buffer; readonly ms: number };

export function registerExample(app: FastifyInstance, { cards }: DashboardDependencies): void {
  const route = registerOn(app);
  const limits = createMemoryLimits();
  const painted = new BoundedMap<string, Painted>(keep);

  route('GET /api/example', async (request, reply) => {
    const query = queryOf(request);
    const template = readChoice(query.get('template') ?? 'blog-post', 'template', templates);
    const title = (query.get('title') ?? '').trim();
    if (title.length > maxTitle)
      throw invalidParameter('title', `title must be a text of at most ${maxTitle} characters here.`);
    const id = `${template} ${title}`;
    const card = painted.get(id) ?? (await paint(request.ip, id, template, title));
    return reply
      .type('image/webp')
      .header('x-render-time', card.ms)
      .header('cache-control', 'public, max-age=3600')
      .send(card.bytes);
  });

  async function paint(address: string, id: string, template: string, title: string): Promise<Painted> {
    for (const allowance of [
      await limits.take(addressGroup(address), perAddress),
      await limits.take('everybody', forAll),
    ])
      if (!allowance.ok)
        throw new Problem('rate_limited', {
          retryAfter: allowance.retryAfter,
          message: 'Too many previews. Wait a moment, or use an API key.',
        });
    const entry = cards.catalogue.find(({ name }) => name === template);
    if (entry === undefined) throw new Problem('template_not_found', { parameter: 'template' });
    const startedAt = performance.now();
    const bytes = await paintExample(cards, entry, { ...entry.example, title });
    const card = { bytes, ms: Math.round(performance.now() - startedAt) };
    painted.set(id, card);
    return card;
  }
}
