// What a capture is worth: in the JSON, in a header, in the metrics; and failOn, which refuses it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, errorOf, metaOf, query, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

const wall = `<!doctype html><title>Just a moment...</title><h1>shop.example</h1><p>Verify you are human.</p><script>window._cf_chl_opt={}</script>`;
const signIn =
  '<!doctype html><title>Sign in</title><h1>Sign in</h1><form><input name=user><input type=password></form>';
const broken = 'style="display:block;width:100px;height:100px"';

let service: Service;
let site: Site;
let customer: Customer;
beforeAll(async () => {
  [service, site] = await Promise.all([
    startService(),
    startSite({
      '/': colourPage('#336699'),
      '/blank': '<!doctype html><title>x</title>',
      '/missing': { status: 404, body: '<h1>Not here</h1>' },
      '/wall': { status: 403, body: wall },
      '/members': { status: 302, headers: { location: '/login?next=/members' } },
      '/needs-login': { status: 302, headers: { location: '/login' } },
      '/members-by-script': `<h1>…</h1><script>location.replace('/login')</script>`,
      '/login': signIn,
      '/account/signin': { status: 302, headers: { location: '/login' } },
      '/home': { status: 302, headers: { location: '/en/' } },
      '/en/': `<h1>Home</h1>${'<p>Much to read here, day by day and line by line.</p>'.repeat(60)}<form><input type=password></form>`,
      '/picture-missing': `<h1>x</h1><img src="/no.png" ${broken}>`,
      '/picture-missing-below': `<h1>x</h1><div style="height:3000px"></div><img src="/no.png" ${broken}>`,
      '/background-missing': `<style>div{width:100px;height:100px;background:url(/no.png)}</style><h1>x</h1><div></div>`,
      '/pixel-missing': '<h1>x</h1><img src="/no.gif" width=1 height=1><img src="/no2.gif" style="display:none">',
      '/vector': `<h1>x</h1><img src="/unsized.svg" ${broken}>`,
      '/unsized.svg': {
        headers: { 'content-type': 'image/svg+xml' },
        body: '<svg xmlns="http://www.w3.org/2000/svg"><rect width="10" height="10"/></svg>',
      },
      '/long': '<style>body{margin:0}</style><div style="height:50000px;background:linear-gradient(red,blue)">x</div>',
      '/stubborn': `<h1>x</h1><script>
        let bar = document.createElement('div');
        const show = () => {
          bar.remove();
          bar = document.createElement('div');
          bar.style = 'position:fixed;left:0;right:0;bottom:0;padding:24px;background:pink';
          bar.className = 'b' + Math.random().toString(36).slice(2);
          bar.innerHTML = '<p>We use cookies to improve your experience.</p><button>Accept</button>';
          document.body.append(bar);
        };
        show();
        new MutationObserver(() => { if (!bar.isConnected || bar.style.display === 'none') show(); })
          .observe(document.body, { attributes: true, childList: true, subtree: true });
      </script>`,
      '/slow-wall': (_request, response) =>
        void setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(wall), 500),
    }),
  ]);
  customer = await service.customer('business');
});
afterAll(() => Promise.all([service.stop(), site.close()]));

let unique = 0;
const verdictOf = async (path: string, more: Record<string, string | number | boolean> = {}) => {
  const url = `${site.url}${path}?n=${++unique}`;
  const json = await service.shot({ url, response: 'json', ...more }, customer.key);
  const bytes = await service.shot({ url, ...more }, customer.key);
  expect([bytes.status, bytes.headers.get('x-cache')]).toEqual([200, 'HIT']);
  const { verdict } = (await metaOf(json)) as unknown as { verdict: { ok: boolean; codes: string[] } };
  // The same, wherever it is said.
  expect(bytes.headers.get('x-verdict')).toBe(verdict.ok ? 'ok' : verdict.codes.join(','));
  expect(json.headers.get('x-verdict')).toBe(bytes.headers.get('x-verdict'));
  expect(verdict.ok).toBe(verdict.codes.length === 0);
  return verdict.codes;
};

