// pageRanges and singlePage: which pages a PDF has, read from the PDF itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factsOfPdf, hasPoppler, pictureOfPdf, textOfPdf } from '../harness/pdf.ts';
import { decode, distance } from '../harness/picture.ts';
import { type Customer, errorOf, metaOf, type Service, startService } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
let customer: Customer;
const chapters = (count: number) =>
  Array.from({ length: count }, (_, i) => `<h1 style="break-after:page">Chapter ${i + 1}.</h1>`).join('');
const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => `<p style="margin:0;height:50px">row ${i + 1}.</p>`).join('');
const plain = '<!doctype html><style>body{margin:0;font:16px/20px sans-serif}</style>';
beforeAll(async () => {
  [service, site] = await Promise.all([
    startService(),
    startSite({
      '/book': `${plain}${chapters(4)}<h1>Chapter 5.</h1>`,
      '/rows': `${plain}${rows(100)}`,
      '/short': `${plain}<p>short`,
      '/endless': `${plain}${rows(500)}`,
      '/hero': `${plain}<div style="min-height:100vh;background:#ff0000">hero</div><div style="height:300px;background:#0000ff"></div>`,
      '/print': `${plain}<style>@media print{nav{display:none}}</style><nav style="height:1000px">menu</nav>${rows(10)}`,
      '/wide': `${plain}<div style="width:1000px;height:500px;background:#ff0000">wide</div><p style="margin:0">end.`,
      '/app': `${plain}<style>html,body{height:100%;overflow:hidden}main{height:100vh;overflow:auto}</style><main>${rows(60)}</main>`,
    }),
  ]);
  customer = await service.customer('starter');
});
afterAll(() => Promise.all([service.stop(), site.close()]));

type Values = Record<string, string | number | boolean>;
const methods = {
  GET: (path: string, more: Values) => service.shot({ url: site.url + path, format: 'pdf', ...more }, customer.key),
  POST: (path: string, more: Values) =>
    service.post('/v1/screenshot', { url: site.url + path, format: 'pdf', ...more }, customer.key),
};
const print = async (path: string, more: Values = {}, method: keyof typeof methods = 'GET') => {
  const response = await methods[method](path, more);
  if (response.status !== 200) throw new Error(await response.text());
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};
const chaptersIn = (bytes: Buffer) => [...textOfPdf(bytes).matchAll(/Chapter (\d+)\./g)].map(([, n]) => Number(n));
const rowsIn = (bytes: Buffer) => textOfPdf(bytes).match(/row \d+\./g)?.length ?? 0;

describe.runIf(hasPoppler()).each(['GET', 'POST'] as const)('pageRanges in a %s', (method) => {
  it.each([
    ['1', [1]],
    ['2-3,5', [2, 3, 5]],
    ['5,1', [1, 5]],
    ['1-3,2-4', [1, 2, 3, 4]],
    ['1-5', [1, 2, 3, 4, 5]],
  ])('of %s keeps these pages, in their order', async (pageRanges, expected) => {
    const { bytes } = await print('/book', { pageRanges }, method);
    expect(chaptersIn(bytes)).toEqual(expected);
    expect(factsOfPdf(bytes).pages).toBe(expected.length);
  });

  it.each(['6', '4-6', '1,99999'])('of %s is a 400 that says how many pages there are', async (pageRanges) => {
    const response = await methods[method]('/book', { pageRanges });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      code: 'invalid_parameter',
      parameter: 'pageRanges',
      error: expect.stringMatching(/the document has 5 pages\.$/),
    });
  });
});

it('the metadata has the number of pages that were kept', async () => {
  const response = await methods.GET('/book', { pageRanges: '2-3', response: 'json' });
  expect(await metaOf(response)).toMatchObject({ pages: 2, width: 612, height: 792 });
});

