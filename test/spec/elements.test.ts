// selector, padding, hide and omitBackground from outside, in both methods: sizes, errors and codes.
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pictureOf } from '../harness/picture.ts';
import { type Customer, errorOf, type Service, startService } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
let customer: Customer;
beforeAll(async () => {
  service = await startService();
  // All of this is on every plan.
  customer = await service.customer('free');
  site = await startSite({
    '/': `<!doctype html><style>html{background:#ffee00} body{margin:0}</style><p hidden id=none>x</p><div style="height:2000px"></div>
      <div id=e style="margin-left:50px;width:120px;height:80px;background:#0000ff"><i style="display:block;height:20px;background:#ff0000"></i></div><div style="height:300px">`,
    '/plain': '<!doctype html><body style="margin:0"><div id=e style="width:100px;height:50px;background:#0000ff80">',
  });
});
afterAll(async () => {
  await service.stop();
  await site.close();
});

type Values = Record<string, string | number | boolean>;
const methods = {
  GET: (values: Values) => service.shot({ url: `${site.url}/`, ...values }, customer.key),
  POST: (values: Values) => service.post('/v1/screenshot', { url: `${site.url}/`, ...values }, customer.key),
};

describe.each(Object.entries(methods))('by %s', (method, capture) => {
  // A value of its own for each method, so that no answer comes from the cache.
  const own = method === 'GET' ? { width: 1000 } : { width: 1001 };

  it('selector gives the box of its element, padding a ring around it', async () => {
    const element = await pictureOf(await capture({ ...own, selector: '#e' }));
    expect([element.width, element.height]).toEqual([120, 80]);
    expect([element.at(0, 0), element.at(119, 79)]).toEqual(['#ff0000', '#0000ff']);
    const padded = await pictureOf(await capture({ ...own, selector: '#e', padding: 25, deviceScale: 2 }));
    expect([padded.width, padded.height]).toEqual([340, 260]);
    expect([padded.at(49, 49), padded.at(50, 50), padded.at(289, 209), padded.at(290, 210)]).toEqual([
      '#ffee00',
      '#ff0000',
      '#0000ff',
      '#ffee00',
    ]);
  });

  it('selector wins over fullPage, and its size is in the metadata', async () => {
    const response = await capture({ ...own, selector: '#e', fullPage: true, response: 'json' });
    expect(await response.json()).toMatchObject({ width: 120, height: 80, verdict: { ok: true, codes: [] } });
  });

  it('hide makes elements invisible and keeps their room', async () => {
    const picture = await pictureOf(await capture({ ...own, selector: '#e', hide: '#e i, .other' }));
    expect([picture.width, picture.height, picture.at(0, 0)]).toEqual([120, 80, '#0000ff']);
  });

  it.each(['png', 'webp'])('omitBackground is transparent as %s', async (format) => {
    const response = await capture({ ...own, url: `${site.url}/plain`, omitBackground: true, format });
    const { data } = await sharp(Buffer.from(await response.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([data[3], data.at(-1)]).toEqual([128, 0]);
  });

  it.each([
    ['selector', { selector: 'p[' }, 'invalid_parameter'],
    ['selector', { selector: '#none' }, 'element_not_visible'],
    ['selector', { selector: '#nothing' }, 'element_not_found'],
    ['selector', { selector: '#e', clip: '0,0,10,10' }, 'invalid_parameter'],
    ['hide', { hide: 'a { color: red }' }, 'invalid_parameter'],
    ['padding', { selector: '#e', padding: 501 }, 'invalid_parameter'],
    ['omitBackground', { omitBackground: true, format: 'jpg' }, 'invalid_parameter'],
  ])('a wrong %s is a 400 that names it: %j is %s', async (parameter, values, code) => {
    const response = await capture({ ...own, ...values });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code, parameter });
  });
});

describe('selector', () => {
  it('finds its element in a page that is sent as html', async () => {
    const html =
      '<body style="margin:0;height:3000px"><div id=e style="margin:1500px 40px;height:30px;background:#00aa00">';
    const wanted = { html, selector: '#e', padding: 5, omitBackground: true, width: 300 };
    const response = await service.post('/v1/screenshot', wanted, customer.key);
    expect(response.status).toBe(200);
    const image = sharp(Buffer.from(await response.arrayBuffer()));
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([230, 40]);
    const at = (x: number, y: number) => data.subarray((y * 230 + x) * 4, (y * 230 + x) * 4 + 4).toString('hex');
    expect([at(0, 0), at(4, 4), at(5, 5), at(224, 34), at(229, 39)]).toEqual([
      '00000000',
      '00000000',
      '00aa00ff',
      '00aa00ff',
      '00000000',
    ]);
  });

  it('works beside blockAds and blockCookies', async () => {
    const starter = await service.customer('starter');
    const wanted = { url: `${site.url}/`, selector: '#e', blockAds: true, blockCookies: true };
    const picture = await pictureOf(await service.shot(wanted, starter.key));
    expect([picture.width, picture.height, picture.at(0, 0)]).toEqual([120, 80, '#ff0000']);
  });
});

describe('a missing element', () => {
  it('counts as a render, and nothing of it is cached', async () => {
    const other = await service.customer('free');
    const ask = (selector: string) => service.shot({ url: `${site.url}/`, selector }, other.key);
    const first = await ask('#nothing');
    const second = await ask('#nothing');
    const left = [first, second].map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect([first.status, second.status]).toEqual([400, 400]);
    expect((left[0] ?? 0) - (left[1] ?? 0)).toBe(1);
  });
});
