// Whole pages: the article, or everything where there is none; links; what the page says about itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReadingHarness, type ReadingHarness } from './reading-harness.ts';

let harness: ReadingHarness;
beforeAll(async () => {
  harness = await openReadingHarness();
});
afterAll(() => harness.close());

const sentence =
  'The harbour was quiet in the morning, and the boats lay still while the gulls walked along the wall. ';
const navigation = `<nav><ul>${Array.from({ length: 12 }, (_, at) => `<li><a href="/section-${at}">Section ${at}</a></li>`).join('')}</ul></nav>`;
const article = `<article><h1>The quiet harbour</h1>${`<p>${sentence.repeat(4)}</p>`.repeat(8)}</article>`;
const footer = `<footer class="footer"><p>Imprint and <a href="/terms">terms</a></p></footer>`;

describe('an article', () => {
  it('is found among navigation and footer, and begins with its headline', async () => {
    const { content, links, words } = await harness.read(
      `<!doctype html><title>The quiet harbour - The Gazette</title>${navigation}<main>${article}</main>${footer}`,
    );
    expect(content).toMatch(/^# The quiet harbour\n\nThe harbour was quiet/);
    expect(content).not.toContain('Section 3');
    expect(content).not.toContain('Imprint');
    // The links are those of the whole page.
    expect(links).toHaveLength(13);
    expect(links[0]).toEqual({ href: `${harness.site.origin}/section-0`, text: 'Section 0' });
    expect(words).toBe(3 + 8 * 4 * 19);
  });
});

describe('a page that is no article is read as a whole', () => {
  const teaser = (at: number) =>
    `<article><h2><a href="/story-${at}">A headline about the event number ${at}</a></h2><p>What happened at place ${at}, in one sentence of the editors.</p></article>`;
  const pages: Record<string, readonly [string, readonly string[]]> = {
    'a front page': [
      `${navigation}<main>${Array.from({ length: 20 }, (_, at) => teaser(at)).join('')}</main>${footer}`,
      ['event number 0', 'event number 19', 'at place 7'],
    ],
    'a blog with several posts': [
      `${navigation}${Array.from({ length: 5 }, (_, at) => `<article><h2>Post ${at}</h2><p>${sentence.repeat(6)}</p></article>`).join('')}`,
      ['Post 0', 'Post 4', 'Section 3'],
    ],
    'a list of links': [
      `<h1>Links</h1><ul>${Array.from({ length: 60 }, (_, at) => `<li><a href="/l${at}">A link to something called ${at}</a></li>`).join('')}</ul>`,
      ['Links', 'called 0', 'called 59'],
    ],
    'a short page': ['<h1>Hello</h1><p>Just a line.</p><footer>Bye</footer>', ['Hello', 'Just a line.', 'Bye']],
    'an application': [
      '<header>Board</header><div role="grid"><div>Open 3</div><div>Closed 9</div><button>New issue</button></div><aside>Filters: <label>Mine</label></aside>',
      ['Board', 'Open 3', 'New issue', 'Filters: Mine'],
    ],
  };
  for (const [name, [html, parts]] of Object.entries(pages))
    it(name, async () => {
      const { content } = await harness.read(`<!doctype html><title>Page</title>${html}`);
      for (const part of parts) expect(content).toContain(part);
    });
});

describe('links', () => {
  it('are visible, absolute, without duplicates and in the order of the page', async () => {
    const { links } = await harness.read(`<!doctype html><body>
      <a href="b">Second  letter</a> <a href="/a"><img src="/x.svg" alt="First" width="40" height="40"></a> <a href="b">again</a>
      <a href="mailto:me@example.com">Mail</a> <a href="javascript:x()">no</a> <a href="tel:1">no</a> <a href="/hidden" hidden>no</a>
      <a href="/icon" aria-label="Icon"><svg width="20" height="20"><rect width="20" height="20"/></svg></a> <a href="#part">Part</a> <a href="https://other.example/?q=ä">Other</a></body>`);
    const { origin } = harness.site;
    expect(links.map(({ href, text }) => [href.replace(/page-\d+/, 'page'), text])).toEqual([
      [`${origin}/b`, 'Second letter'],
      [`${origin}/a`, 'First'],
      ['mailto:me@example.com', 'Mail'],
      [`${origin}/icon`, 'Icon'],
      [`${origin}/page#part`, 'Part'],
      ['https://other.example/?q=%C3%A4', 'Other'],
    ]);
  });
});

describe('metadata', () => {
  const facts = async (head: string, body = '<p>x</p>') => {
    const {
      content: _content,
      links: _links,
      words: _words,
      truncated: _truncated,
      ...rest
    } = await harness.read(`<!doctype html><html lang="de"><head>${head}</head><body>${body}</body>`);
    return rest;
  };

  it('prefers JSON-LD, then Open Graph', async () => {
    const data = {
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'WebSite', name: 'Site' },
        {
          '@type': ['NewsArticle'],
          headline: 'From JSON-LD',
          description: 'D',
          author: [{ '@type': 'Person', name: 'A' }, { name: 'B' }],
          datePublished: '2024-05-01T10:00:00+02:00',
          image: { url: '/i.png' },
          publisher: { name: 'P' },
        },
      ],
    };
    expect(
      await facts(`<title>T</title><meta property="og:title" content="OG"><meta property="og:site_name" content="OGS"><link rel="canonical" href="/c"><link rel="shortcut icon" href="/f.ico">
        <script type="application/ld+json">{ broken</script><script type="application/ld+json">${JSON.stringify(data)}</script>`),
    ).toEqual({
      title: 'From JSON-LD',
      description: 'D',
      language: 'de',
      byline: 'A, B',
      siteName: 'P',
      publishedAt: '2024-05-01T08:00:00.000Z',
      image: `${harness.site.origin}/i.png`,
      favicon: `${harness.site.origin}/f.ico`,
      canonical: `${harness.site.origin}/c`,
    });
  });

  it('comes from Open Graph, Twitter cards, microdata and the page itself', async () => {
    expect(
      await facts(
        '<title>T</title><meta property="og:title" content="OG &amp; more"><meta name="twitter:description" content="TD"><meta property="article:published_time" content="2024-05-01"><meta property="og:image" content="https://cdn.example/o.png"><meta name="author" content="M">',
      ),
    ).toMatchObject({
      title: 'OG & more',
      description: 'TD',
      publishedAt: '2024-05-01',
      image: 'https://cdn.example/o.png',
      byline: 'M',
    });
    expect(
      await facts(
        '<title>T</title>',
        '<div itemscope><h1 itemprop="headline">Micro</h1><span itemprop="author">Au</span><time itemprop="datePublished" datetime="2023-02-03T04:05Z">x</time></div>',
      ),
    ).toMatchObject({
      title: 'Micro',
      byline: 'Au',
      publishedAt: '2023-02-03T04:05:00.000Z',
      canonical: null,
      favicon: null,
      siteName: null,
      description: null,
    });
  });
});
