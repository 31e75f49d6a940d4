// Pages that fight back: they cost their own request, and what can be read of them is read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReadingHarness, type ReadingHarness } from './reading-harness.ts';

let harness: ReadingHarness;
beforeAll(async () => {
  harness = await openReadingHarness();
});
afterAll(() => harness.close());

describe('a page cannot disturb the reader', () => {
  it.each(['markdown', 'text', 'html'] as const)(
    'by SVG and XML elements with the names of HTML elements (%s)',
    async (format) => {
      const names =
        'slot select option textarea input img video canvas iframe object details summary table td li a template';
      const { content } = await harness.read(
        `<!doctype html><main>Before.</main><script>
        for (const namespace of ['http://www.w3.org/2000/svg', null]) for (const name of '${names}'.split(' ')) {
          const element = document.createElementNS(namespace, name);
          for (const attribute of ['src', 'href', 'type', 'alt']) element.setAttribute(attribute, 'x');
          document.body.append(element);
        }
        document.body.append(Object.assign(document.createElement('p'), { textContent: 'After.' }));
      </script>`,
        { format },
      );
      expect(content).toMatch(/Before\..*After\./s);
    },
  );

  it('by names that hide the properties of its elements', async () => {
    const names = [
      'children',
      'childNodes',
      'firstChild',
      'nextSibling',
      'nodeType',
      'nodeName',
      'localName',
      'attributes',
      'parentNode',
      'textContent',
      'style',
      'shadowRoot',
      'namespaceURI',
      'ownerDocument',
      'baseURI',
      'scrollWidth',
    ];
    const inputs = names.map((name) => `<input name="${name}">`).join('');
    const clobbered = [
      'body',
      'title',
      'documentElement',
      'querySelectorAll',
      'implementation',
      'baseURI',
      'defaultView',
      'createElement',
      'head',
    ]
      .map((name) => `<img name="${name}" id="${name}">`)
      .join('');
    const { content, title } = await harness.read(
      `<!doctype html><title>Kept</title><form id="reader">${inputs}<p>In the form.</p></form>${clobbered}<p id="tintype">After it.</p>`,
    );
    expect(content).toBe('In the form.\n\nAfter it.');
    expect(title).toBe('Kept');
  });

  it('by a formula of rows within rows', async () => {
    const rows = '<mtr>'.repeat(45);
    const { content } = await harness.read(`<!doctype html><p>Before.</p><math>${rows}<mi>x</mi></math><p>After.</p>`);
    expect(content).toMatch(/Before\.[\s\S]*x[\s\S]*After\./);
  });

  it('by prototypes and getters of its own', async () => {
    const { content } = await harness.read(`<!doctype html><script>
      Array.prototype.push = Map.prototype.get = String.prototype.replace = () => { throw new Error('no') };
      Object.defineProperty(Node.prototype, 'textContent', { get() { throw new Error('no') } });
      Element.prototype.getBoundingClientRect = window.getComputedStyle = () => ({});
      Object.prototype.toJSON = () => 'changed';
    </script><p>Still read.</p>`);
    expect(content).toBe('Still read.');
  });

  it('by metadata of the wrong kind', async () => {
    const { title } = await harness.read(
      `<!doctype html><title>T</title><script type="application/ld+json">{"@type":"Article","headline":{"a":[1]},"author":5,"datePublished":{"x":1},"image":[[]]}</script><script type="application/ld+json">[null,1,"x",[[]]]</script><meta property="article:published_time" content="soon"><p>x</p>`,
    );
    expect(title).toBe('T');
  });
});

describe('a page of any size is read within bounds', () => {
  it('attributes and texts without end', async () => {
    const long = 'x'.repeat(300_000);
    const { content, links, title, description } = await harness.read(
      `<!doctype html><title>${long}</title><meta name="description" content="${long}"><body><a href="/${long}">${long}</a><a href="/short">${'y '.repeat(5000)}</a><img src="/${'.jpg'.repeat(50_000)} x" alt="${long}" width="50" height="50" class="${long}">`,
    );
    expect(title?.length).toBe(2000);
    expect(description?.length).toBe(2000);
    expect(links.map(({ text }) => text.length)).toEqual([500]);
    expect(content).toContain('x'.repeat(10_000));
  });

  it('thousands of links, each as long as it may be', async () => {
    const { links } = await harness.read(`<!doctype html><body><script>
      document.body.innerHTML = Array.from({ length: 2000 }, (_, at) => '<a href="/' + at + 'x'.repeat(4000) + '">' + at + '</a> ').join('');
    </script>`);
    expect(links.length).toBeGreaterThan(100);
    expect(links.reduce((sum, { href, text }) => sum + href.length + text.length, 0)).toBeLessThanOrEqual(500_000);
  });

  it('deep nesting', async () => {
    const { content, truncated } = await harness.read(`<!doctype html><body><p>Top</p><script>
      let at = document.body;
      for (let i = 0; i < 1600; i++) { const next = document.createElement('div'); if (i === 1000) next.append('Middle'); at.append(next); at = next; }
      at.append('Bottom');
    </script>`);
    expect(content).toBe('Top\n\nMiddle');
    expect(truncated).toBe(true);
  });

  it('boxes over boxes', async () => {
    const { content } = await harness.read(`<!doctype html><body><script>
      document.body.innerHTML = '<div style="position:relative;height:300px">' + Array.from({ length: 400 }, (_, at) => '<div style="position:absolute;inset:0;background:#fff"><p>layer ' + at + '.</p></div>').join('') + '</div>';
    </script>`);
    expect(content).toBe('layer 399.');
  });
});
