// markdown: a text in the flavour of GitHub as a page, seen from outside.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factsOfPdf, hasPoppler, pictureOfPdf, textOfPdf } from '../harness/pdf.ts';
import { decode, distance, pictureOf } from '../harness/picture.ts';
import { type Customer, errorOf, metaOf, type Service, startService } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
let customer: Customer;
beforeAll(async () => {
  [service, site] = await Promise.all([
    startService(),
    startSite({
      '/docs/blue.svg': {
        headers: { 'content-type': 'image/svg+xml' },
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="300"><rect width="3000" height="300" fill="#0000ff"/></svg>',
      },
    }),
  ]);
  customer = await service.customer('business');
});
afterAll(() => Promise.all([service.stop(), site.close()]));

const post = (body: Record<string, unknown>) => service.post('/v1/screenshot', body, customer.key);
const pdfOf = async (markdown: string, more: Record<string, unknown> = {}) => {
  const response = await post({ markdown, format: 'pdf', ...more });
  if (response.status !== 200) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
};

const guide = `# The *guide*

See [the end](#the-end) and https://example.com/auto.

| Name | Value |
|------|------:|
| one  |     1 |

- [x] done
- [ ] open

\`\`\`js
const answer = 42;
\`\`\`

## The end
`;

describe('a text', () => {
  it('is a page: its title is its first heading, and its source is markdown', async () => {
    const response = await post({ markdown: guide, response: 'json' });
    expect(await metaOf(response)).toMatchObject({
      url: null,
      source: 'markdown',
      page: { status: 200, finalUrl: null, title: 'The guide' },
      warnings: [],
    });
    expect(response.headers.get('x-verdict')).toBe('ok');
  });

  it('is dark on light, and light on dark with darkMode', async () => {
    const colours = async (darkMode: boolean) => {
      const picture = await pictureOf(await post({ markdown: guide, darkMode, width: 600, height: 400 }));
      return picture.at(5, 5);
    };
    expect(await colours(false)).toBe('#ffffff');
    expect(distance(await colours(true), '#000000')).toBeLessThan(40);
  });

  it('is rendered once, and is in clear nowhere', async () => {
    const secret = `canary${Math.random().toString(36).slice(2)}`;
    const first = await post({ markdown: `# ${secret}` });
    const second = await post({ markdown: `# ${secret}` });
    expect([first.headers.get('x-cache'), second.headers.get('x-cache')]).toEqual(['MISS', 'HIT']);
    const rows = JSON.stringify(await service.usageUpTo(second, customer.account));
    expect(rows).toContain('sha256:');
    expect(rows + service.logLines.join('')).not.toContain(secret);
  });

  it('loads pictures from baseUrl, and no wider than the page', async () => {
    const response = await post({
      markdown: '![blue](blue.svg)',
      baseUrl: `${site.url}/docs/`,
      width: 600,
      height: 300,
    });
    const picture = await pictureOf(response);
    expect(site.hits('/docs/blue.svg')).toBe(1);
    expect([picture.at(300, 70), picture.at(595, 70)]).toEqual(['#0000ff', '#ffffff']);
  });

  it('keeps raw HTML, which may have a script', async () => {
    const markdown = '# Raw\n\n<script>document.documentElement.style.background = "#00ff00"</script>';
    expect((await pictureOf(await post({ markdown, width: 300, height: 200 }))).at(5, 195)).toBe('#00ff00');
  });
});

describe.runIf(hasPoppler())('a PDF of a text', () => {
  it('has its words, its links, and links to its headings', async () => {
    const bytes = await pdfOf(guide);
    expect(textOfPdf(bytes)).toMatch(/The guide[\s\S]*the end[\s\S]*one\s+1[\s\S]*const answer = 42;[\s\S]*The end/);
    const raw = bytes.toString('latin1');
    expect(raw).toContain('https://example.com/auto');
    expect(raw).toMatch(/the-end/);
  });

  it('has margins, unless the request says otherwise', async () => {
    const black = '<div style="background:#000;height:100px"></div>';
    const corner = async (more: Record<string, unknown>) => {
      const picture = await decode(pictureOfPdf(await pdfOf(black, { pageSize: 'a4', ...more })));
      // 20 mm are 57 points.
      return [picture.at(50, 70), picture.at(64, 70)];
    };
    expect(await corner({})).toEqual(['#ffffff', '#000000']);
    expect(await corner({ margin: '0,0,0,0' })).toEqual(['#000000', '#000000']);
  });

  it('wraps long lines of code, and loses no word of a wide table', async () => {
    const words = Array.from({ length: 40 }, (_, i) => `word${i}`);
    const code = `\`\`\`\n${words.join(' ')}\n\`\`\``;
    const table = `|${words.map(() => 'h|').join('')}\n|${words.map(() => '-|').join('')}\n`;
    const text = textOfPdf(await pdfOf(`${code}\n\n${table}`, { pageSize: 'a4' }));
    for (const word of words) expect(text).toContain(word);
  });

  it('does not leave a heading alone at the end of a page', async () => {
    const paragraphs = (count: number) => 'A line of text.\n\n'.repeat(count);
    for (let lines = 20; lines < 30; lines++) {
      const bytes = await pdfOf(`${paragraphs(lines)}## Heading\n\n${paragraphs(3)}`, { pageSize: 'a4' });
      const pages = textOfPdf(bytes).split('\f');
      for (const page of pages) expect(page.trimEnd().endsWith('Heading')).toBe(false);
    }
  });

  it('is dark to its edges with darkMode', async () => {
    const picture = await decode(pictureOfPdf(await pdfOf(guide, { darkMode: true })));
    for (const [x, y] of [
      [3, 3],
      [300, 780],
      [300, 60],
    ] as const)
      expect(distance(picture.at(x, y), '#000000')).toBeLessThan(40);
  });

  it('can be one long page', async () => {
    const bytes = await pdfOf('A line of text.\n\n'.repeat(100), { singlePage: true });
    expect(factsOfPdf(bytes).pages).toBe(1);
    expect(textOfPdf(bytes).match(/A line of text/g)).toHaveLength(100);
  });
});

describe('a hostile text', () => {
  it.each([
    ['takes long', '>'.repeat(490_000), /takes more than 5 s to convert/],
    [
      'grows without end',
      `[a]: http://e.test/${'x'.repeat(240_000)}\n\n${'[a] '.repeat(60_000)}`,
      /needs too much memory|takes more than 5 s|more than 8 MB/,
    ],
  ])('that %s is a 400, and other texts are converted meanwhile', async (_what, markdown, reason) => {
    const hostile = post({ markdown, width: 300, height: 200 });
    const kind = await post({ markdown: `# Kind ${Math.random()}`, width: 300, height: 200 });
    expect(kind.status).toBe(200);
    const response = await hostile;
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      code: 'invalid_parameter',
      parameter: 'markdown',
      error: expect.stringMatching(reason),
    });
  });
});