describe('The verdict of a capture', () => {
  it.each([
    ['an ordinary page', '/', {}, []],
    ['an ordinary page as a PDF', '/', { format: 'pdf' }, []],
    ['a page that answers 404', '/missing', {}, ['http_error']],
    ['a page without anything', '/blank', {}, ['blank']],
    ['a page without anything as a PDF', '/blank', { format: 'pdf' }, ['blank']],
    ['a bot wall', '/wall', {}, ['http_error', 'bot_wall']],
    ['a bot wall as a PDF', '/wall', { format: 'pdf' }, ['http_error', 'bot_wall']],
    ['a page that redirects to a sign-in', '/members', {}, ['login_wall']],
    ['a page that needs one, and says so in its address', '/needs-login', {}, ['login_wall']],
    ['a page that leads to a sign-in by script', '/members-by-script', {}, ['login_wall']],
    ['a sign-in that was asked for', '/login', {}, []],
    ['a sign-in that was asked for and has moved', '/account/signin', {}, []],
    ['a home page that has moved and has a login box', '/home', {}, []],
    ['a picture in view that is missing', '/picture-missing', {}, ['images_failed']],
    ['a background in view that is missing', '/background-missing', {}, ['images_failed']],
    ['a picture below the fold that is missing', '/picture-missing-below', {}, []],
    ['the same on the full page', '/picture-missing-below', { fullPage: true }, ['images_failed']],
    ['the same in a clip beside it', '/picture-missing-below', { clip: '0,0,400,300' }, []],
    ['the same in a clip around it', '/picture-missing-below', { clip: '0,2800,400,600' }, ['images_failed']],
    ['tracking pixels that are missing', '/pixel-missing', {}, []],
    ['a drawing without a size', '/vector', {}, []],
    ['a page that is longer than the picture', '/long', { fullPage: true, width: 200 }, ['cut']],
    ['a banner that cannot be removed', '/stubborn', { blockCookies: true }, ['banner_left']],
    ['the same banner where nobody asked for its removal', '/stubborn', {}, []],
  ] as const)('of %s', async (_what, path, parameters, codes) => {
    expect(await verdictOf(path, parameters)).toEqual(codes);
  });

  it('is on a 304 too, and not on a card', async () => {
    const url = `${site.url}/missing?n=${++unique}`;
    const etag = (await service.shot({ url }, customer.key)).headers.get('etag') ?? '';
    const again = await service.shot({ url }, customer.key, { 'if-none-match': etag });
    expect([again.status, again.headers.get('x-verdict')]).toEqual([304, 'http_error']);
    const card = await service.get('/v1/og?template=default&title=x', customer.key);
    expect([card.status, card.headers.get('x-verdict')]).toEqual([200, null]);
  });

  it('of a stored result without one follows from its status', async () => {
    const url = `${site.url}/missing?n=${++unique}`;
    await service.shot({ url }, customer.key);
    const [entry] = await service.store.cache.ofAccount(customer.account.id, 1);
    if (entry === undefined) throw new Error('nothing cached');
    const { verdict: _, ...meta } = JSON.parse(entry.meta);
    await service.store.cache.put({ ...entry, meta: JSON.stringify(meta) });
    const again = await service.shot({ url }, customer.key);
    expect([again.headers.get('x-cache'), again.headers.get('x-verdict')]).toEqual(['HIT', 'http_error']);
  });

  it('is counted once for each capture that was made, by its codes', async () => {
    // A cluster tells the figures of each of its nodes.
    const figure = async (name: string) =>
      (await service.metrics())
        .split('\n')
        .filter((line) => line.startsWith(`${name} `))
        .reduce((sum, line) => sum + Number(line.slice(name.length)), 0);
    const names = [
      'tintype_verdicts_total{code="bot_wall"}',
      'tintype_verdicts_total{code="ok"}',
      'tintype_captures_total{bad="true"}',
      'tintype_captures_total{bad="false"}',
    ];
    const before = await Promise.all(names.map(figure));
    for (const path of ['/wall', '/', '/wall', '/'])
      await service.shot({ url: `${site.url}${path}?count` }, customer.key);
    await service.shot({ url: `${site.url}/wall?count2`, failOn: 'any' }, customer.key);
    const after = await Promise.all(names.map(figure));
    expect(after.map((value, index) => value - (before[index] ?? 0))).toEqual([2, 1, 2, 1]);
  });

  it('works for a page with ten megabytes of text', async () => {
    site.set(
      '/huge',
      `<h1>x</h1><p>${'word '.repeat(200)}</p><p>${'<b>a</b> b '.repeat(5000)}${' '.repeat(10_000_000)}</p>`,
    );
    expect(await verdictOf('/huge', { timeout: 60_000 })).toEqual([]);
  }, 60_000);
});

