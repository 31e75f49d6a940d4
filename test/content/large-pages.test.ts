// Pages of any size are read within bounds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReadingHarness, type ReadingHarness } from './reading-harness.ts';

let harness: ReadingHarness;
beforeAll(async () => {
  harness = await openReadingHarness();
});
afterAll(() => harness.close());

describe('a page of any size is read within bounds', { timeout: 180_000 }, () => {
  it('10 MB of text', async () => {
    const url = harness.site.on('/large', (_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>Large</title>${`<p>${'word '.repeat(200)}</p>`.repeat(10_000)}`);
    });
    const { content, truncated } = await harness.read(url, { maxChars: 1_000_000 });
    expect(truncated).toBe(true);
    expect(content.length).toBeGreaterThan(990_000);
    expect(content.length).toBeLessThanOrEqual(1_000_000);
  });

  it('very many links: the text is whole, or says that it was cut because reading took too long', async () => {
    const { links, content, truncated } = await harness.read(`<!doctype html><body><script>
      document.body.innerHTML = Array.from({ length: 60000 }, (_, at) => '<a href="/' + at + '">' + at + '</a> ').join('');
    </script>`);
    expect(links).toHaveLength(2000);
    expect(links[1999]?.text).toBe('1999');
    expect(content).toMatch(/\[1999\]\([^)]*\/1999\)/);
    expect(truncated).toBe(!content.includes('[59999]('));
  });
});
