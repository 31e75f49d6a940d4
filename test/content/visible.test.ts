// What a reader sees is in the text, however the page shows it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReadingHarness, type ReadingHarness } from './reading-harness.ts';

/** SEEN stands for a word of its own. */
const kinds: Record<string, string> = {
  'a gradient clipped to letters':
    '<h2 style="background:linear-gradient(red,blue);background-clip:text;-webkit-background-clip:text;color:transparent">SEEN</h2>',
  'letters with an outline only': '<p style="color:transparent;-webkit-text-stroke:1px black">SEEN</p>',
  'white letters with a dark shadow': '<p style="color:#fff;text-shadow:0 0 3px #000">SEEN</p>',
  'white on a background picture': '<div style="background-image:url(/picture.svg);color:#fff;height:40px">SEEN</div>',
  'white over a picture that is a sibling':
    '<div style="position:relative;height:60px"><img src="/picture.svg" width="300" height="60" alt=""><span style="position:absolute;left:9px;top:9px;color:#fff">SEEN</span></div>',
  'white over a picture in the same cell of a grid':
    '<div style="display:grid;width:300px"><img src="/picture.svg" width="300" height="60" alt="" style="grid-area:1/1"><span style="grid-area:1/1;color:#fff">SEEN</span></div>',
  'white over a canvas':
    '<div style="position:relative;height:60px"><canvas width="300" height="60"></canvas><span style="position:absolute;left:9px;top:9px;color:#fff">SEEN</span></div>',
  'white over a dark box that is no ancestor':
    '<div style="position:relative;height:60px"><div style="position:absolute;inset:0;background:#123"></div><span style="position:relative;color:#fff">SEEN</span></div>',
  'white on black': '<div style="background:#000;color:#fff">SEEN</div>',
  'half of the opacity': '<p style="opacity:.5">SEEN</p>',
  'under a half transparent layer':
    '<div style="position:relative;height:40px"><p>SEEN</p><div style="position:absolute;inset:0;background:rgba(0,0,0,.5)"></div></div>',
  'under a transparent link':
    '<div style="position:relative;height:40px"><p>SEEN</p><a href="/card" style="position:absolute;inset:0"></a></div>',
  'on a positioned card': '<div style="position:relative;z-index:3;background:#fff"><p>SEEN</p></div>',
  'in the part of a scroller that is out of view':
    '<div style="height:40px;overflow:auto"><div style="height:600px"></div><p>SEEN</p></div>',
  'to the right in a scroller':
    '<div style="width:200px;overflow-x:auto;white-space:nowrap"><span style="display:inline-block;width:900px"></span>SEEN</div>',
  'in a clipped box, but inside of it': '<div style="overflow:hidden;height:40px"><p style="margin:0">SEEN</p></div>',
  'text that sticks out of a box of no size': '<div style="width:0;height:0;white-space:nowrap">SEEN</div><br>',
  'the beginning of a clamped text':
    '<div style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden;width:200px">SEEN and more words than fit into one line of this box</div>',
  'closed details, which a reader can open': '<details><summary>Open</summary><p>SEEN</p></details>',
  'visible in something hidden': '<div style="visibility:hidden"><p style="visibility:visible">SEEN</p></div>',
  'behind nothing, with a negative z-index': '<p style="position:relative;z-index:-1">SEEN</p>',
  'a bar at the top of the window': '<div style="position:fixed;top:0;left:0;background:#fff">SEEN</div>',
  'a bar at the bottom of the window': '<div style="position:fixed;bottom:0;left:0;background:#fff">SEEN</div>',
  'a bar that sticks': '<div style="position:sticky;top:0;background:#fff">SEEN</div>',
  'display: contents': '<div style="display:contents">SEEN</div>',
  'a transform': '<p style="transform:translateX(20px) rotate(3deg)">SEEN</p>',
  'a shadow root': '<div><template shadowrootmode="open"><p>SEEN</p></template></div>',
  'a child in a slot': '<div><template shadowrootmode="open"><b><slot></slot></b></template>SEEN</div>',
  'a frame of the same origin': '<iframe srcdoc="<p>SEEN</p>" width="300" height="60"></iframe>',
  'a drawing': '<svg width="200" height="30"><text x="5" y="20">SEEN</text></svg>',
  'the value of a field': '<input value="SEEN">',
  'the chosen option': '<select><option>other<option selected>SEEN</select>',
  'a button': '<button>SEEN</button>',
  'mathematics that is hidden from screen readers':
    '<span class="katex"><span aria-hidden="true" class="katex-html">SEEN</span></span>',
  'a price beside its words for screen readers':
    '<p><span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">five dollars</span><span aria-hidden="true">SEEN</span></p>',
  'a unit after its word for screen readers':
    '<p><span>15<span style="position:absolute;width:1px;height:1px;overflow:hidden"> minutes</span></span> <span aria-hidden="true">SEEN</span></p>',
  'a heading whose letters are moved one by one':
    '<h2 aria-label="Now SEEN"><span aria-hidden="true" style="display:inline-block">SEEN</span></h2>',
  'a cell far to the right of a wide table':
    '<table style="width:6000px"><tr><td>first</td><td style="width:5500px"></td><td>SEEN</td></tr></table>',
  'on a box with a gradient':
    '<div style="position:relative;height:60px;background:linear-gradient(#123,#345);color:#fff"><p>SEEN</p></div>',
  'over a positioned gradient':
    '<div style="position:relative;height:60px"><div style="position:absolute;inset:0;background:linear-gradient(#123,#345)"></div><p style="position:relative;color:#fff">SEEN</p></div>',
  'under a gradient that fades':
    '<div style="position:relative;height:60px"><p>SEEN</p><div style="position:absolute;inset:0;background:linear-gradient(transparent,#fff)"></div></div>',
  'under a canvas with nothing on it':
    '<div style="position:relative;height:60px"><p>SEEN</p><canvas width="400" height="60" style="position:absolute;left:0;top:0"></canvas></div>',
  'under a transparent picture':
    '<div style="position:relative;height:60px"><p>SEEN</p><img src="/frame.svg" alt="" style="position:absolute;left:0;top:0;width:100%;height:60px"></div>',
  'under a transparent background picture':
    '<div style="position:relative;height:60px"><p>SEEN</p><div style="position:absolute;inset:0;background:url(/frame.svg)"></div></div>',
  'under a background picture that does not load':
    '<div style="position:relative;height:60px"><p>SEEN</p><div style="position:absolute;inset:0;background:url(/none.png)"></div></div>',
  'beside a small background picture':
    '<div style="position:relative;height:60px"><p>SEEN</p><a style="position:absolute;inset:0;background:url(/picture.svg) right/20px 20px no-repeat"></a></div>',
  'after a floating picture that reaches under it':
    '<div><img src="/picture.svg" alt="" style="float:left;margin-right:-300px" width="300" height="60"><b style="color:#fff">SEEN</b></div><br clear="all">',
  'a mask that fades the end': '<p style="mask-image:linear-gradient(#000 70%,transparent)">SEEN</p>',
  'a mask that is a picture': '<p style="mask-image:url(/mask.svg)">SEEN</p>',
  'clip-path: path()': `<p style="clip-path:path('M0 0 H900 V90 H0 Z')">SEEN</p>`,
  'clip-path: a circle': '<p style="clip-path:circle(50%);width:200px">SEEN</p>',
  'a little blur': '<p style="filter:blur(1px)">SEEN</p>',
  'black stays black in any brightness': '<p style="filter:brightness(3)">SEEN</p>',
  'both colours inverted': '<div style="background:#fff;color:#000;filter:invert(1)">SEEN</div>',
  'white made black by a filter': '<div style="color:#fff;filter:invert(1)">SEEN</div>',
  'a drawing with an outline only':
    '<svg width="200" height="30"><text x="5" y="20" fill="none" stroke="#000">SEEN</text></svg>',
  'a colour clipped to letters':
    '<p style="background:#c00;background-clip:text;-webkit-background-clip:text;color:transparent">SEEN</p>',
  'the alternative text of a picture': '<img src="/picture.svg" width="80" height="40" alt="SEEN">',
};

