// Pages that attack whoever reads them: each is read within the two seconds of the reading thread, or gets the card of the site.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Site } from '../../src/store/sites.ts';
import { openSitesHarness, type SitesHarness } from './sites-harness.ts';
import { type Answer, article } from './website.ts';

let harness: SitesHarness;
let site: Site;

beforeAll(async () => {
  harness = await openSitesHarness();
  const customer = await harness.service.customer('business');
  site = await harness.verifiedSite(customer);
  // Whoever follows a redirect to the other host finds a page there.
  harness.website.pages.set('/', article('Elsewhere'));
});
afterAll(() => harness?.close());

const html =
  (body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
const redirect =
  (location: string): Answer =>
  (_, response) =>
    response.writeHead(302, { location }).end();
const head = article('Hello').replace(/<\/head>.*/s, '');
const megabytes = (text: string, count = 2e6) => text.repeat(Math.ceil(count / text.length));
const deepJson = `<script type="application/ld+json">${'['.repeat(90_000)}${']'.repeat(90_000)}</script>`;

describe('read, because what it says comes first', () => {
  it.each<[string, Answer]>([
    ['2 MB of <', html(head + megabytes('<'))],
    ['2 MB of <a ', html(head + megabytes('<a '))],
    ['one long attribute', html(`${head}<p title="${megabytes('x')}">`)],
    ['one long tag name', html(`${head}<${megabytes('x')}>`)],
    [
      '100,000 metas',
      html(
        head + '<meta property="og:image" content="x">'.repeat(50_000) + '<meta name="x" content="y">'.repeat(50_000),
      ),
    ],
    ['deep nesting', html(head + megabytes('<b>'))],
    ['deep nesting with other ends', html(head + megabytes('<b>', 9e5) + megabytes('</i>', 9e5))],
    ['deep JSON', html(head + deepJson)],
    ['a million paragraphs', html(head + megabytes('<p>'))],
    ['entities', html(head + megabytes('&amp;lt;&#x'))],
    ['open elements before a long text', html(head + '<time>'.repeat(1900) + megabytes('a&amp;'))],
    ['unclosed comment', html(head + megabytes('<!--'))],
    [
      'an endless page',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).write(head);
        const more = () => response.write('x'.repeat(1e5), (error) => error || setImmediate(more));
        more();
      },
    ],
    ['a gzip bomb', html(gzipSync(head + 'x'.repeat(300e6), { level: 9 }), { 'content-encoding': 'gzip' })],
    [
      'another charset than it says',
      html(Buffer.from(head, 'latin1'), { 'content-type': 'text/html; charset=nonsense' }),
    ],
    ['a redirect within the site', redirect('/plain')],
  ])('%s', async (name, answer) => {
    harness.website.pages.set('/plain', head);
    const path = `/${name.replaceAll(/\W/g, '-')}`;
    harness.website.pages.set(path, answer);
    const response = await harness.pageCard(site, path);
    expect([response.status, response.headers.get('x-card')]).toEqual([200, 'page']);
    expect(harness.website.askedFor(path)).toBe(1);
  });
});

it('a stranger is asked for gzip at most: Brotli is not decoded', async () => {
  let accepted: string | undefined;
  harness.website.pages.set('/encodings', (request, response) => {
    accepted = request.headers['accept-encoding'];
    response.writeHead(200, { 'content-type': 'text/html' }).end(head);
  });
  await harness.pageCard(site, '/encodings');
  expect(accepted).toBe('gzip');
});

describe('not read: the card of the site is the answer', () => {
  it.each<[string, Answer]>([
    [
      'drip',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).write(head);
        const timer = setInterval(() => response.write(' '), 100);
        response.on('close', () => clearInterval(timer));
      },
    ],
    ['loop', redirect('/loop')],
    ['to-a-private-address', redirect('https://10.0.0.1/')],
    ['to-metadata', redirect('https://169.254.169.254/latest/')],
    [
      'to-another-site',
      (request, response) =>
        response.writeHead(302, { location: `https://other.test:${request.socket.localPort}/` }).end(),
    ],
    [
      'to-http',
      (request, response) =>
        response.writeHead(302, { location: `http://site.test:${request.socket.localPort}/` }).end(),
    ],
    ['to-a-file', redirect('file:///etc/passwd')],
    ['not-gzip', html('words', { 'content-encoding': 'gzip' })],
    ['brotli', html(brotliCompressSync(head), { 'content-encoding': 'br' })],
    ['unknown-encoding', html('words', { 'content-encoding': 'zstd' })],
    ['not-a-page', html('%PDF', { 'content-type': 'application/pdf' })],
    ['empty', html('')],
    [
      'cut',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' }).write('<title>');
        setTimeout(() => response.destroy(), 50);
      },
    ],
    ['without-a-title', html('<p>words')],
    ['forbidden', (_, response) => response.writeHead(403, { 'content-type': 'text/html' }).end(head)],
  ])('%s', async (name, answer) => {
    harness.website.pages.set(`/${name}`, answer);
    const startedAt = performance.now();
    const response = await harness.card(site, `/${name}`);
    expect([response.status, response.headers.get('x-card')]).toEqual([200, 'site']);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});