describe.runIf(hasPoppler())('singlePage', () => {
  it('is one page as long as the content, at the width of the paper', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const { bytes, response } = await print('/rows', { singlePage: true, pageSize: 'a4' }, method);
      const { pages, width, height } = factsOfPdf(bytes);
      expect([pages, rowsIn(bytes)]).toEqual([1, 100]);
      expect(Math.abs(width - 595)).toBeLessThan(2);
      // 100 rows of 50 CSS pixels, of which 96 are 72 points.
      expect(Math.abs(height - 3750)).toBeLessThan(4);
      expect(response.headers.get('x-verdict')).toBe('ok');
    }
  });

  it('is shorter than the paper where the content is', async () => {
    const { bytes } = await print('/short', { singlePage: true });
    const { pages, height } = factsOfPdf(bytes);
    expect(pages).toBe(1);
    expect(height).toBeLessThan(60);
    expect(textOfPdf(bytes)).toContain('short');
  });

  it('ignores breaks between pages', async () => {
    const { bytes } = await print('/book', { singlePage: true });
    expect([factsOfPdf(bytes).pages, chaptersIn(bytes)]).toEqual([1, [1, 2, 3, 4, 5]]);
  });

  it('keeps landscape, margin, scale, header and footer', async () => {
    const turned = factsOfPdf((await print('/rows', { singlePage: true, pageSize: 'a4', landscape: true })).bytes);
    expect([turned.pages, turned.width]).toEqual([1, 842]);
    const inMargins = await print('/rows', { singlePage: true, margin: '20,10,30,10' });
    // 50 mm are 142 points.
    expect(Math.abs(factsOfPdf(inMargins.bytes).height - (3750 + 142))).toBeLessThan(4);
    const half = factsOfPdf((await print('/rows', { singlePage: true, scale: 0.5 })).bytes);
    expect([half.pages, half.width]).toEqual([1, 612]);
    expect(Math.abs(half.height - 1875)).toBeLessThan(4);
    const footer = 'page <span class=pageNumber></span> of <span class=totalPages></span>';
    const { bytes } = await print('/rows', { singlePage: true, headerTemplate: 'the header', footerTemplate: footer });
    expect(textOfPdf(bytes)).toMatch(/the header[\s\S]*row 100\.[\s\S]*page 1 of 1/);
    expect([factsOfPdf(bytes).pages, rowsIn(bytes)]).toEqual([1, 100]);
  });

  it('has what is printed, not what a screen shows', async () => {
    const { bytes } = await print('/print', { singlePage: true });
    expect(textOfPdf(bytes)).not.toContain('menu');
    expect(Math.abs(factsOfPdf(bytes).height - 375)).toBeLessThan(4);
  });

  it('shows what is as tall as the window once, in that height', async () => {
    const { bytes } = await print('/hero', { singlePage: true, height: 600 });
    expect(Math.abs(factsOfPdf(bytes).height - 675)).toBeLessThan(4);
    const picture = await decode(pictureOfPdf(bytes));
    expect(
      [picture.at(300, 440), picture.at(300, 460)].map((colour, i) => distance(colour, i ? '#0000ff' : '#ff0000')),
    ).toEqual([0, 0]);
  });

  it('shows all of a page that scrolls inside', async () => {
    const { bytes } = await print('/app', { singlePage: true });
    expect([factsOfPdf(bytes).pages, rowsIn(bytes)]).toEqual([1, 60]);
  });

  it('has no empty end where the content is wider than the paper', async () => {
    const { bytes } = await print('/wide', { singlePage: true });
    const { pages, height } = factsOfPdf(bytes);
    // 1000 CSS pixels on the 816 of letter: everything is shrunk by as much.
    expect([pages, Math.abs(height - 520 * 0.75 * 0.816) < 4]).toEqual([1, true]);
    expect(textOfPdf(bytes)).toContain('end.');
  });

  it('is cut at 200 inches, with a warning and the code for it', async () => {
    const { bytes, response } = await print('/endless', { singlePage: true });
    expect(factsOfPdf(bytes)).toMatchObject({ pages: 1, height: 14_400 });
    expect(response.headers.get('x-verdict')).toBe('cut');
    expect(response.headers.get('x-warning')).toMatch(/The PDF was cut: a page has at most 5080 mm/);
  });

  it('is refused together with pageRanges', async () => {
    const response = await methods.GET('/rows', { singlePage: true, pageRanges: '1' });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: 'invalid_parameter', parameter: 'pageRanges' });
  });
});
