// The landing page's live card, for people without a key: a title of their own on one of a few templates.
// Bounded in every direction, since anybody may ask.
import type { FastifyInstance } from 'fastify';
import { createMemoryLimits } from '../../access/limits.ts';
import { addressGroup } from '../../access/throttle.ts';
import { invalidParameter, Problem } from '../../kernel/errors.ts';
import { choice, queryOf } from './body.ts';
import { paintExample } from './catalogue.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { registerOn } from './route.ts';

const templates = ['default', 'blog-post', 'changelog-card', 'stats-card'] as const;
const maxTitle = 80;
const perAddress = { rendersPerMinute: 60 };
const forAll = { rendersPerMinute: 300 };
const keep = 100;

type Painted = { readonly bytes: Buffer; readonly ms: number };

export function registerExample(app: FastifyInstance, { cards }: DashboardParts): void {
  const route = registerOn(app);
  const limits = createMemoryLimits();
  const painted = new Map<string, Painted>();

  route('GET /api/example', async (request, reply) => {
    const query = queryOf(request);
    const template = choice(query.get('template') ?? 'blog-post', 'template', templates);
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
          message: 'That were many cards. The example rests for a moment; with a key there is more.',
        });
    const entry = cards.catalogue.find(({ name }) => name === template);
    if (entry === undefined) throw new Problem('template_not_found', { parameter: 'template' });
    const startedAt = performance.now();
    const bytes = await paintExample(cards, entry, { ...entry.example, title });
    const card = { bytes, ms: Math.round(performance.now() - startedAt) };
    painted.set(id, card);
    const oldest = painted.keys().next().value;
    if (painted.size > keep && oldest !== undefined) painted.delete(oldest);
    return card;
  }
}