let harness: ReadingHarness;
let content: string;

beforeAll(async () => {
  harness = await openReadingHarness();
  for (const path of ['/picture.svg', '/mask.svg'])
    harness.site.on(path, (_request, response) => {
      response
        .setHeader('content-type', 'image/svg+xml')
        .end(
          '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60"><rect width="300" height="60" fill="#357"/></svg>',
        );
    });
  harness.site.on('/frame.svg', (_request, response) => {
    response
      .setHeader('content-type', 'image/svg+xml')
      .end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60"><rect width="300" height="60" fill="none" stroke="#357"/></svg>',
      );
  });
  const sections = Object.values(kinds).map(
    (html, at) => `<section>${html.replaceAll('SEEN', `seen${at}x`)}</section>`,
  );
  content = (await harness.read(`<!doctype html><body>${sections.join('\n')}</body>`, { selector: 'body' })).content;
});
afterAll(() => harness.close());

describe('a visible text is read', () => {
  for (const [at, name] of Object.keys(kinds).entries()) it(name, () => expect(content).toContain(`seen${at}x`));

  it('from right to left', async () => {
    const { content: text } = await harness.read(
      '<!doctype html><html dir="rtl" lang="ar"><p>مرحبا بالعالم</p><div style="width:3000px">واسع</div>',
    );
    expect(text).toBe('مرحبا بالعالم\n\nواسع');
  });

  it('on a page of vertical lines, to its end', async () => {
    const column = (text: string) => `<p style="width:900px">${text}</p>`;
    const { content: text } = await harness.read(
      `<!doctype html><html style="writing-mode:vertical-rl"><body>${['一', '二', '三', '四', '五', '六'].map(column).join('')}`,
    );
    expect(text.split('\n\n')).toEqual(['一', '二', '三', '四', '五', '六']);
  });

  const cards = ['one', 'two', 'three', 'four', 'five', 'six'];
  const small = 'width:400px;height:200px;overflow:auto;display:flex;';
  const scrollers: Record<string, readonly [style: string, order: readonly string[]]> = {
    'from right to left': [`${small}direction:rtl`, cards],
    'of vertical lines': [`${small}display:block;writing-mode:vertical-rl`, cards],
    'of vertical lines from the left': [`${small}display:block;writing-mode:vertical-lr`, cards],
    'whose row is reversed': [`${small}flex-direction:row-reverse`, cards.toReversed()],
    'whose row from right to left is reversed': [
      `${small}direction:rtl;flex-direction:row-reverse`,
      cards.toReversed(),
    ],
    'whose column is reversed': [`${small}flex-direction:column-reverse`, cards.toReversed()],
    'with reversed rows in several lines': [`${small}flex-flow:row-reverse wrap`, cards],
  };
  it.each(Object.entries(scrollers))(
    'in all of a scroller %s, in the order that a reader sees',
    async (_, [style, order]) => {
      const boxes = cards.map((card) => `<div style="flex:0 0 300px;width:300px;height:150px">${card}</div>`);
      const { content: text } = await harness.read(`<!doctype html><div style="${style}">${boxes.join('\n')}</div>`);
      expect(text.split('\n\n')).toEqual(order);
    },
  );

  it('in a log that is scrolled up from its end', async () => {
    const boxes = cards.map((card) => `<div style="flex:0 0 150px">${card}</div>`);
    const { content: text } = await harness.read(
      `<!doctype html><div style="${small}flex-direction:column-reverse">${boxes.join('')}</div><script>document.querySelector('div').scrollTop = -300</script>`,
    );
    expect(text.split('\n\n')).toEqual(cards.toReversed());
  });

  it('without the names of icons, which are seen as pictures', async () => {
    const { content: text } = await harness.read(
      `<!doctype html><meta charset="utf-8"><p><i style="font-family:'Material Icons'">chevron_right</i> Next <i>\uE801</i></p><p>icons_of_text</p><pre>symbol = "\uE801"</pre>`,
    );
    expect(text).toBe('Next\n\nicons_of_text\n\n```\nsymbol = "\uE801"\n```');
  });

  it('with a blank where a reader sees one, and none within a word', async () => {
    const { content: text } = await harness.read(
      '<!doctype html><p><s style="margin-right:16px">$89</s><span>$79</span></p><p><a style="padding:0 2px">link</a>s <kbd style="padding:0 8px">A</kbd>+<kbd style="padding:0 8px">B</kbd></p>',
      { format: 'text' },
    );
    expect(text).toBe('$89 $79\n\nlinks A+B');
  });

  it('on a page that a dialog has locked', async () => {
    const { content: text } = await harness.read(
      '<!doctype html><html style="overflow:hidden;height:100%"><body style="overflow:hidden;height:100%"><p>first</p><div style="height:3000px"></div><p>last</p>',
    );
    expect(text).toBe('first\n\nlast');
  });

  it('on a dark page', async () => {
    const { content: text } = await harness.read(
      '<!doctype html><html style="background:#111;color:#eee"><p>light on dark</p><p style="color:#111">gone</p>',
    );
    expect(text).toBe('light on dark');
  });

  it('in an encoding that the page does not name', async () => {
    harness.site.on('/euc', (_request, response) => {
      response
        .setHeader('content-type', 'text/html; charset=x-unknown')
        .end(Buffer.from([0x3c, 0x70, 0x3e, 0x63, 0x61, 0x66, 0xe9]));
    });
    expect((await harness.read(`${harness.site.origin}/euc`)).content).toMatch(/^caf/);
  });
});

describe('a selector', () => {
  const page =
    '<!doctype html><h1>Head</h1><div class="a" hidden>no</div><div class="a">one</div><div class="a">two</div><i class="b" hidden>x</i>';
  it('reads the first visible match and nothing else', async () => {
    expect((await harness.read(page, { selector: '.a' })).content).toBe('one');
  });
  it('that matches only hidden elements says so', async () => {
    const url = harness.site.page('<!doctype html><p>x</p><i class="b" style="position:absolute;left:-9999px">x</i>');
    expect(await harness.answer(url, { selector: '.b' })).toEqual({ missing: 'hidden' });
  });
});
