// What a reader cannot see is not in the text, and what is visible beside it is.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenKinds, pageOf, wordsOf } from './hidden/kinds.ts';
import { servePictures } from './hidden/pictures.ts';
import { openReadingHarness, type ReadingHarness } from './reading-harness.ts';

let harness: ReadingHarness;
/** The texts of all kinds that can stand on one page. */
let together: string;

beforeAll(async () => {
  harness = await openReadingHarness();
  servePictures(harness.site);
  const sections = hiddenKinds.map((kind, at) => (kind.alone ? '' : `<section>${pageOf(kind, at)}</section>`));
  const body = `<!doctype html><meta charset="utf-8"><title>Kinds</title><body>${sections.join('\n')}</body>`;
  const { content, links, words } = await harness.read(body, { format: 'text', selector: 'body' });
  together = JSON.stringify([content, links, words]);
}, 120_000);
afterAll(() => harness.close());

// The extractor searches an article together with what is hidden in it. In a short one it tries several ways, for which it
// writes the page as HTML and parses it again.
describe('a hidden text within an article is left out', () => {
  const sentence = 'The harbour lies behind the old wall, and boats come in with the tide every morning. ';
  const raw = [
    '<xmp style="color:#fff">HIDDEN</xmp>',
    '<listing style="opacity:0">HIDDEN</listing>',
    '<p><span style="color:#fff;white-space:pre">one\n\nHIDDEN</span></p>',
    '<div style="visibility:hidden"><div><p>HIDDEN</p></div></div>',
    '<div style="height:0;overflow:hidden"><a href="/HIDDEN" title="HIDDEN">HIDDEN</a><p>one<br><br>HIDDEN</p></div>',
    '<table><tr style="opacity:0"><td>HIDDEN<td>HIDDEN</table>',
    '<p class="byline" style="color:#fff">HIDDEN</p>',
    '<plaintext style="color:#fff">HIDDEN',
  ];
  const parts = [
    ...hiddenKinds.map((kind, at) => (kind.alone ? '' : pageOf(kind, at))),
    ...raw.map((html) => html.replaceAll('HIDDEN', 'secret')),
  ];
  const pageWith = (sentences: number, some: readonly string[]) => `<!doctype html><meta charset="utf-8">
    <title>Harbour</title><ul class="menu"><li>Elsewhere</ul><article><p>${sentence.repeat(sentences)}</p>${some.join('\n')}</article>`;
  const secret = /secret|data-unseen|[\u{E0000}-\u{E01EF}]/u;

  it('in a long one', async () => {
    const { content, links, byline } = await harness.read(pageWith(40, parts));
    expect(content).toContain('plain0x');
    expect(content).not.toContain('Elsewhere');
    expect(JSON.stringify([content, links, byline])).not.toMatch(secret);
  });

  it('in short ones', { timeout: 120_000 }, async () => {
    for (let at = 0; at < parts.length; at += 4) {
      const { content, links, byline } = await harness.read(pageWith(5, parts.slice(at, at + 4)), { format: 'html' });
      expect(content).toContain('harbour lies');
      expect(JSON.stringify([content, links, byline])).not.toMatch(secret);
    }
  });
});

describe('a hidden text is left out', () => {
  it('there are at least 50 kinds', () => expect(hiddenKinds.length).toBeGreaterThanOrEqual(50));

  for (const [at, kind] of hiddenKinds.entries())
    it(kind.name, async () => {
      const { hidden, visible } = wordsOf(at);
      const text = kind.alone ? (await harness.read(`<!doctype html>${pageOf(kind, at)}`)).content : together;
      expect(text).toContain(visible);
      expect(text).not.toContain(hidden);
      // Letters in invisible characters.
      expect(text).not.toMatch(/[\u{E0000}-\u{E01EF}]/u);
    });

  it('a heading that is not shown is not the title', async () => {
    const { title } = await harness.read(
      '<!doctype html><h1 style="display:none">Secret</h1><h1>Shown</h1><p>Text</p>',
    );
    expect(title).toBe('Shown');
  });
});
