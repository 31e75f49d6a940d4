// Emulation: what a page and its server see of the browser, its language, time zone and place, in both methods.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pictureOf } from '../harness/picture.ts';
import { type Customer, errorOf, metaOf, type Service, startService } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
let customer: Customer;
let sent: Record<string, unknown> = {};
beforeAll(async () => {
  service = await startService();
  customer = await service.customer('business');
  site = await startSite({
    '/': '<style>body { background: #f00 } @media print { body { background: #0f0 } }</style><body>',
    '/ask': (request, response) => {
      sent = request.headers;
      const expression = decodeURIComponent(request.url?.split('?')[1] ?? '');
      response.setHeader('content-type', 'text/html');
      response.end(`<p>x<script>tell = (seen) => { document.title = JSON.stringify(seen) }; ${expression}</script>`);
    },
    '/frame': (request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<p>x<iframe srcdoc="<script>parent.document.title = JSON.stringify(${decodeURIComponent(request.url?.split('?')[1] ?? '')})</script>"></iframe>`,
      );
    },
  });
});
afterAll(async () => {
  await service.stop();
  await site.close();
});

type Values = Record<string, string | number | boolean>;
const methods = {
  GET: (values: Values) => service.shot(values, customer.key),
  POST: (values: Values) => service.post('/v1/screenshot', values, customer.key),
};

/** What a script of the page sees, brought out through its title. */
const ask = async (
  method: keyof typeof methods,
  expression: string,
  values: Values,
  path = '/ask',
): Promise<unknown> => {
  const told = path === '/frame' || expression.includes('tell') ? expression : `tell(${expression})`;
  const url = `${site.url}${path}?${encodeURIComponent(told)}`;
  const { page } = await metaOf(await methods[method]({ url, response: 'json', fresh: true, ...values }));
  return JSON.parse(page.title);
};

describe.each(['GET', 'POST'] as const)('with %s', (method) => {
  it('userAgent is what the server and scripts see, and no client hint contradicts it', async () => {
    const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) MyBrowser/1.0';
    const seen = '[navigator.userAgent, navigator.platform, navigator.userAgentData?.brands.length ?? 0]';
    expect(await ask(method, seen, { userAgent })).toEqual([userAgent, 'Win32', 0]);
    expect(sent['user-agent']).toBe(userAgent);
    expect(Object.keys(sent).filter((name) => name.startsWith('sec-ch-ua'))).toEqual([]);
  });

  it('userAgent wins over that of device, whose size and touch stay', async () => {
    const seen = '[navigator.userAgent, screen.width, navigator.maxTouchPoints > 0]';
    const values = { userAgent: 'MyBot/1.0', device: 'iphone-14' };
    expect(await ask(method, seen, values)).toEqual(['MyBot/1.0', 390, true]);
    expect(sent['user-agent']).toBe('MyBot/1.0');
  });

  it('locale is the language of scripts, of Intl and of the requests', async () => {
    const seen =
      '[navigator.language, navigator.languages, (1234.5).toLocaleString(), Intl.DateTimeFormat().resolvedOptions().locale]';
    expect(await ask(method, seen, { locale: 'de-DE' })).toEqual(['de-DE', ['de-DE', 'de'], '1.234,5', 'de-DE']);
    expect(sent['accept-language']).toBe('de-DE,de;q=0.9');
    expect(sent['user-agent']).toMatch(/X11; Linux x86_64.*Chrome/);
    expect(sent['sec-ch-ua']).toContain('Chromium');
    expect(await ask(method, seen, { locale: 'fr', device: 'iphone-14' })).toEqual([
      'fr',
      ['fr'],
      '1\u202f234,5',
      'fr',
    ]);
    expect(sent['accept-language']).toBe('fr');
    expect(sent['user-agent']).toContain('iPhone');
  });

  it('timezone is that of dates and of Intl', async () => {
    const seen = '[new Date(0).getHours(), Intl.DateTimeFormat().resolvedOptions().timeZone]';
    expect(await ask(method, seen, { timezone: 'asia/tokyo' })).toEqual([9, 'Asia/Tokyo']);
    expect(await ask(method, seen, { timezone: 'America/Argentina/Buenos_Aires' })).toEqual([
      21,
      'America/Buenos_Aires',
    ]);
  });

  it('geolocation is where the browser is, without a question', async () => {
    const seen = `navigator.permissions.query({ name: 'geolocation' }).then(({ state }) =>
      navigator.geolocation.getCurrentPosition(
        ({ coords }) => tell([state, [coords.latitude, coords.longitude, coords.accuracy]]),
        ({ message }) => tell([state, message])))`;
    expect(await ask(method, seen, { geolocation: '52.52,13.405,25' })).toEqual(['granted', [52.52, 13.405, 25]]);
    const [state, answer] = (await ask(method, seen, {})) as [string, unknown];
    expect(state).not.toBe('granted');
    expect(typeof answer).toBe('string');
  });

  it('media, reducedMotion and darkMode answer the media queries, together and alone', async () => {
    const seen = `['print', 'screen', '(prefers-reduced-motion: reduce)', '(prefers-color-scheme: dark)'].map((q) => matchMedia(q).matches)`;
    expect(await ask(method, seen, {})).toEqual([false, true, false, false]);
    expect(await ask(method, seen, { media: 'print' })).toEqual([true, false, false, false]);
    expect(await ask(method, seen, { media: 'screen' })).toEqual([false, true, false, false]);
    expect(await ask(method, seen, { reducedMotion: true })).toEqual([false, true, true, false]);
    expect(await ask(method, seen, { media: 'print', reducedMotion: true, darkMode: true })).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(await ask(method, seen, { darkMode: true })).toEqual([false, true, false, true]);
  });

  it('media=print paints the print styles', async () => {
    const values = { url: `${site.url}/`, width: 200, height: 100 };
    expect((await pictureOf(await methods[method](values))).at(9, 9)).toBe('#ff0000');
    expect((await pictureOf(await methods[method]({ ...values, media: 'print' }))).at(9, 9)).toBe('#00ff00');
  });

  it('they hold in frames', async () => {
    const values = { userAgent: 'MyBot/1.0', locale: 'de-DE', timezone: 'Asia/Tokyo', reducedMotion: true };
    const seen = `[navigator.userAgent, navigator.language, new Date(0).getHours(), matchMedia('(prefers-reduced-motion)').matches]`;
    expect(await ask(method, seen, values, '/frame')).toEqual(['MyBot/1.0', 'de-DE', 9, true]);
  });
});

it('a page after another sees nothing of what was emulated for that one', async () => {
  const seen =
    '[navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.userAgent.includes("MyBot")]';
  const before = await ask('GET', seen, {});
  for (let i = 0; i < 2; i++) {
    await ask('GET', seen, { locale: 'ja', timezone: 'Asia/Tokyo', userAgent: 'MyBot/1.0', geolocation: '1,2' });
    expect(await ask('GET', seen, {})).toEqual(before);
  }
});

it('a locale or time zone that the browser does not know is a 400 that names it', async () => {
  for (const [name, value] of [
    ['timezone', 'Nowhere/Land'],
    ['locale', 'x'],
  ] as const) {
    const response = await service.shot({ url: `${site.url}/`, [name]: value }, customer.key);
    expect([response.status, await errorOf(response)]).toMatchObject([
      400,
      { code: 'invalid_parameter', parameter: name },
    ]);
  }
});