describe('failOn', () => {
  const rejection = async (path: string, parameters: Record<string, string | number | boolean>) => {
    const response = await service.shot({ url: `${site.url}${path}`, ...parameters }, customer.key);
    return { response, body: (await errorOf(response)) as unknown as Record<string, unknown> };
  };

  it.each(['png', 'pdf'])('answers 422 with the verdict (%s)', async (format) => {
    const { response, body } = await rejection(`/wall?f=${format}`, { failOn: 'bot_wall,blank', format });
    expect(response.status).toBe(422);
    expect(response.headers.get('x-verdict')).toBe('http_error,bot_wall');
    expect(body).toEqual({
      error: 'The capture was rejected: failOn names bot_wall.',
      code: 'capture_rejected',
      verdict: { ok: false, codes: ['http_error', 'bot_wall'] },
      requestId: response.headers.get('x-request-id'),
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('neither caches nor counts a rejected capture', async () => {
    const { key, account } = await service.customer('free');
    const url = `${site.url}/missing?uncached`;
    const hits = site.hits('/missing');
    const ask = (more = {}) => service.shot({ url, ...more }, key);
    const first = await ask({ failOn: 'any' });
    expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([422, '60']);
    expect((await ask({ failOn: 'http_error' })).status).toBe(422);
    expect(site.hits('/missing') - hits).toBe(2);
    expect(await service.store.cache.ofAccount(account.id, 5)).toEqual([]);
    const accepted = await ask({ failOn: 'blank' });
    expect([accepted.status, accepted.headers.get('x-cache')]).toEqual([200, 'MISS']);
    expect(accepted.headers.get('x-ratelimit-remaining')).toBe('59');
  });

  it('rejects a stored result too, without a render', async () => {
    const url = `${site.url}/missing?stored`;
    expect((await service.shot({ url }, customer.key)).status).toBe(200);
    const hits = site.hits('/missing');
    expect((await service.shot({ url, failOn: 'http_error' }, customer.key)).status).toBe(422);
    expect((await service.shot({ url }, customer.key)).headers.get('x-cache')).toBe('HIT');
    expect(site.hits('/missing')).toBe(hits);
  });

  it('is not in the cache key', async () => {
    const url = `${site.url}/?key`;
    expect((await service.shot({ url, failOn: 'any' }, customer.key)).headers.get('x-cache')).toBe('MISS');
    expect((await service.shot({ url }, customer.key)).headers.get('x-cache')).toBe('HIT');
    expect((await service.shot({ url, failOn: 'blank,cut' }, customer.key)).headers.get('x-cache')).toBe('HIT');
  });

  it('applies to each caller separately when several wait for the same page', async () => {
    const url = `${site.url}/slow-wall?together`;
    const ask = (more = {}) => service.shot({ url, ...more }, customer.key).then(({ status }) => status);
    const answers = await Promise.all([
      ask({ failOn: 'any' }),
      ask(),
      ask({ failOn: 'bot_wall' }),
      ask({ failOn: 'blank' }),
      ask(),
      ask({ failOn: 'any' }),
    ]);
    expect(answers).toEqual([422, 200, 422, 200, 200, 422]);
    expect(site.hits('/slow-wall')).toBe(4);
    // What somebody accepted is stored, whoever came first.
    expect((await service.shot({ url }, customer.key)).headers.get('x-cache')).toBe('HIT');
  });

  it.each(['', 'other', 'blank,', 'blank,blank', 'blank, cut', 'any,blank', 'BLANK'])('%j is 400', async (failOn) => {
    const response = await service.get(`/v1/screenshot?${query({ url: site.url, failOn })}`, customer.key);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      code: 'invalid_parameter',
      parameter: 'failOn',
      error:
        'failOn must be any, or one or more of http_error, blank, bot_wall, login_wall, banner_left, cut, images_failed, unfinished, each at most once, separated by commas without spaces.',
    });
  });
});
