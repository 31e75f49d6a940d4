// Readers of links wait five seconds: sites, images and pages that do not answer in time.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSitesHarness, type SitesHarness } from './sites-harness.ts';
import { article } from './website.ts';

let harness: SitesHarness;

beforeAll(async () => {
  harness = await openSitesHarness();
});
afterAll(() => harness?.close());

test('a site that hangs is answered within five seconds, with its own card, and the page once it was read', async () => {
  const { website } = harness;
  const site = await harness.verifiedSite(await harness.service.customer('pro'));
  website.pages.set('/hangs', () => {});
  website.pages.set('/slow', (_, response) =>
    setTimeout(() => response.setHeader('content-type', 'text/html').end(article('Slow')), 3500),
  );
  const startedAt = performance.now();
  const answers = await Promise.all(['/hangs', '/slow'].map((path) => harness.card(site, path)));
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect(answers.map(({ status, headers }) => [status, headers.get('x-card')])).toEqual([
    [200, 'site'],
    [200, 'site'],
  ]);
  await expect
    .poll(async () => (await harness.card(site, '/slow')).headers.get('x-card'), { timeout: 10_000 })
    .toBe('page');
});

test('a page whose image hangs gets its card without the image', async () => {
  const { website } = harness;
  const site = await harness.verifiedSite(await harness.service.customer('pro'));
  website.pages.set('/never.png', () => {});
  website.pages.set('/late', (_, response) =>
    setTimeout(
      () =>
        response
          .setHeader('content-type', 'text/html')
          .end(article('Late', '<meta property="og:image" content="/never.png">')),
      2000,
    ),
  );
  const startedAt = performance.now();
  const response = await harness.card(site, '/late');
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect([response.status, response.headers.get('x-card'), response.headers.get('cache-control')]).toEqual([
    200,
    'page',
    'public, max-age=60',
  ]);
});
