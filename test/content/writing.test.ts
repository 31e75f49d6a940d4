// How the text is written: Markdown that means what the page shows, text as a person would copy it, HTML that is harmless.
import { marked } from 'marked';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReadingHarness, type ReadingHarness } from './reading-harness.ts';

let harness: ReadingHarness;
beforeAll(async () => {
  harness = await openReadingHarness();
});
afterAll(() => harness.close());

/** Many snippets, each read by its own selector, would be many pages: they stand on one page and are split again. */
async function written(snippets: readonly string[], format: 'markdown' | 'text' | 'html'): Promise<string[]> {
  const page = `<!doctype html><meta charset="utf-8"><body>${snippets.map((html) => `<div>${html}</div>`).join('<p>=====</p>')}</body>`;
  const { content } = await harness.read(page, { format, selector: 'body' });
  return content.split(/\n*(?:<p>)?\\?=====(?:<\/p>)?\n*/).map((text) => text.trim());
}

describe('Markdown', () => {
  const samples: Record<string, readonly [html: string, markdown: string]> = {
    headings: ['<h1>One</h1><h2>Two <i>x</i></h2><h6>Six</h6>', '# One\n\n## Two *x*\n\n###### Six'],
    'emphasis without blanks inside': ['<p>a<b> bold </b>b <em>em</em>, <s>old</s></p>', 'a **bold** b *em*, ~~old~~'],
    'emphasis that Markdown cannot end is given up': ['<p><b>日本（にほん）</b>です</p>', '日本（にほん）です'],
    'nested lists': [
      '<ul><li>a<ul><li>b<ol start="3"><li>c</li><li>d</li></ol></li></ul></li><li>e</li></ul>',
      '- a\n  - b\n    3. c\n    4. d\n- e',
    ],
    'a list that counts down': [
      '<ol reversed><li>c</li><li>b</li><li>a</li></ol><p>and</p><ol reversed start="9"><li>x</li><li>y</li></ol>',
      '3. c\n2. b\n1. a\n\nand\n\n9. x\n8. y',
    ],
    'a list with letters or Roman numbers': [
      '<ol type="a" start="3"><li>c<ol type="i"><li>x</li><li>y<p>z</p></li></ol></li><li>d</li></ol><p>and</p><ol type="A" start="26"><li>e</li><li>f</li></ol><p>and</p><ol type="I"><li value="44">g</li></ol>',
      '- c. c\n  - i. x\n  - ii. y\n\n    z\n- d. d\n\nand\n\n- Z. e\n27. f\n\nand\n\n- XLIV. g',
    ],
    'letters and Roman numbers of a style': [
      '<ol style="list-style:lower-alpha"><li>a</li></ol><p>and</p><style>.r>li{list-style-type:upper-roman}</style><ol class="r" start="4"><li>b</li></ol>',
      '- a. a\n\nand\n\n- IV. b',
    ],
    'letters of a rule for lists without attributes': [
      '<style>.bylaw ol{list-style:upper-alpha}</style><div class="bylaw"><ol><li>a</li><li>b</li></ol></div>',
      '- A. a\n- B. b',
    ],
    'a word with a large first letter': [
      '<style>.l{float:left;font-size:60px;padding-right:12px}</style><p><span class="l">T</span>he boat. <span class="l">A</span> boat. <b class="l">“O</b>ne”. <span class="l">Left</span>right</p>',
      'The boat. A boat. **“O**ne”.\n\nLeft\n\nright',
    ],
    'lists one after the other stay apart': [
      '<ul><li>a<ul><li>b</li></ul><ul><li>c</li></ul></li></ul><div><ul><li>d</li></ul></div><ul><li>e</li></ul><ol><li>f</li></ol><ol><li>g</li></ol>',
      '- a\n  - b\n  * c\n\n* d\n\n- e\n\n1. f\n\n1) g',
    ],
    'an item of two paragraphs': ['<ol><li><p>a</p><p>b</p></li><li>c</li></ol>', '1. a\n\n   b\n2. c'],
    tasks: [
      '<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> open</li></ul>',
      '- [x] done\n- [ ] open',
    ],
    'a table': [
      '<table><caption>Cap</caption><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1|2</td><td>x<br>y</td></tr><tr><td colspan="2">wide</td></tr></tbody></table>',
      'Cap\n\n| A | B |\n| --- | --- |\n| 1\\|2 | x<br>y |\n| wide |  |',
    ],
    'a cell over two rows': [
      '<table><tr><th>A</th><th>B</th></tr><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></table>',
      '| A | B |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |',
    ],
    'a table without a head': [
      '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>',
      '|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |',
    ],
    'a table that lays out the page': [
      '<table><tr><td><h2>Left</h2></td><td><p>Right</p></td></tr></table>',
      '## Left\n\nRight',
    ],
    'code with its language': [
      '<pre><code class="hljs language-ts">const a = `x`;\n\n  b &lt; c;\n</code></pre>',
      '```ts\nconst a = `x`;\n\n  b < c;\n```',
    ],
    'code of GitHub': [
      '<div class="highlight highlight-source-shell"><pre><span>npm</span> start</pre></div>',
      '```shell\nnpm start\n```',
    ],
    'code with fences in it': ['<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
    'code in a line': ['<p>Use <code>a`b</code> and <kbd>Ctrl</kbd>.</p>', 'Use ``a`b`` and `Ctrl`.'],
    'a quote in a quote': ['<blockquote><p>a</p><blockquote>b</blockquote></blockquote>', '> a\n>\n> > b'],
    'links, made absolute': [
      '<p><a href="/x?a=(1)&b=2">here</a> <a href="javascript:alert(1)">no</a></p>',
      '[here](ORIGIN/x?a=%281%29&b=2) no',
    ],
    'a link around a card': [
      '<a href="/card" style="display:block"><h3>Title</h3><p>Text</p></a>',
      '### [Title](ORIGIN/card)\n\nText',
    ],
    'a picture with its text': [
      '<img src="/p.svg" alt="A [small] thing" width="60" height="40">',
      '![A \\[small\\] thing](ORIGIN/p.svg)',
    ],
    'a picture whose text looks like markup': [
      `<p><img src="/p.svg" alt='<img onerror=x> \`' width="60" height="40"> end</p>`,
      '![\\<img onerror=x> \\`](ORIGIN/p.svg) end',
    ],
    'a link after an exclamation mark': ['<p>Wow!<a href="/x">x</a></p>', 'Wow\\![x](ORIGIN/x)'],
    'a link with an address as its text': [
      '<p><a href="/a">https://a.example/b](http://c.example)</a></p>',
      '[https://a.example/b\\](http://c.example)](ORIGIN/a)',
    ],
    'a heading that ends like its mark, and a link to itself': [
      '<h2>Learn C #</h2><h3>One <a href="#one">¶</a></h3><div role="heading" aria-level="4">Two</div>',
      '## Learn C \\#\n\n### One\n\n#### Two',
    ],
    'lines like a table': ['<p>a | b<br>--- | ---<br>1 | 2</p>', 'a | b  \n\\--- | ---  \n1 | 2'],
    'a backslash before a bar in a table': [
      '<table><tr><th>A</th><th>B</th></tr><tr><td>c\\|d</td><td>|e</td></tr></table>',
      '| A | B |\n| --- | --- |\n| c\\\\\\|d | \\|e |',
    ],
    'formulas of MathML, KaTeX and MathJax': [
      `<p>so <math><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mn>1</mn><mi>y</mi></mfrac></math> and
        <span class="katex"><span style="position:absolute;clip:rect(1px,1px,1px,1px);width:1px;height:1px;overflow:hidden"><math><semantics><mi>E</mi><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math></span><span aria-hidden="true">E=mc2</span></span> and
        <mjx-container class="MathJax"><svg width="40" height="20" aria-hidden="true"><path d="M0 0h40v20"/></svg><mjx-assistive-mml style="position:absolute;clip:rect(1px,1px,1px,1px)"><math><msub><mi>z</mi><mn>3</mn></msub></math></mjx-assistive-mml></mjx-container>.</p>`,
      'so $`x^2=\\frac{1}{y}`$ and $`E=mc^2`$ and $`z_3`$.',
    ],
    'formulas in lines of their own': [
      `<p>so</p><math display="block"><mi>x</mi><mo>=</mo><mn>1</mn></math><math display="block"><mi>y</mi><mo>=</mo><mn>2</mn></math>
        <p>and <mjx-container class="MathJax" display="true" style="display:block"><svg width="40" height="20" aria-hidden="true"><path d="M0 0h40v20"/></svg><mjx-assistive-mml style="position:absolute;clip:rect(1px,1px,1px,1px)"><math><mi>z</mi></math></mjx-assistive-mml></mjx-container> too.</p>`,
      'so\n\n$`x=1`$\n\n$`y=2`$\n\nand\n\n$`z`$\n\ntoo.',
    ],
    'a matrix': [
      `<p>so <math><mi>A</mi><mo>=</mo><mrow><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd></mtd><mtd><mn>3</mn></mtd></mtr></mtable><mo>)</mo></mrow></math>.</p>`,
      'so $`A=(\\begin{matrix}1 & 0 \\\\ & 3\\end{matrix})`$.',
    ],
    'formulas of Wikipedia': [
      `<p>so <span class="mwe-math-element"><span style="display:none"><math><semantics><mi>E</mi><annotation encoding="application/x-tex">{\\displaystyle E=mc^{2}}</annotation></semantics></math></span><img src="/m.svg" aria-hidden="true" alt="E" width="60" height="20"></span>.</p>`,
      'so $`E=mc^{2}`$.',
    ],
    'emphasis in emphasis': [
      '<p><em>a <i>b</i> c</em> <b>d <strong>e</strong> <i>f</i></b> <cite style="font-style:normal">g <i>h</i></cite></p>',
      '*a b c* **d e *f*** g *h*',
    ],
    'emoji that are pictures': [
      '<p>Done <img src="/e.png" alt="🎉" width="20" height="20">, <img src="/e.png" alt=":+1:" width="20" height="20"> <img src="/e.png" alt="CI" width="60" height="20"></p>',
      'Done 🎉, :+1: ![CI](ORIGIN/e.png)',
    ],
    'a footnote without its way back': [
      '<ol><li>b <a href="#r">↩︎</a></li><li><b><a href="#r">^</a></b> c</li></ol>',
      '1. b\n2. c',
    ],
    'the number of a footnote without an address': [
      '<p>a<sup><a href="#n1">[1]</a></sup> b<sup><a href="#n2">2</a></sup> c<a href="#n3"><sup>3</sup></a> d<sup><a href="/x">4</a></sup> <a href="#e">5</a></p><ol><li><span class="mw-cite-backlink">^ <a href="#a"><sup>a</sup></a> <a href="#b"><sup>b</sup></a></span> Doe</li></ol>',
      'a\\[1\\] b<sup>2</sup> c<sup>3</sup> d[4](ORIGIN/x) [5](ORIGIN/page#e)\n\n1. Doe',
    ],
    'items that have a mark of their own': [
      '<ul><li><span>•</span><p>a</p></li><li>• b</li></ul><ol><li><span>1.</span><div>c</div></li><li>7. d</li></ol>',
      '- a\n- b\n\n1. c\n2. 7\\. d',
    ],
    'code in a table': [
      '<table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td>y<pre>if (a|b)\n  c()</pre></td></tr></table>',
      '| A | B |\n| --- | --- |\n| x | y<br>`if (a\\|b)`<br>`  c()` |',
    ],
    'code of Sphinx': [
      '<div class="highlight-python notranslate"><div class="highlight"><pre>a</pre></div></div><div class="highlight-default notranslate"><div class="highlight"><pre>b</pre></div></div>',
      '```python\na\n```\n\n```\nb\n```',
    ],
    'code without its numbers, prompts and buttons': [
      '<pre><code><i style="user-select:none">1</i>a;\n<i style="user-select:none">2</i>b;</code><button>Copy</button></pre><pre style="user-select:none">c</pre>',
      '```\na;\nb;\n```\n\n```\nc\n```',
    ],
    'code without numbers that are called so': [
      '<pre><span class="linenos"> 9</span>a\n<span class="linenos">10</span>  2\n<span class="ln">11</span>b <i class="line">3</i></pre>',
      '```\na\n  2\nb 3\n```',
    ],
    'code without a label that repeats its language': [
      '<div class="language-sh"><button>Copy</button><span style="position:absolute">sh</span><pre>a</pre></div><div><p>Rust</p><p>Here:</p><pre class="language-rust">b</pre><div>Rust</div></div>',
      'Copy\n\n```sh\na\n```\n\nRust\n\nHere:\n\n```rust\nb\n```',
    ],
    'videos that can be played': [
      `<p>a</p><iframe src="https://www.youtube.com/embed/x1" title="A [talk]" width="200" height="100"></iframe><iframe src="https://ads.example/x" title="Ad" width="200" height="100"></iframe>
      <video src="/v.mp4" controls width="200" height="100"></video><video src="/hero.mp4" width="200" height="100"></video><iframe src="https://player.vimeo.com/1" title="Gone" width="200" height="100" style="visibility:hidden"></iframe><p>b</p>`,
      'a\n\n[A \\[talk\\]](https://www.youtube.com/embed/x1) [Video](ORIGIN/v.mp4)\n\nb',
    ],
    'code without the cell of its line numbers': [
      `<pre><code><table><tr><td class="gutter gl"><pre class="lineno">1\n2\n3\n</pre></td><td class="code"><pre>a\n  b\nc\n</pre></td></tr></table></code></pre>
      <table><tr><td><pre><span>9</span>\n<span>10</span></pre></td><td><pre>d\ne</pre></td></tr></table>
      <table><tr><td><pre>1\n2</pre></td><td><pre>3</pre></td></tr></table>`,
      '```\na\n  b\nc\n```\n\n```\nd\ne\n```\n\n```\n1\n2\n```\n\n```\n3\n```',
    ],
    'code without the numbers of its rows, and all numbers of other tables': [
      `<style>.m td{font:14px monospace;white-space:pre-wrap}</style><table class="m"><tr><td>9</td><td>a;</td></tr><tr><td>10</td><td>  b;</td></tr></table>
      <table class="m"><tr><td data-line="1"></td><td>c;</td></tr><tr><td data-line="2"></td><td>\n</td></tr><tr><td data-line="3"></td><td>d;</td></tr></table>
      <pre><table><tr><td>1</td><td>e;</td></tr><tr><td>2</td><td>f;</td></tr></table></pre>
      <table class="m"><tr><td>9</td><td>9</td><td> g</td></tr><tr><td>10</td><td></td><td>-h</td></tr><tr><td></td><td>10</td><td>+i</td></tr><tr><td>11</td><td>11</td><td> j</td></tr></table>
      <table class="m"><tr><td>2024</td><td>17</td><td>Ann</td></tr><tr><td>2023</td><td>5</td><td>Bob</td></tr></table>`,
      '```\na;\n  b;\n```\n\n```\nc;\n\nd;\n```\n\n```\ne;\nf;\n```\n\n```\n g\n-h\n+i\n j\n```\n\n|  |  |  |\n| --- | --- | --- |\n| 2024 | 17 | Ann |\n| 2023 | 5 | Bob |',
    ],
    'the names of drawings in a table': [
      `<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td><svg role="img" aria-label="Yes" width="16" height="16"><path d="M0 0h9v9"/></svg></td>
      <td> <svg width="16" height="16"><title>No*</title><path d="M0 0h9v9"/></svg> </td><td><svg role="img" width="16" height="16"><title>Yes</title><path d="M0 0h9v9"/></svg>beta</td></tr></table>`,
      '| A | B | C |\n| --- | --- | --- |\n| Yes | No\\* | Yes beta |',
    ],
    'the names of drawings in a table that stand alone, whatever is around them': [
      `<table><tr><th>A</th><th>B</th></tr><tr><td><!--v-if--><span><svg width="16" height="16" aria-label="Yes"><path d="M0 0h9v9"/></svg></span></td>
      <td>4.5 <span><svg width="16" height="16"><title>Star icon</title><path d="M0 0h9v9"/></svg></span></td></tr></table>`,
      '| A | B |\n| --- | --- |\n| Yes | 4.5 |',
    ],
    'stars and ticks, and icons in a table, that have other words for screen readers': [
      `<style>.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}.i::before{content:"x"}</style><p><span aria-hidden="true">★★★★☆</span><span class="sr">4 of 5</span></p>
      <table><tr><th>A</th><th>B</th><th>C</th><th>D</th><th>E</th></tr><tr><td><span aria-hidden="true">✓</span><span class="sr">Gone</span></td><td><svg aria-hidden="true" width="16" height="16"><path d="M0 0h9v9"/></svg><span class="sr">Yes</span></td>
      <td><i class="i" aria-hidden="true"></i> <span class="sr">No</span></td><td>9 <i class="i" aria-hidden="true"></i><span class="sr">Gone</span></td><td><i aria-hidden="true"></i><span class="sr">Gone</span></td></tr></table>
      <p>end <i class="i" aria-hidden="true"></i><span class="sr">Gone</span><svg aria-hidden="true" width="16" height="16"><path d="M0 0h9v9"/></svg><span class="sr">Gone</span></p>`,
      '★★★★☆\n\n| A | B | C | D | E |\n| --- | --- | --- | --- | --- |\n| ✓ | Yes | No | 9 |  |\n\nend',
    ],
    'the names of pictures that are boxes': [
      `<style>.s::before{content:"*"}</style><p><span role="img" aria-label="4 of 5 stars"><svg width="16" height="16"><path d="M0 0h9v9"/></svg><svg width="16" height="16"><path d="M0 0h9v9"/></svg></span> 218 <i class="s" role="img" aria-label="reviews"></i></p>
      <div role="img" aria-label="Gone" style="height:40px"></div><button><i class="s" role="img" aria-label="Gone"></i></button><div role="img" aria-label="Gone"><p>Chart</p></div>`,
      '4 of 5 stars 218 reviews\n\nChart',
    ],
    'no names of drawings that are decoration, buttons or hidden': [
      `<p><svg width="16" height="16"><title>Star icon</title><path d="M0 0h9v9"/></svg> five</p><p><svg width="16" height="16"><title>Zoom icon</title><path d="M0 0h9v9"/></svg></p><button><svg role="img" aria-label="Close" width="16" height="16"></svg></button>
      <p><svg role="img" aria-label="Gone" width="16" height="16" style="visibility:hidden"></svg><svg role="img" aria-label="Gone" width="16" height="16" aria-hidden="true"></svg>end</p>`,
      'five\n\nend',
    ],
    'code whose lines are boxes': [
      '<pre><code style="display:grid"><span>a</span>\n<span>  b</span></code></pre>',
      '```\na\n  b\n```',
    ],
    'code in other elements': [
      '<code style="display:block;white-space:pre" class="language-py">if x:\n    y</code><p><code>a<br>b</code></p>',
      '```py\nif x:\n    y\n```\n\n`a b`',
    ],
    'boxes with a gap between them, and letters without': [
      '<p><button>3</button><button>12</button></p><p><span style="display:inline-block">H</span><span style="display:inline-block">i</span> (<code style="padding:0 .4em">x</code>)s</p>',
      '3 12\n\nHi (`x`)s',
    ],
    'short texts beside each other in a flex box': [
      `<style>.f{display:flex}</style><div class="f"><span style="flex:1">Weight</span><span style="flex:1">1240 g</span></div><div class="f"><div>Open</div><div><a href="/a">ann</a> wrote</div></div>
      <p class="f"><span>$</span><span>19</span><small>/month</small></p><div class="f" style="gap:6px"><a href="/x">One</a><a href="/y">Two</a></div>
      <div class="f" style="flex-wrap:wrap;width:100px"><span style="width:90px">a</span><span style="width:90px">b</span></div><div class="f" style="flex-direction:column"><span>c</span><span>d</span></div><div class="f"><div style="height:90px">e</div><div>f</div></div>
      <div class="f"><div>${'long '.repeat(20)}</div><div>${'text '.repeat(20)}</div></div>`,
      `Weight 1240 g\n\nOpen [ann](ORIGIN/a) wrote\n\n$19/month\n\n[One](ORIGIN/x) [Two](ORIGIN/y)\n\na\n\nb\n\nc\n\nd\n\ne\n\nf\n\n${'long '.repeat(20).trim()}\n\n${'text '.repeat(20).trim()}`,
    ],
    'lines and rules': ['<p>a<br>b</p><hr><p>c</p>', 'a  \nb\n\n---\n\nc'],
    terms: ['<dl><dt>T</dt><dd>D</dd></dl>', '**T**\n\nD'],
    'raised and lowered': ['<p>10<sup>6</sup> H<sub>2</sub>O</p>', '10<sup>6</sup> H<sub>2</sub>O'],
    'lines of preformatted text': ['<div style="white-space:pre-wrap">a\nb</div>', 'a  \nb'],
    'blocks that are inline elements': [
      '<span style="display:block">a</span><span style="display:block">b</span>',
      'a\n\nb',
    ],
    ruby: ['<ruby>漢<rt>かん</rt></ruby>', '漢(かん)'],
    'a list with text in no item': ['<ul>loose text</ul>', '- loose text'],
  };

  it('has headings, lists, tables, code, links and pictures', async () => {
    harness.site.on('/p.svg', (_request, response) => {
      response
        .setHeader('content-type', 'image/svg+xml')
        .end('<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"/>');
    });
    const found = await written(
      Object.values(samples).map(([html]) => html),
      'markdown',
    );
    const names = Object.keys(samples);
    expect(
      Object.fromEntries(
        found.map((text, at) => [
          names[at],
          text.replaceAll(harness.site.origin, 'ORIGIN').replace(/page-\d+/, 'page'),
        ]),
      ),
    ).toEqual(Object.fromEntries(Object.entries(samples).map(([name, [, markdown]]) => [name, markdown])));
  });

  it('means the same text when it is rendered, whatever characters the page has', async () => {
    const texts = [
      '# no heading',
      '1. no list',
      '- no item',
      '+ no item',
      '> no quote',
      '*a* _b_ **c** ~~d~~ `e`',
      '[a](b) ![c](d)',
      '<b>x</b> &amp; &lt;',
      'snake_case_name 2*3*4',
      '| a | b |',
      '---',
      '***',
      '~~~',
      '```',
      '\\ and \\*',
      'a_b_ _c',
      '12) x',
      '=====x',
      '[x]: http://a',
      '<!-- x -->',
      'http://a.example/_x_',
    ];
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const { content } = await harness.read(
      `<!doctype html><body>${texts.map((text) => `<p>${escaped(text)}</p>`).join('')}`,
      { selector: 'body' },
    );
    const rendered = await harness.read(`<!doctype html><body>${await marked.parse(content)}`, {
      selector: 'body',
      format: 'text',
    });
    expect(rendered.content.split('\n\n')).toEqual(texts);
  });
});

describe('text', () => {
  it('is what a person would copy', async () => {
    const found = await written(
      [
        '<h1>Head</h1><p>A <b>bold</b> <a href="/x">link</a>.</p>',
        '<ul><li>a<ul><li>b</li></ul></li></ul><ol><li>c</li></ol>',
        '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>',
        '<table><tr><th>A</th><td><svg role="img" aria-label="Yes" width="16" height="16"></svg></td></tr></table>',
        '<pre>  x\n  y</pre><img src="/p.svg" alt="alt" width="50" height="50"><p>2 * 3 [x] <img src="/p.svg" alt="🎉" height="20"></p>',
      ],
      'text',
    );
    expect(found).toEqual([
      'Head\n\nA bold link.',
      '- a\n  - b\n\n1. c',
      'A\tB\n1\t2',
      'A\tYes',
      'x\n  y\n\n2 * 3 [x] 🎉',
    ]);
  });
});

describe('HTML', () => {
  it('is sanitised, and links and pictures are absolute', async () => {
    const vectors = [
      '<script>bad()</script>',
      '<img src="/p.svg" width="50" height="50" alt="a" onerror="bad()">',
      '<a href="javascript:bad()" onclick="bad()">one</a>',
      '<a href=" java&#10;script:bad()">two</a>',
      '<svg width="90" height="30"><a xlink:href="javascript:bad()"><text y="20">three</text></a><script>bad()</script></svg>',
      '<iframe srcdoc="<script>bad()</script>four" width="90" height="90"></iframe>',
      '<form action="javascript:bad()"><input value="&lt;script>bad()&lt;/script>"><button formaction="javascript:bad()">five</button></form>',
      '<p style="background:url(javascript:bad())" class="x" id="y">six</p>',
      '<math><mi xlink:href="data:x,bad">seven</mi></math>',
      '<a href="data:text/html,bad()">eight</a>',
      '<style>p{bad:1}</style><link rel="stylesheet" href="/bad.css"><base href="http://bad.example/">',
      '<p lang="en&quot; onmouseover=&quot;bad()">nine</p>',
      '<a href="/next?a=1&b=2">ten</a>',
    ];
    const { content } = await harness.read(`<!doctype html><head><base href="/"></head><body>${vectors.join('\n')}`, {
      format: 'html',
      selector: 'body',
    });
    for (const word of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'])
      expect(content).toContain(word);
    // The one in the field is text.
    expect(content.replace('&lt;script&gt;bad()&lt;/script&gt;', '')).not.toMatch(
      /<script|<iframe|<form|<style|<link|<base|<svg|<math|\son\w+="|javascript:|style=|data:|<input|<button/i,
    );
    expect(content).toContain(`<a href="${harness.site.origin}/next?a=1&amp;b=2">ten</a>`);
    expect(content).toContain(`<img src="${harness.site.origin}/p.svg" alt="a" width="50" height="50">`);
  });

  it('has no address but those of the page that were checked, whatever looks like one', async () => {
    const prose = '<p>A sentence of an article, with a comma, that is long enough to be found as one.</p>'.repeat(12);
    const page = `<!doctype html><title>T</title><article>${prose}<figure id="javascript:alert(1)//x.png"><p>in a figure</p></figure><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="javascript:alert(1)//y.png" class="javascript:alert(1)//z.png lazy" width="90" height="90"><figure id="javascript:alert(1)//w.png"></figure><p><img src="/p.svg" width="90" height="90" alt="kept"></p>${prose}</article>`;
    const { content: html } = await harness.read(page, { format: 'html' });
    expect(html).not.toMatch(/(?:src|href)="(?!http)/);
    expect(html).toContain(`<img src="${harness.site.origin}/p.svg" alt="kept"`);
    const { content: markdown } = await harness.read(page);
    expect(markdown).not.toMatch(/\]\((?:javascript|data):/);
    expect(markdown).toContain(`![kept](${harness.site.origin}/p.svg)`);
  });

  it('is the same when a browser reads it again', async () => {
    const page =
      '<!doctype html><body><p>a <b>b</b></p><ul><li>c</li></ul><table><tr><th>d</th><td colspan="2">e</td></tr></table><pre><code class="language-js">f &lt; g</code></pre><p dir="rtl" lang="ar">ح</p></body>';
    const once = (await harness.read(page, { format: 'html', selector: 'body' })).content;
    expect(
      (await harness.read(`<!doctype html><meta charset="utf-8"><body>${once}`, { format: 'html', selector: 'body' }))
        .content,
    ).toBe(once);
    expect(once).toContain('<code class="language-js">f &lt; g</code>');
  });

  it('is whole where it is cut', async () => {
    const { content, truncated } = await harness.read(
      `<!doctype html><body><div><ul>${'<li>item &amp; <b>more</b></li>'.repeat(500)}</ul></div>`,
      { format: 'html', selector: 'body', maxChars: 1000 },
    );
    expect(truncated).toBe(true);
    expect(content.length).toBeLessThanOrEqual(1000);
    expect(content).toMatch(/<\/ul>\s*<\/div>$/);
    expect((content.match(/<li>/g) ?? []).length).toBe((content.match(/<\/li>/g) ?? []).length);
  });
});

describe('a cut', () => {
  it('is between words, ends a code block, and is told', async () => {
    const { content, truncated, words } = await harness.read(
      `<!doctype html><pre>${'some code here\n'.repeat(200)}</pre>`,
      { selector: 'body', maxChars: 500 },
    );
    expect(truncated).toBe(true);
    expect(content.length).toBeLessThanOrEqual(500);
    expect(content).toMatch(/(some|code|here)\n```$/);
    expect(words).toBe(600);
  });
});
