// What is read of a page, from small pages that say it in one way or another.
import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../../src/cards/catalogue.ts';
import { createEgress } from '../../src/egress/egress.ts';
import { cardValues } from '../../src/sites/mapping.ts';
import { noFacts, type PageFacts } from '../../src/sites/page-facts.ts';
import { readPage } from '../../src/sites/reading/read-page.ts';
import { readSitemap } from '../../src/sites/reading/sitemap.ts';

const read = (html: string | Buffer, type = 'text/html', url = 'https://www.example.com/blog/a'): PageFacts =>
  readPage(Buffer.from(html as string), type, url).facts;
const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`;
const data = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const article = { '@type': 'BlogPosting', headline: 'From data', author: { name: 'Ada' }, datePublished: '2026-03-04' };

describe('the order of sources', () => {
  const page = `<title>From title</title><h1>From heading</h1>`;
  const open = meta('og:title', 'From Open Graph');
  const twitter = '<meta name="twitter:title" content="From Twitter">';
  it.each([
    [data(article) + open + twitter + page, 'From data'],
    [open + twitter + page, 'From Open Graph'],
    [twitter + page, 'From Twitter'],
    [page, 'From title'],
    ['<h1>From heading</h1>', 'From heading'],
    [data({ '@graph': [{ '@type': 'WebPage', name: 'no' }, article] }) + page, 'From data'],
    [data([{ '@type': 'VideoObject', name: 'no' }, article]) + page, 'From data'],
    [data({ '@type': 'ItemList', itemListElement: [article] }) + page, 'From title'],
    [`<script type="application/ld+json">{broken</script>${page}`, 'From title'],
    [`<script type="application/ld+json"><![CDATA[${JSON.stringify(article)}]]></script>`, 'From data'],
    ['<svg><title>no</title></svg><h1>yes</h1>', 'yes'],
  ])('%#', (html, title) => {
    expect(read(html).title).toBe(title);
  });
});

describe('the title without the name of the site', () => {
  it.each([
    ['<title>Hello | My Site</title>', meta('og:site_name', 'My Site'), 'Hello'],
    ['<title>My Site: Hello</title>', meta('og:site_name', 'My Site'), 'Hello'],
    ['<title>Hello – Example</title>', '', 'Hello'],
    ['<title>Hello | Dæily Example News</title>', '', 'Hello'],
    ['<title>Hello – Somewhere</title><h1>Hello</h1>', '', 'Hello'],
    ['<title>My Site</title>', meta('og:site_name', 'My Site'), 'My Site'],
    ['<title>My Site | A post</title>', meta('og:site_name', 'My Site') + meta('og:title', 'My Site'), 'A post'],
    ['<title>A - B</title>', '', 'A - B'],
    ['<title>A</title><h1>menu</h1>', meta('og:site_name', 'S') + meta('application-name', 'A'), 'A'],
    ['<title>Vec&lt;T&gt; &amp; you</title>', '', 'Vec<T> & you'],
    ['', meta('og:title', 'It&amp;#8217;s &lt;em&gt;new&lt;/em&gt;'), 'It’s new'],
  ])('%s %s', (title, head, expected) => {
    expect(read(title + head).title).toBe(expected);
  });
});

it('author, date, section and price, in the words of a reader', () => {
  expect(read(`<html lang="de">${data({ ...article, articleSection: ['Notizen'] })}`)).toMatchObject({
    author: 'Ada',
    date: '4. März 2026',
    section: 'Notizen',
  });
  expect(
    read('<h1>x</h1><span class="byline">By Grace Hopper</span><time datetime="2026-01-05T23:30:00-08:00">').author,
  ).toBe('Grace Hopper');
  expect(read('<h1>x</h1><time datetime="2026-01-05T23:30:00-08:00">').date).toBe('January 5, 2026');
  expect(read(meta('article:author', 'https://facebook.com/ada')).author).toBe('');
  const offers = { price: '49.00', priceCurrency: 'EUR' };
  expect(read(data({ '@type': 'Product', name: 'Lamp', offers })).price).toBe('€49');
});

describe('the image', () => {
  const from = (html: string) => read(`<h1>x</h1>${html}`).image;
  it.each([
    [meta('og:image', '/a.png'), 'https://www.example.com/a.png'],
    [meta('og:image', 'http://cdn.test/a.png'), 'https://cdn.test/a.png'],
    [`<base href="https://cdn.test/x/">${meta('og:image', 'a.png')}`, 'https://cdn.test/x/a.png'],
    [meta('og:image', 'data:image/png;base64,AAAA'), ''],
    [meta('og:image', 'javascript:alert(1)'), ''],
    [meta('og:image', 'https://user:pw@cdn.test/a.png'), ''],
    [meta('og:image', 'https://shots.test/v1/sites/site_abc/blog/a'), ''],
    [meta('og:image', 'https://shots.test/v1/og?template=x'), ''],
    [meta('og:image', '/placeholder.png') + meta('twitter:image', '/real.png'), 'https://www.example.com/real.png'],
    [
      '<article><img src="/logo.png"><img width="100" src="/small.png"><img src="/large.jpg"></article>',
      'https://www.example.com/large.jpg',
    ],
    ['<img src="/somewhere.jpg">', ''],
  ])('%s', (html, expected) => {
    expect(from(html)).toBe(expected);
  });
});

describe('the charset', () => {
  const title = (text: string, head = '') => `${head}<title>${text}</title>`;
  it.each<[string, Buffer, string]>([
    ['of the header', Buffer.from(title('Café'), 'latin1'), 'text/html; charset=iso-8859-1'],
    ['of the page', Buffer.from(title('Café', '<meta charset="windows-1252">'), 'latin1'), 'text/html'],
    ['of no one', Buffer.from(title('Café'), 'latin1'), 'text/html'],
    ['that is wrong', Buffer.from(title('Café', '<meta charset="gb2312">')), 'text/html; charset=iso-8859-1'],
    ['that nobody knows', Buffer.from(title('Café')), 'text/html; charset=klingon'],
    ['by its mark', Buffer.from(`\ufeff${title('Café')}`, 'utf16le'), 'text/html'],
  ])('%s', (_, bytes, type) => {
    expect(read(bytes, type).title).toBe('Café');
  });

  it('of Japan', () => {
    // "日本" in Shift_JIS.
    const bytes = Buffer.concat([
      Buffer.from('<title>'),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
      Buffer.from('</title>'),
    ]);
    expect(read(bytes, 'text/html; charset=Shift_JIS').title).toBe('日本');
  });
});

it('a sitemap names its addresses', () => {
  const xml =
    '<?xml version="1.0"?><urlset><url><loc> https://a.test/x </loc></url><url><loc>https://a.test/y?a=1&amp;b</loc></url></urlset>';
  expect(readSitemap(Buffer.from(xml), 'text/xml')).toEqual(['https://a.test/x', 'https://a.test/y?a=1&b']);
});

it('every built-in template shows the title of a page, and takes all that is filled in', async () => {
  const egress = createEgress({ allowPrivate: [] });
  const { catalogue, check } = await createCatalogue({ egress });
  const facts: PageFacts = {
    ...{ title: 'Title', description: 'd'.repeat(500), author: 'Ada', date: 'today', section: 'News', price: '€49' },
    ...{ image: 'https://a.test/a.png', icon: 'https://a.test/i.png', siteName: 'Site' },
  };
  for (const entry of catalogue) {
    const values = cardValues({ origin: 'https://a.test', mapping: {}, values: {} }, facts, '/x', entry.variables);
    expect([entry.name, values.get('title')]).toEqual([entry.name, 'Title']);
    expect([entry.name, check(entry.name, values).warnings]).toEqual([entry.name, []]);
  }
  await egress.stop();
});

it('what the owner says wins: a part, nothing, or a fixed value', () => {
  const site = {
    origin: 'https://a.test',
    mapping: { author: 'siteName', date: null, extra: 'address', image: 'title' },
    values: { category: 'Fixed', title: 'Always', unknown: 'x' },
  };
  const text = { type: 'text' } as const;
  const variables = {
    ...{ author: text, date: text, extra: text, category: text, title: text, image: { type: 'image_url' } as const },
  };
  const facts = { ...noFacts, title: 'Title', author: 'Ada', date: 'today', siteName: 'Site', section: 'News' };
  expect(Object.fromEntries(cardValues(site, facts, '/caf%C3%A9', variables))).toEqual({
    author: 'Site',
    extra: 'a.test/café',
    category: 'Fixed',
    title: 'Always',
  });
  expect(cardValues(site, facts, '/', variables).has('date')).toBe(false);
});
