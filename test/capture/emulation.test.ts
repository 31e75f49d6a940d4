// Where emulation holds beyond the main frame: frames of other sites, which are processes of their own, and workers; and in
// what is printed.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOfPdf } from '../harness/pdf.ts';
import { type CaptureHarness, openCaptureHarness } from './capture-harness.ts';

let harness: CaptureHarness;
beforeAll(async () => {
  harness = await openCaptureHarness({ resolver: async () => ['127.0.0.1'] });
});
afterAll(() => harness.close());

const emulated = {
  userAgent: 'MyBot/1.0',
  locale: 'de-DE',
  timezone: 'Asia/Tokyo',
  media: 'print',
  reducedMotion: true,
  darkMode: true,
};
const seen = `{
  agent: navigator.userAgent, language: navigator.languages.join(), hours: new Date(0).getHours(), number: (1.5).toLocaleString(),
  media: self.matchMedia && ['print', '(prefers-reduced-motion)', '(prefers-color-scheme: dark)'].map((query) => matchMedia(query).matches),
}`;

/** What each place of a page tells, and the headers of its request. */
async function visit(query: Record<string, string | boolean>) {
  const told = new Map<string, { seen: Record<string, unknown>; headers: Record<string, unknown> }>();
  const { site } = harness;
  site.on('/tell', ({ headers }, response, url) => {
    const { searchParams } = url;
    told.set(searchParams.get('from') ?? '', { seen: JSON.parse(searchParams.get('seen') ?? '{}'), headers });
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
  });
  const tell = (from: string) =>
    `fetch('${site.origin}/tell?from=${from}&seen=' + encodeURIComponent(JSON.stringify(${seen})));`;
  const worker = (from: string) =>
    `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(tell(`${from} worker`))}])));`;
  const at = (host: string, html: string) => site.page(html).replace('127.0.0.1', host);
  const page = (from: string) => `<p>x<script>${tell(from)}${worker(from)}</script>`;
  const inner = at('inner.example.net', page('frame in a frame'));
  const cross = at('cross.example.org', `${page('frame of another site')}<iframe src="${inner}"></iframe>`);
  const own = at('main.example.com', page('own frame'));
  const main = `${page('page')}<iframe src="${own}"></iframe><iframe src="${cross}"></iframe>`;
  await harness.capture(at('main.example.com', main), { delay: 1500, ...query });
  return told;
}

const places = ['page', 'own frame', 'frame of another site', 'frame in a frame'];

describe('emulation', () => {
  it('holds in frames of the same and of other sites, and in their workers', async () => {
    const told = await visit(emulated);
    const common = { agent: 'MyBot/1.0', language: 'de-DE,de', hours: 9, number: '1,5' };
    const headers = { 'user-agent': 'MyBot/1.0', 'accept-language': 'de-DE,de;q=0.9' };
    for (const place of places) {
      expect(told.get(place), place).toMatchObject({ seen: { ...common, media: [true, true, true] }, headers });
      expect(told.get(`${place} worker`), `${place} worker`).toMatchObject({ seen: common, headers });
    }
  });

  it('of none leaves them all as they are', async () => {
    const told = await visit({});
    for (const place of places)
      expect(told.get(place), place).toMatchObject({
        seen: { language: 'en-US,en', number: '1.5', media: [false, false, false] },
        headers: { 'accept-language': expect.stringMatching(/^en-US/) },
      });
  });
});

it('workers run beside whatever attaches to frames', async () => {
  const told = await visit({ reducedMotion: true });
  for (const place of places) expect(told.has(`${place} worker`), place).toBe(true);
});

it('a PDF has the styles for paper, and with media=screen those of the screen', async () => {
  const url = harness.site.page(
    '<style>p::after { content: "onscreen" } @media print { p::after { content: "onpaper" } }</style><p>',
  );
  const textOf = async (query: Record<string, string>) =>
    textOfPdf((await harness.capture(url, { format: 'pdf', ...query })).bytes);
  expect(await textOf({})).toContain('onpaper');
  expect(await textOf({ media: 'print' })).toContain('onpaper');
  expect(await textOf({ media: 'screen' })).toContain('onscreen');
});
