// A journal whose pages get cards, for the pictures of the dashboard.
import type { ServerResponse } from 'node:http';
import type { BrowserContext } from 'playwright-core';
import { startWebsite, trustWebsites, type Website } from '../sites/website.ts';
import type { WebHarness } from './web-harness.ts';

const posts: Readonly<Record<string, readonly [title: string, description: string, author: string, date: string]>> = {
  '/notes/quiet-software': [
    'On quiet software',
    'Programs that do their work and say nothing.',
    'Ines Holm',
    '2026-10-02',
  ],
  '/notes/letterpress': [
    'What letterpress taught me about deadlines',
    'Lead does not negotiate.',
    'Jonas Brandt',
    '2026-09-18',
  ],
  '/notes/winter-light': [
    'Photographing winter light',
    'Six weeks, one lens, and a lot of tea.',
    'Ines Holm',
    '2026-02-11',
  ],
  '/guides/paper': ['A field guide to paper', 'Weights, grains and where to buy them.', 'Mara Lindqvist', '2026-05-30'],
  '/guides/binding': ['Binding a book in an afternoon', '', 'Mara Lindqvist', '2026-06-14'],
  '/about': ['About the journal', 'Two people and a press in a former dairy.', '', ''],
};

/** A verified site with six pages, and one that is not verified. Closes the website. */
export async function seedSites(harness: WebHarness, context: BrowserContext): Promise<() => void> {
  const distrust = trustWebsites();
  const website: Website = await startWebsite();
  const links = Object.keys(posts).map((path) => `<a href="${path}">x</a>`);
  website.pages.set(
    '/',
    page('The Dairy Journal', 'Notes on print, light and quiet software.', '', '', links.join('')),
  );
  for (const [path, post] of Object.entries(posts)) website.pages.set(path, page(...post));
  const origin = `https://journal.example.com:${website.port}`;
  const { body } = await harness.call(context, 'POST', '/api/sites', { origin });
  const { id, token } = body as { id: string; token: string };
  website.pages.set('/.well-known/tintype-site.txt', (_: unknown, response: ServerResponse) =>
    response.setHeader('content-type', 'text/plain').end(token),
  );
  await harness.call(context, 'POST', `/api/sites/${id}/check`);
  await harness.call(context, 'PATCH', `/api/sites/${id}`, { values: { accent: '#0f766e', bgColor: '#f0fdfa' } });
  await harness.call(context, 'POST', '/api/sites', { origin: 'https://shop.example.com' });
  return () => {
    website.close();
    distrust();
  };
}

const page = (title: string, description: string, author: string, date: string, body = ''): string =>
  `<!doctype html><html lang="en"><title>${title} | The Dairy Journal</title><meta property="og:site_name" content="The Dairy Journal">
<meta name="description" content="${description}"><meta name="author" content="${author}"><meta property="article:published_time" content="${date}">${body}</html>`;
