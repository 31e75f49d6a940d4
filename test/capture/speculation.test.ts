// The guess of src/capture/speculation.ts and the rehearsal on a blank page save time and must not change a byte. All
// fixtures: speculation-fixtures.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CaptureHarness, openCaptureHarness } from './capture-harness.ts';
import { svg } from './site.ts';

let guessing: CaptureHarness;
let plain: CaptureHarness;
beforeAll(async () => {
  [guessing, plain] = await Promise.all([
    openCaptureHarness({ concurrency: 1 }),
    openCaptureHarness({ concurrency: 1, speculative: false }),
  ]);
});
afterAll(() => Promise.all([guessing?.close(), plain?.close()]));

const text = '<h1>Heading</h1><p>Some text that is long enough to be more than one line in a narrow window.</p>';
const pages: Record<string, string> = {
  'plain text': text,
  'a script that changes the page': `${text}<script>document.body.style.background = '#a0c0e0'</script>`,
  'a script that changes it after the load': `${text}<script>onload = () => document.body.append('more')</script>`,
  'an image': `${text}<img src="/image.svg" width=300 height=200>`,
  'a slow image': `${text}<img src="/slow.svg" width=300 height=200>`,
  'a background image': `<style>body{background:url(/slow.svg)}</style>${text}`,
  'an animation': `<style>@keyframes in{from{opacity:0}}h1{animation:in 60s both}</style>${text}`,
  'a transition at the start':
    '<style>body{background:#0a0;transition:background 60s}@starting-style{body{background:#a00}}</style>',
  'a field with the focus': `${text}<input autofocus>`,
  'a frame with a script': `${text}<iframe srcdoc="<script>document.write('inside')</script>"></iframe>`,
  'a lazy image below the fold': `${text}<p style="height:3000px"></p><img loading=lazy src="/image.svg" width=300 height=200>`,
  'a fixed bar': `${text}<p style="height:2000px"></p><div style="position:fixed;bottom:0;height:40px;width:100%;background:#a00"></div>`,
};
type Query = Record<string, string | boolean>;
const queries: Query[] = [{}, { fullPage: true }, { hide: 'p', omitBackground: true }, { selector: 'html' }];

for (const [name, html] of Object.entries(pages))
  it(`${name}: the same bytes with and without guesses`, async () => {
    for (const query of queries) {
      const [a, b] = await Promise.all([guessing, plain].map((harness) => take(harness, html, query)));
      expect(a?.bytes.length).toBeGreaterThan(100);
      expect(a).toEqual(b);
    }
  });

it('a page that navigates: the same bytes with and without guesses', async () => {
  const [a, b] = await Promise.all(
    [guessing, plain].map((harness) => {
      const last = harness.site.page(text);
      return take(harness, `<meta http-equiv=refresh content="0;url=${last}">`, {});
    }),
  );
  expect(a).toEqual(b);
});

async function take(harness: CaptureHarness, html: string, query: Query) {
  const { site } = harness;
  const image = { 'content-type': 'image/svg+xml' };
  site.on('/image.svg', (_request, response) => void response.writeHead(200, image).end(svg('#0000aa', 300, 200)));
  site.on('/slow.svg', (_request, response) => {
    setTimeout(() => response.writeHead(200, image).end(svg('#00aa00', 300, 200)), 150);
  });
  const { bytes, width, height, warnings, verdict } = await harness.capture(site.page(html), query);
  return { bytes, width, height, warnings, verdict };
}
