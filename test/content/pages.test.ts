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

describe('an article keeps', () => {
  const prose = `<p>${sentence.repeat(2)}</p>`.repeat(4);
  const kept: Record<string, readonly [html: string, lines: readonly string[]]> = {
    'headings with a link or an editor beside them': [
      `<div class="markdown-heading"><h2>One</h2><a class="anchor" href="#one"><svg width="16" height="16"><path d="M0 0h9v9"/></svg></a></div>${prose}
      <div class="mw-heading"><h2>Two</h2><span>[<a href="/edit">edit</a>]</span></div>${prose}`,
      ['## One', '## Two'],
    ],
    'notes and the source of a quote': [
      `<aside class="starlight-aside--caution"><p>Never as root.</p></aside>${prose}<blockquote><p>Words.</p><footer>— A. Writer</footer></blockquote>${prose}`,
      ['Never as root.', '> — A. Writer'],
    ],
    'boxes that are checked, and what is chosen': [
      `<ul><li><input type="checkbox" checked> Parser</li></ul><p>Take <select><option>One</option><option selected>Two</option></select>.</p>${prose}`,
      ['- [x] Parser', 'Take Two .'],
    ],
    'the words for a picture that is part of the page': [
      `<p>See <img width="200" height="80" alt="Chart: sales doubled" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"> here.</p>${prose}`,
      ['See Chart: sales doubled here.'],
    ],
    'headings, whatever they are called': [
      `<h2 class="section-header">One</h2>${prose}<h2 class="anchor" id="pagination">Pagination</h2>${prose}<h3 id="extra-options" class="widget-title">Extra options</h3>${prose}`,
      ['## One', '## Pagination', '### Extra options'],
    ],
    'sections that are called like their headings': [
      `<section id="work"><h2>Work</h2>${prose}</section><section id="related-work"><h2>Related work</h2><p>Others did so.</p><section id="comments"><h3>Comments <a href="#comments">¶</a></h3><p>Begin with a hash.</p></section></section>`,
      ['## Related work', 'Others did so.', '### Comments', 'Begin with a hash.'],
    ],
    'comments of code, and tables with a header': [
      `<pre class="src"><span class="org-comment"># first</span>\nx = 1</pre>${prose}<table class="guessed_headers"><thead><tr><th>A</th><th>B</th></tr></thead><tr><td>1</td><td>2</td></tr></table>${prose}`,
      ['# first', '| A | B |', '| 1 | 2 |'],
    ],
    'questions that are buttons': [
      `<h3><button aria-expanded="true">May I cancel?</button></h3>${prose}<h2><button>Refunds</button></h2>${prose}<button class="accordion">Is there a trial?</button>${prose}<button>Subscribe</button>${prose}`,
      ['### May I cancel?', '## Refunds', 'Is there a trial?'],
    ],
    'rows of short texts as lines, and a price with what it is for': [
      `<style>.f{display:flex}.f *{flex:1;margin:0}</style><div class="f"><div>Seats</div><div>5</div><p>No limit</p></div>${prose}<div class="f"><span style="font-size:60px">$19</span><span style="padding-left:6px">a month</span></div>`,
      ['Seats 5 No limit', '$19 a month'],
    ],
    'the times of a recipe': [
      `<div class="wprm-recipe"><div class="wprm-recipe-header"><p>Moist and sour.</p></div><div class="wprm-recipe-meta-container"><div>Prep time: 15 minutes</div></div><div class="wprm-recipe-tags-container"><div>Course: dessert</div></div><ul><li>2 lemons</li></ul></div>${prose}`,
      ['Moist and sour.', 'Prep time: 15 minutes', 'Course: dessert', '- 2 lemons'],
    ],
    'the code of editors, in the order of its lines': [
      `<style>.monaco-editor,.lines-content{position:relative;height:80px;font:13px/18px Consolas,monospace}.view-line,.line-numbers{position:absolute}.view-lines{margin-left:50px}.cm-scroller{white-space:pre;font-family:monospace}</style>
      <div class="monaco-editor"><div class="line-numbers">1</div><div class="line-numbers" style="top:18px">2</div><div class="monaco-scrollable-element"><div class="lines-content"><div class="view-lines" aria-hidden="true"><div class="view-line" style="top:18px"><span>&nbsp;&nbsp;second();</span></div><div class="view-line" style="top:0"><span>first</span><span>();</span></div></div></div></div></div>${prose}
      <div class="CodeMirror"><div class="CodeMirror-scroll"><div class="CodeMirror-code"><div><pre class="CodeMirror-line">third();</pre></div><div><pre class="CodeMirror-line">  fourth();</pre></div></div></div></div>${prose}<div class="cm-scroller"><div class="cm-line">fifth();</div><div class="cm-line">sixth();</div></div>`,
      ['first();', '  second();', 'third();', '  fourth();', 'fifth();', 'sixth();'],
    ],
    'empty lines of code': [`<pre>a<br><br>b</pre>${prose}`, ['a', '', 'b']],
    'empty lines of code in a table with numbers': [
      `<pre><table><tr><td></td><td>a</td></tr><tr><td></td><td>\n</td></tr><tr><td></td><td>b</td></tr></table></pre>${prose}`,
      ['a', '', 'b'],
    ],
  };
  for (const [name, [html, lines]] of Object.entries(kept))
    it(name, async () => {
      const { content } = await harness.read(`<!doctype html><title>Page</title><article>${prose}${html}</article>`);
      expect(content.split('\n')).toEqual(expect.arrayContaining([...lines]));
      if (name.startsWith('empty')) expect(content).toContain('a\n\nb');
      if (name.includes('editors')) {
        expect(content).toContain('```\nfirst();\n  second();\n```');
        expect(content).toContain('```\nthird();\n  fourth();\n```');
        expect(content).not.toMatch(/^[12]$/m);
      }
    });

  it('the text around code that is longer', async () => {
    const code = Array.from({ length: 12 }, (_, at) => `call(${at}, first, second, third);`).join('\n');
    const { content } = await harness.read(
      `<!doctype html><title>Page</title>${navigation}<article><nav><a href="/">Home</a></nav><h3>Calls, one by one</h3><p>Here they are:</p><div class="box"><div class="scroll"><pre>${code}</pre></div></div><p>There are no more.</p></article>${footer}`,
    );
    expect(content).toBe(`### Calls, one by one\n\nHere they are:\n\n\`\`\`\n${code}\n\`\`\`\n\nThere are no more.`);
  });

  it('no bread crumbs, no links to the pages before and after, and no heading of what was left out', async () => {
    const { content } = await harness.read(
      `<!doctype html><title>Page</title><main><article><nav><ul><li><a href="/">Home</a></li><li>Page</li></ul></nav><h1>Page</h1>${prose}<h2>Part</h2>${prose}<nav><a href="/a"><div>Previous</div><div>Introduction</div></a></nav><h3>Share this</h3><div class="share"><a href="/share">Share</a></div></article></main>`,
    );
    expect(content).toMatch(/^# Page\n\nThe harbour/);
    expect(content).toContain('## Part');
    expect(content).not.toMatch(/Home|Introduction|Share/);
  });

  it('no comments or related posts of a site, although they are called like their headings', async () => {
    const { content } = await harness.read(
      `<!doctype html><title>Page</title><article>${prose}${prose}</article><section id="related"><h2>Related</h2><p>Another post.</p></section><section id="comments"><h2>Comments</h2><p>Well written.</p></section>`,
    );
    expect(content).not.toMatch(/Related|Another|Comments|Well written/);
  });

  it.each([
    ['Install | Widget docs', 'Install'],
    ['Hooks – React', 'Hooks'],
    ['C# in depth', 'C#'],
    ['Rate limits', 'Rate limits <a href="#r">#</a>'],
  ])('its headline, whatever the title has besides: %s', async (title, headline) => {
    const { content } = await harness.read(
      `<!doctype html><title>${title}</title><main><h1>${headline}</h1>${prose}</main>`,
    );
    expect(content).toMatch(new RegExp(`^# ${headline.replace(/ <.*/, '')}\n\nThe harbour`));
  });
});

describe('the headline', () => {
  const texts = (count: number, tag = 'p') => `<${tag}>${sentence.repeat(2)}</${tag}>`.repeat(count);
  const page = (title: string, html: string) => `<!doctype html><title>${title}</title>${html}`;

  it('of a product is read with its price, beside its description and reviews', async () => {
    const review = (at: number) => `<div class="rev"><b>Reviewer ${at}</b>${texts(1)}</div>`;
    const { content } = await harness.read(
      page(
        'Wool Jumper | Shop',
        `<div><div><h2>Description</h2>${texts(1)}<h2>Reviews</h2>${[1, 2, 3, 4, 5].map(review).join('')}</div>
        <div class="buybox"><h1>Wool Jumper</h1><p>€ 79.00</p><p>In stock</p></div></div>`,
      ),
    );
    for (const part of ['# Wool Jumper', '€ 79.00', 'In stock', '## Description', 'Reviewer 5'])
      expect(content).toContain(part);
  });

  it('of a product is the first line, with its price, where it stands above the description', async () => {
    const { content } = await harness.read(
      page(
        'Wool Jumper | Shop',
        `${navigation}<div class="product"><div class="name"><h1>Wool Jumper</h1></div><p>79.00 EUR</p></div><div class="tab">${texts(6)}</div>`,
      ),
    );
    expect(content).toMatch(/^# Wool Jumper\n\n79\.00 EUR\n\nThe harbour/);
    expect(content).not.toContain('Section 3');
  });

  it('of a product is written once, and another h1 beside it stays', async () => {
    const { content } = await harness.read(
      page(
        'Blue Mug | Shop',
        `${navigation}<div class="product"><h1>Kitchen</h1><h1>Blue Mug</h1><p>12.00 EUR</p></div><div class="tab">${texts(6)}</div>`,
      ),
    );
    expect(content).toMatch(/^# Blue Mug\n\n# Kitchen\n\n12\.00 EUR\n\nThe harbour/);
  });

  it('of a front page is read with all of its sections', async () => {
    const feature = (at: number) => `<div><h3>Feature ${at}</h3>${texts(1)}</div>`;
    const { content } = await harness.read(
      page(
        'Acme — work software',
        `<section><div><h1>Ship faster</h1><p>For small teams.</p></div></section><div>${[1, 2, 3, 4, 5, 6].map(feature).join('')}</div>
        <section><h2>Pricing</h2><p>Pro: $19 a month.</p></section><section><h2>Questions</h2><p>Can I cancel? Yes.</p></section>`,
      ),
    );
    for (const part of ['# Ship faster', 'For small teams.', 'Feature 6', 'Pro: $19 a month.', 'Can I cancel?'])
      expect(content).toContain(part);
  });

  it('of an article is its first line if the title has other words', async () => {
    const { content } = await harness.read(
      page(
        'What boats do at night',
        `${navigation}<header><h1>The quiet harbour</h1></header><article>${texts(3)}<h2>Later</h2>${texts(3)}</article>${footer}`,
      ),
    );
    expect(content).toMatch(/^# The quiet harbour\n\nThe harbour was/);
    expect(content).not.toContain('Section 3');
  });

  it('does not make the whole page of an article with an author that begins with a section', async () => {
    const { content } = await harness.read(
      page(
        'What boats do at night',
        `<meta name="author" content="A. Writer">${navigation}<header><h1>The quiet harbour</h1></header><article><h2>Early</h2>${texts(3)}<h2>Later</h2>${texts(3)}</article>${footer}`,
      ),
    );
    expect(content).toMatch(/^# The quiet harbour\n\n## Early\n\nThe harbour was/);
    expect(content).not.toContain('Section 3');
  });

  it('of an article is read with the introduction in its box, without the links and labels there', async () => {
    const { content } = await harness.read(
      page(
        'Install - Tool',
        `${navigation}<main><div class="page-header"><a href="/docs">A link to all of the pages of the documentation</a><h1>Install</h1><div class="meta">Version 3</div>
        <p class="lead">You need Node 20 or newer, and Windows works in WSL only.</p><p><a href="/edit">Edit this page of the documentation on a site</a></p></div>
        <div class="content">${texts(3)}<h2>Later</h2>${texts(3)}</div></main>${footer}`,
      ),
    );
    expect(content).toMatch(/^# Install\n\nYou need Node 20 or newer, and Windows works in WSL only\.\n\nThe harbour/);
    expect(content).not.toMatch(/Version 3|Edit this|A link to/);
  });

  it.each([
    ['a link to the first page', '<h1><a href="/">The Gazette</a></h1>', 'What boats do at night'],
    ['above the headline of the article', '<h1>The Gazette</h1>', 'The quiet harbour'],
  ])('is not the name of the site: %s', async (_, name, title) => {
    const { content } = await harness.read(
      page(
        title,
        `<header>${name}</header>${navigation}<article><h2>The quiet harbour</h2>${texts(3)}<h3>Later</h3>${texts(3)}</article>`,
      ),
    );
    expect(content).not.toContain('Gazette');
    expect(content).toMatch(/^##? The quiet harbour\n/);
  });
});

it('XML is what the server sent, not the tree that the browser shows', async () => {
  harness.site.on('/map.xml', (_request, response) => {
    response.setHeader('content-type', 'text/xml').end('<urlset><url><loc>http://a.example/</loc></url></urlset>');
  });
  const { content } = await harness.read(`${harness.site.origin}/map.xml`);
  expect(content).toBe('```xml\n<urlset><url><loc>http://a.example/</loc></url></urlset>\n```');
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
    'a thread of posts': [
      `${navigation}<h1>Harbours</h1>${Array.from({ length: 6 }, (_, at) => `<div class="comment"><div><a href="/u/${at}">user${at}</a> <span>${at} h ago</span></div><p>${sentence.repeat(3)}</p></div>`).join('')}`,
      ['# Harbours', 'user0', '5 h ago'],
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

describe('a thread is read with names and dates, and without what is on all pages of its site', () => {
  const site = (html: string) =>
    `<!doctype html><title>Harbours</title><header><a href="/">Site</a>${navigation}</header><main><header><h1>Harbours</h1></header>${html}</main><div role="complementary">Hot questions</div>${footer}`;
  const comment = '<ul><li class="comment"><p>Not at noon.</p> – <a href="/u/9">Carl</a></li></ul>';
  const pages: Record<string, string> = {
    'a question with an answer and comments': `<div class="question js-question"><p>${sentence}</p><div class="user"><a href="/u/1">Alice</a></div>${comment}</div>
      <div class="answer js-answer"><p>${sentence.repeat(3)}</p><footer><a href="/u/2">Bob</a></footer>${comment}</div>`,
    'an issue': ['Alice', 'Bob', 'Carl']
      .map(
        (name) =>
          `<div class="timeline-comment"><div class="author"><a href="/${name}">${name}</a></div><p>${sentence.repeat(2)} Not at noon.</p></div>`,
      )
      .join(''),
  };
  it.each(Object.entries(pages))('%s', async (_, html) => {
    const { content } = await harness.read(site(html));
    for (const part of ['# Harbours', 'Alice', 'Bob', 'Carl', 'Not at noon.']) expect(content).toContain(part);
    expect(content).not.toMatch(/Section 3|Hot questions|Imprint/);
  });
});

it('a post with comments in its box is no thread', async () => {
  const comment = `<li class="comment"><a href="/u">Ann</a><p>${sentence}</p></li>`;
  const { content } = await harness.read(
    `<!doctype html><title>Page</title><div class="post"><h1>Page</h1><div class="entry">${`<p>${sentence.repeat(3)}</p>`.repeat(6)}</div><div class="related"><a href="/x">Another post</a></div><ul class="comments">${comment.repeat(3)}</ul></div>`,
  );
  expect(content).not.toMatch(/Another post|Ann/);
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

  it('is not that of one story of a front page, or of one review of a product', async () => {
    const data = (json: unknown) => `<script type="application/ld+json">${JSON.stringify(json)}</script>`;
    const story = (headline: string) => ({
      '@type': 'NewsArticle',
      headline,
      author: 'A. Writer',
      datePublished: '2024-01-01',
    });
    const front = await harness.read(`<!doctype html><title>Gazette</title>${data([story('One'), story('Two')])}<p>x`);
    expect(front).toMatchObject({ title: 'Gazette', byline: null, publishedAt: null });
    const review = { '@type': 'Review', name: 'Great', author: 'B. Buyer' };
    const product = await harness.read(
      `<!doctype html><title>Phone</title>${data([review, { '@type': 'Product', name: 'Phone' }])}<p>x`,
    );
    expect(product).toMatchObject({ title: 'Phone', byline: null });
    const story2 = await harness.read(`<!doctype html>${data(story('Tom &amp; Jerry&#8217;s day'))}<p>x`);
    expect(story2.title).toBe('Tom & Jerry’s day');
  });

  it('is not that of a reviewer, a comment, a change or a teaser', async () => {
    const review =
      '<div itemprop="review" itemscope><span itemprop="author">B. Buyer</span><meta itemprop="datePublished" content="2011-04-01"></div>';
    const comment = '<article class="comment"><time datetime="2012-01-01">x</time></article>';
    const change =
      '<time itemprop="dateModified" datetime="2013-01-01">x</time><time class="entry-date updated" datetime="2014-01-01">x</time>';
    const teaser = '<article><h2><a href="/x">One</a></h2><time datetime="2015-01-01">x</time></article>';
    expect(await facts('', `<main>${review}${comment}${change}${teaser}<p>x</p></main>`)).toMatchObject({
      byline: null,
      publishedAt: null,
    });
    const person = '<div itemprop="author" itemscope><img alt=""><b itemprop="name">A. Writer</b><i>Editor</i></div>';
    const own = '<article><h1>One</h1><time datetime="2016-01-01">x</time></article>';
    expect(await facts('', `<main>${review}${change}${person}${own}</main>`)).toMatchObject({
      byline: 'A. Writer',
      publishedAt: '2016-01-01',
    });
  });

  it('is that of a job, and not the time of an event', async () => {
    const data = (json: unknown) => `<script type="application/ld+json">${JSON.stringify(json)}</script>`;
    const job = {
      '@type': 'JobPosting',
      title: 'Builder',
      datePosted: '2024-03-01',
      description: '<p>Build boats.</p><p>Now.</p>',
    };
    expect(await facts(data(job))).toMatchObject({ publishedAt: '2024-03-01', description: 'Build boats. Now.' });
    const event = { '@type': 'Event', name: 'Fair', startDate: '2025-08-01', description: '1 < 2' };
    expect(await facts(data(event), '<main><time datetime="2025-08-01">x</time></main>')).toMatchObject({
      publishedAt: null,
      description: '1 < 2',
    });
  });

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
