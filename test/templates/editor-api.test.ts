// The editor of templates from outside: what one account does with the dashboard's API, and what a hostile template costs
// others.
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../harness/service.ts';

let service: Service;
let author: string;
let other: string;
let key: string;
beforeAll(async () => {
  service = await startService();
  author = await signUp('author@example.com', 'pro');
  other = await signUp('other@example.com', 'pro');
  ({ key } = await service.customer('pro'));
});
afterAll(() => service?.stop());

async function signUp(email: string, plan: 'free' | 'pro'): Promise<string> {
  const body = { name: 'Somebody', email, password: 'correct horse battery' };
  const answer = await send('POST', '/api/sign-up', body, '');
  expect(answer.status).toBe(204);
  const account = await service.store.accounts.byEmail(email);
  await service.store.accounts.setPlan(account?.id ?? '', plan);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

const send = (method: string, path: string, body?: unknown, cookie = author) =>
  fetch(service.url + path, {
    method,
    headers: {
      cookie,
      'sec-fetch-site': 'same-origin',
      ...(body !== undefined && !Buffer.isBuffer(body) && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
  });
const json = async (answer: Promise<Response>) => (await (await answer).json()) as Record<string, never>;

const preview = (html: string, more: object = {}, cookie = author) =>
  send('POST', '/api/template-preview', { html, values: {}, width: 600, height: 315, ...more }, cookie);

/** The color in the middle of a card. */
async function middle(answer: Response): Promise<number[]> {
  expect(answer.status, await answer.clone().text()).toBe(200);
  const image = sharp(Buffer.from(await answer.arrayBuffer())).removeAlpha();
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const at = 3 * (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2));
  return [...data.subarray(at, at + 3)];
}

const plain = (color: string) => `<div class="w-full h-full" style="background: ${color}">{{title}}</div>`;
const red = [255, 0, 0];
const logo = (color: string) =>
  sharp({ create: { width: 40, height: 40, channels: 3, background: color } })
    .png()
    .toBuffer();

describe('templates of an account', () => {
  it('are saved as versions, opened, published and removed', async () => {
    const body = { html: plain('#f00'), description: 'Red.', variables: { title: { example: 'Hi', doc: 'It.' } } };
    expect(await json(send('PUT', '/api/own-templates/hero', { ...body, publish: false }))).toEqual({
      version: 1,
      published: 0,
    });
    expect(await json(send('PUT', '/api/own-templates/hero', { html: plain('#00f'), publish: true }))).toEqual({
      version: 2,
      published: 2,
    });
    expect(await json(send('GET', '/api/own-templates/hero?version=1'))).toMatchObject({
      ...{ name: 'hero', version: 1, latest: 2, published: 2, description: 'Red.', html: plain('#f00') },
      ...{ variables: [{ name: 'title', type: 'text', doc: 'It.' }], example: { title: 'Hi' }, files: [] },
    });
    expect((await send('POST', '/api/own-templates/hero/publish', { version: 1 })).status).toBe(204);
    const { versions } = await json(send('GET', '/api/own-templates/hero/versions'));
    expect(versions).toMatchObject([{ version: 2 }, { version: 1 }]);
    const { templates } = await json(send('GET', '/api/own-templates'));
    expect(templates).toMatchObject([{ name: 'hero', latest: 2, published: 1 }]);
    const [r = 0, g = 255] = await middle(await send('GET', '/api/own-templates/hero/picture?v=1'));
    expect([r > 250, g < 5]).toEqual([true, true]);
    expect((await send('DELETE', '/api/own-templates/hero')).status).toBe(204);
    expect((await send('GET', '/api/own-templates/hero')).status).toBe(400);
  });

  it('another account finds none of them', async () => {
    await send('PUT', '/api/own-templates/secret/files/logo.png', await logo('#f00'));
    await send('PUT', '/api/own-templates/secret', { html: '<img src="logo.png">', publish: true });
    for (const [method, path, body] of [
      ['GET', ''],
      ['GET', '/versions'],
      ['POST', '/publish', { version: 1 }],
      ['GET', '/picture'],
      ['GET', '/export'],
      ['GET', '/files/logo.png/thumbnail'],
      ['DELETE', '/files/logo.png'],
      ['DELETE', ''],
    ] as const)
      expect(await json(send(method, `/api/own-templates/secret${path}`, body, other)), path).toMatchObject({
        code: 'template_not_found',
      });
    expect(await json(send('GET', '/api/own-templates', undefined, other))).toMatchObject({ templates: [] });
    expect(await json(preview('<img src="logo.png">', { name: 'secret' }, other))).toMatchObject({
      error: expect.stringContaining('logo.png, which has not been uploaded'),
    });
    expect((await preview('<img src="logo.png">', { name: 'secret' })).status).toBe(200);
  });

  it('a plan without cards has no editor: 403 names the plan', async () => {
    const free = await signUp('free@example.com', 'free');
    for (const answer of [send('GET', '/api/own-templates', undefined, free), preview('<p>a</p>', {}, free)])
      expect(await json(answer)).toMatchObject({ code: 'plan_required', requiredPlan: 'pro' });
  });

  it('an exported file is the whole template: imported elsewhere it paints the same', async () => {
    await send('PUT', '/api/own-templates/whole/files/my%20logo.png', await logo('#f00'));
    const html = '<div class="w-full h-full" style="background-image: url(\'my logo.png\')">{{title}}</div>';
    const variables = { title: { default: '--> not the end', doc: 'It.' } };
    const saved = await send('PUT', '/api/own-templates/whole', {
      html,
      variables,
      description: 'Whole.',
      publish: true,
    });
    expect(await saved.json()).toEqual({ version: 1, published: 1 });
    const answer = await send('GET', '/api/own-templates/whole/export');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="whole.html"');
    const file = Buffer.from(await answer.arrayBuffer());
    expect(await json(send('PUT', '/api/own-templates/copy/import', file, other))).toEqual({
      version: 1,
      published: 0,
    });
    const copy = await json(send('GET', '/api/own-templates/copy', undefined, other));
    expect(copy).toMatchObject({ html, description: 'Whole.', files: [{ name: 'my logo.png', kind: 'image' }] });
    expect(copy).toMatchObject({ variables: [{ name: 'title', default: '--> not the end' }] });
    const values = { title: ' ' };
    expect(await middle(await preview(html, { name: 'copy', values }, other))).toEqual(red);
    const thumbnail = await send('GET', '/api/own-templates/copy/files/my%20logo.png/thumbnail', undefined, other);
    const { width, height } = await sharp(Buffer.from(await thumbnail.clone().arrayBuffer())).metadata();
    expect([width, height]).toEqual([40, 40]);
    expect((await middle(thumbnail))[0]).toBeGreaterThan(250);
  });

  it.each([
    ['an empty file', ' ', 'The file is empty'],
    ['a comment that is not JSON', '<!-- { "a": --><p>x</p>', 'The comment at the top'],
    ['a million values', `<!-- {"a":[${'[],'.repeat(1e6)}0]} --><p>x</p>`, 'more than 10000 values'],
    ['files that are no texts', '<!-- {"files":{"a.png":1}} --><p>x</p>', 'a.png must be a text in base64'],
    ['a file that is no image', '<!-- {"files":{"a.png":"aGVsbG8="}} --><p>x</p>', 'a.png'],
  ])('%s is not imported', async (_, text, message) => {
    const answer = await send('PUT', '/api/own-templates/wrong/import', Buffer.from(text));
    expect([answer.status, (await json(Promise.resolve(answer))).error]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
  });

  it('starts from a template that is there', async () => {
    const { starters } = (await json(send('GET', '/api/starters'))) as unknown as { starters: [{ name: string }] };
    const [{ name }] = starters;
    const starter = await json(send('GET', `/api/starters/${name}`));
    expect(await readFile(`src/cards/templates/${name}.html`, 'utf8')).toContain(starter.html);
    const { html, example } = starter as unknown as { html: string; example: Record<string, string> };
    expect((await preview(html, { values: example })).status).toBe(200);
    expect((await send('GET', '/api/starters/none')).status).toBe(404);
  });
});

describe('a preview', () => {
  it('is a picture of the draft with its values, which nobody keeps', async () => {
    const html = '<div class="w-full h-full" style="background: {{color}}"></div>';
    const answer = await preview(html, { values: { color: '#ff0000' }, variables: { color: { default: '#00f' } } });
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(await middle(answer)).toEqual(red);
    expect(
      await json(send('POST', '/api/template-variables', { html: '{{title}}{{#each a_items}}x{{/each}}' })),
    ).toEqual({
      variables: [
        { name: 'title', type: 'text', doc: 'The title.', default: null },
        { name: 'a_items', type: 'items', doc: 'The a items.', default: null },
      ],
      example: {},
    });
  });

  it.each([
    ['a mistake', { html: '<div>\n  {{title}</div>' }, 'Line 2, column'],
    ['a wrong value', { html: '<p style="color: {{a}}">x</p>', values: { a: 'blurple' } }, 'a must be'],
    ['a value that is no text', { values: { a: 1 } }, 'values must be an object of texts'],
    ['a wrong default', { html: '<p>{{a}}</p>', variables: { a: { default: 7 } } }, 'variables.a.default'],
    ['an enormous card', { width: 4096 }, 'width must be a whole number from 100 to 2048'],
    ['no size', { height: 'x' }, 'height must be'],
    ['a private image', { html: '<img src="{{a}}">', values: { a: 'https://169.254.169.254/a.png' } }, 'a'],
  ])('%s: 400', async (_, more, message) => {
    const answer = await preview('<p>x</p>', more);
    expect([answer.status, (await json(Promise.resolve(answer))).error]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
  });
});

describe('a hostile template', () => {
  const box = '<div class="w-[100px] h-[100px]" style="box-shadow: 0 0 300px 300px red"></div>';
  const list = Array.from({ length: 20 }, (_, at) => `${at} ${'long '.repeat(90)}`).join('\n');
  const hostile: readonly (readonly [string, string, object])[] = [
    ['200 box shadows of 300 px', box.repeat(200), {}],
    ['1 MB of text', `<p>${'x'.repeat(1024 * 1024)}</p>`, {}],
    ['61 levels', `${'<div>'.repeat(61)}x${'</div>'.repeat(61)}`, {}],
    [
      'lists that repeat a thousand elements',
      `{{#each a_items}}${'<b>{{this}}</b>'.repeat(900)}{{/each}}`,
      { values: { a_items: list } },
    ],
  ];

  it.each(hostile)('%s: 400 or a card in bounded time, while others are served', async (_, html, more) => {
    const startedAt = performance.now();
    const painting = preview(html, { ...more, width: 1200, height: 630 });
    const [health, card, built] = await Promise.all([
      fetch(`${service.url}/healthz`),
      preview(plain('#f00'), {}, other),
      service.get(`/v1/og?template=quote&title=${startedAt}&width=300&height=200`, key),
    ]);
    expect([health.status, built.status]).toEqual([200, 200]);
    expect(await middle(card)).toEqual(red);
    const answer = await painting;
    // Three seconds of painting, after a process that may have to start.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect([200, 400], await answer.clone().text()).toContain(answer.status);
    if (answer.status === 400)
      expect(await json(Promise.resolve(answer))).toMatchObject({
        parameter: expect.stringMatching(/^(html|template)$/),
      });
  });

  it('one that takes too long is refused the second time without painting it', async () => {
    const css =
      'i { display: block; width: 900px; height: 900px; filter: blur(200px); box-shadow: 0 0 300px 300px red }';
    const slow = `<style>${css}</style>${'<i></i>'.repeat(900)}`;
    const first = await json(preview(slow, { width: 2048, height: 2048 }));
    expect(first.error).toContain('more than 3 seconds to paint');
    const ended = () => service.logLines.filter((line) => line.includes('a painting process was ended')).length;
    const before = ended();
    expect((await json(preview(slow, { width: 2048, height: 2048 }))).error).toBe(first.error);
    expect(ended()).toBe(before);
    expect((await preview(plain('#f00'))).status).toBe(200);
  });
});
