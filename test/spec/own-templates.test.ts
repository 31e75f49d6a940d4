// An account's own templates, from outside: saved, published, kept as versions, painted.
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import { type Service, startService } from '../harness/service.ts';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService();
  key = (await service.customer('pro')).key;
});
afterAll(() => service?.stop());

const ask = (method: string, path: string, body?: unknown, as = key) =>
  fetch(service.url + path, {
    method,
    headers: {
      'x-api-key': as,
      ...(body !== undefined && !Buffer.isBuffer(body) && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
  });
const json = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Record<string, never>;
const card = (query: Record<string, string>, as = key) =>
  ask('GET', `/v1/og?${new URLSearchParams(query)}`, undefined, as);

/** The color of a point of the card, from 0 to 1 across and down. */
async function colorAt(answer: Response, x: number, y: number): Promise<number[]> {
  expect(answer.status, await answer.clone().text()).toBe(200);
  const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = 3 * (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1)));
  return [...data.subarray(at, at + 3)];
}

const plain = (color: string) => `<div class="w-full h-full" style="background: ${color}">{{title}}</div>`;
const red = [255, 0, 0];
const blue = [0, 0, 255];

describe('versions', () => {
  it('my/<name> is the published version, my/<name>@1 stays, and a version that is saved without publishing changes nothing', async () => {
    expect(await json(ask('PUT', '/v1/templates/hero', { html: plain('#f00') }))).toEqual({
      name: 'my/hero',
      version: 1,
      published: 1,
    });
    expect(await colorAt(await card({ template: 'my/hero', title: 'x' }), 0.5, 0.9)).toEqual(red);
    expect(await json(ask('PUT', '/v1/templates/hero', { html: plain('#00f'), publish: false }))).toEqual({
      name: 'my/hero',
      version: 2,
      published: 1,
    });
    expect(await colorAt(await card({ template: 'my/hero', title: 'x' }), 0.5, 0.9)).toEqual(red);
    expect(await colorAt(await card({ template: 'my/hero@2', title: 'x' }), 0.5, 0.9)).toEqual(blue);
    expect((await ask('POST', '/v1/templates/hero/versions/2/publish')).status).toBe(204);
    expect(await colorAt(await card({ template: 'my/hero', title: 'x' }), 0.5, 0.9)).toEqual(blue);
    expect(await colorAt(await card({ template: 'my/hero@1', title: 'x' }), 0.5, 0.9)).toEqual(red);
  });

  it('a card is cached, and a new published version is not served from the cache', async () => {
    const hit = await card({ template: 'my/hero', title: 'x' });
    expect(hit.headers.get('x-cache')).toBe('HIT');
    await ask('PUT', '/v1/templates/hero', { html: plain('#ff0') });
    const miss = await card({ template: 'my/hero', title: 'x' });
    expect(miss.headers.get('x-cache')).toBe('MISS');
    expect(await colorAt(miss, 0.5, 0.9)).toEqual([255, 255, 0]);
  });

  it('unknown templates and versions, and those of another account, are not found', async () => {
    const other = (await service.customer('pro')).key;
    for (const [template, as] of [
      ['my/none', key],
      ['my/hero@99', key],
      ['my/hero', other],
    ] as const) {
      const answer = await card({ template }, as);
      expect([answer.status, await json(answer)]).toMatchObject([
        400,
        { code: 'template_not_found', parameter: 'template' },
      ]);
    }
    for (const template of ['my/HERO', 'my/hero@0', 'my/hero@', 'my/hero@1@1', 'my/hero@1@'])
      expect([template, (await card({ template })).status]).toEqual([template, 400]);
    expect(await card({ template: 'my/her' }).then(json)).toMatchObject({
      error: expect.stringContaining('Did you mean my/hero?'),
    });
  });

  it('a plan without cards has none: 403', async () => {
    const free = (await service.customer('free')).key;
    expect((await ask('PUT', '/v1/templates/hero', { html: plain('red') }, free)).status).toBe(403);
  });

  it('what is removed is gone', async () => {
    await ask('PUT', '/v1/templates/gone', { html: plain('red') });
    expect((await ask('DELETE', '/v1/templates/gone')).status).toBe(204);
    expect((await card({ template: 'my/gone' })).status).toBe(400);
    expect((await ask('GET', '/v1/templates/gone')).status).toBe(400);
  });

  it('a version shows the same card for ever, also if its template was removed and made again', async () => {
    const versions: unknown[] = [];
    for (const color of ['red', 'lime', 'blue']) {
      versions.push((await json(await ask('PUT', '/v1/templates/again', { html: plain(color) }))).version);
      if (color !== 'blue') await ask('DELETE', '/v1/templates/again');
    }
    expect(versions).toEqual([1, 2, 3]);
    expect(await colorAt(await card({ template: 'my/again@3' }), 0.5, 0.9)).toEqual(blue);
    for (const removed of ['my/again@1', 'my/again@2']) expect((await card({ template: removed })).status).toBe(400);
  });
});

describe('the language', () => {
  it('shows values, conditions and lists, and finds the variables with their types', async () => {
    const html = `<style>.bar { background: {{accent}} }</style><div class="flex flex-col w-full h-full">
      <div class="bar h-[100px]"></div>
      {{#if author}}<div class="h-[100px] bg-[#00ff00]">{{author}}</div>{{else}}<div class="h-[100px] bg-[#ff0000]"></div>{{/if}}
      {{#each row_items}}<div class="h-[50px] bg-[#000000]">{{this}}</div>{{/each}}
      {{#if photo}}<img src="{{photo}}" />{{/if}}</div>`;
    await ask('PUT', '/v1/templates/all', {
      html,
      variables: { accent: { default: '#0000ff', doc: 'The bar.' }, author: { example: 'A' } },
    });
    const { variables, example } = await json(ask('GET', '/v1/templates/all'));
    expect(variables).toMatchObject({
      accent: { type: 'color', default: '#0000ff', doc: 'The bar.' },
      author: { type: 'text' },
      row_items: { type: 'items' },
      photo: { type: 'image_url' },
    });
    expect(example).toEqual({ author: 'A' });
    expect(await colorAt(await card({ template: 'my/all' }), 0.9, 0.05)).toEqual(blue);
    expect(await colorAt(await card({ template: 'my/all', accent: 'red' }), 0.9, 0.05)).toEqual(red);
    expect(await colorAt(await card({ template: 'my/all' }), 0.9, 0.25)).toEqual(red);
    expect(await colorAt(await card({ template: 'my/all', author: 'A' }), 0.9, 0.25)).toEqual([0, 255, 0]);
    expect(await colorAt(await card({ template: 'my/all' }), 0.9, 0.36)).toEqual([255, 255, 255]);
    expect(await colorAt(await card({ template: 'my/all', row_items: 'a\nb' }), 0.9, 0.36)).toEqual([0, 0, 0]);
    expect((await card({ template: 'my/all', accent: 'blurple' })).status).toBe(400);
    expect((await card({ template: 'my/all', titel: 'x' })).headers.get('x-warning')).toContain(
      'titel is not used by template my/all',
    );
  });

  it('a value is text, whatever it contains', async () => {
    await ask('PUT', '/v1/templates/text', {
      html: '<div class="w-full h-full text-[40px]" id="{{title}}">{{title}}</div>',
    });
    const hostile = '</div><div style="background:red;width:100%;height:100%">{{title}}<img src=x>';
    expect(await colorAt(await card({ template: 'my/text', title: hostile }), 0.99, 0.99)).toEqual([255, 255, 255]);
  });

  it('data-fit makes a long text smaller, and cuts one that is too long at its lines', async () => {
    const html =
      '<div class="w-full h-full p-10"><h1 data-fit="120 80 40" data-lines="2" class="leading-none">{{title}}</h1></div>';
    await ask('PUT', '/v1/templates/fit', { html });
    const inked = async (title: string) => {
      const { data, info } = await sharp(Buffer.from(await (await card({ template: 'my/fit', title })).arrayBuffer()))
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true });
      let last = 0;
      for (const [i, value] of data.entries()) if (value < 128) last = Math.floor(i / info.width);
      return last;
    };
    expect(await inked('Short')).toBeGreaterThan(90);
    expect(await inked('word '.repeat(60))).toBeLessThan(40 + 2 * 40 + 20);
  });

  it.each([
    ['a tag that is not closed', '<div>\n  {{title}</div>', 'Line 2, column'],
    ['a block that is not closed', '<p>a</p>\n{{#if title}}<p>b</p>', 'Line 2, column 1: {{#if title}} is not closed'],
    [
      'a block that is not closed, with another in a comment',
      '<p>{{#if title}}\n<b>{{!-- {{#each x}} {{/if}} --}}{{! {{/if}} }}</b></p>',
      'Line 1, column 4: {{#if title}} is not closed',
    ],
    ['a script', '<div>\n<script>alert(1)</script></div>', 'Line 2, column 1: <script>'],
    ['a handler', '<div onclick="x">a</div>', 'onclick'],
    ['an address', '<img src="https://example.com/a.png">', 'src takes the name of an uploaded file'],
    ['an address in CSS', '<style>\n.a { background: url(http://127.0.0.1/a) }</style>', 'Line 2, column 18: url()'],
    ['an import', '<style>@import "a.css";</style>', '@import'],
    ['raw HTML', '{{{title}}}', 'Use {{name}}'],
    ['a helper', '{{lookup a b}}', 'A value has no arguments'],
    ['a path', '{{constructor.name}}', 'The name of a variable'],
    ['a partial', '{{> other}}', 'This tag cannot be used'],
    ['a block across elements', '<div>{{#if a}}</div>{{/if}}', '{{#if}} must be closed before its element ends'],
    ['an element across blocks', '{{#if a}}<div>{{/if}}</div>', 'must be closed before its block ends'],
    ['a list without _items', '{{#each rows}}{{this}}{{/each}}', '{{#each rows_items}}'],
    ['two types', '<p style="color: {{a}}">{{a}}</p>', 'a is used as color and as text'],
    ['a reserved name', '{{format}}', 'format is a parameter'],
    ['a wrong style', '<b>a</b>\n<p style="width: wide">b</p>', 'Line 2, column 1: invalid value for width'],
    ['a file that is not there', '<img src="logo.png">', 'logo.png, which has not been uploaded'],
  ])('%s is refused with its place: %s', async (_, html, message) => {
    const answer = await ask('PUT', '/v1/templates/bad', { html });
    expect([answer.status, await json(answer)]).toMatchObject([
      400,
      { parameter: 'html', error: expect.stringContaining(message) },
    ]);
  });
});

describe('a key that is limited to templates', () => {
  it('uses its templates in any version, and no others; it cannot change them', async () => {
    const { account } = await service.customer('pro');
    const full = await createKey(service.store, { accountId: account.id, name: 'full', limit: 9 });
    const limited = await createKey(service.store, {
      ...{ accountId: account.id, name: 'limited', limit: 9 },
      allowedTemplates: ['my/hero'],
    });
    await ask('PUT', '/v1/templates/hero', { html: plain('red') }, full.secret);
    await ask('PUT', '/v1/templates/other', { html: plain('red') }, full.secret);
    const statuses = ['my/hero', 'my/hero@1', 'my/other', 'quote'].map(
      async (template) => (await card({ template, title: 'x' }, limited.secret)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 403, 403]);
    for (const [method, path] of [
      ['PUT', '/v1/templates/hero'],
      ['DELETE', '/v1/templates/hero'],
      ['GET', '/v1/templates'],
    ] as const)
      expect((await ask(method, path, method === 'PUT' ? { html: 'x' } : undefined, limited.secret)).status).toBe(403);
  });
});

describe('files', () => {
  const png = (color: string) =>
    sharp({ create: { width: 40, height: 40, channels: 3, background: color } })
      .png()
      .toBuffer();

  it('an uploaded image is shown, and an old version keeps the file it was saved with', async () => {
    const html =
      '<div class="flex w-full h-full"><img src="logo.png" class="w-[600px] h-full" /><div class="w-[600px] h-full" style="background-image: url(logo.png)"></div></div>';
    expect((await ask('PUT', '/v1/templates/files/files/logo.png', await png('#ff0000'))).status).toBe(200);
    await ask('PUT', '/v1/templates/files', { html });
    await ask('PUT', '/v1/templates/files/files/logo.png', await png('#0000ff'));
    await ask('PUT', '/v1/templates/files', { html });
    expect(await colorAt(await card({ template: 'my/files@1' }), 0.2, 0.5)).toEqual(red);
    expect(await colorAt(await card({ template: 'my/files' }), 0.2, 0.5)).toEqual(blue);
    expect(await colorAt(await card({ template: 'my/files' }), 0.51, 0.01)).toEqual(blue);
  });

  it('an uploaded font is used by its name, and only in the template it belongs to', async () => {
    const font = await readFile(
      new URL(
        '../../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
        import.meta.url,
      ),
    );
    const html = '<p style="font-size: 90px; font-family: \'Brand Mono\'">{{title}}</p>';
    expect((await ask('PUT', '/v1/templates/typed/files/Brand%20Mono.woff2', font)).status).toBe(200);
    await ask('PUT', '/v1/templates/typed', { html });
    await ask('PUT', '/v1/templates/untyped', { html });
    const inkWidth = async (template: string) => {
      const { data, info } = await sharp(
        Buffer.from(await (await card({ template, title: 'iiiiiiiiii' })).arrayBuffer()),
      )
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true });
      return Math.max(...[...data.entries()].filter(([, value]) => value < 128).map(([i]) => i % info.width));
    };
    // Ten letters i are narrow, except in a font whose letters are all as wide as an m.
    expect(await inkWidth('my/untyped')).toBeLessThan(350);
    expect(await inkWidth('my/typed')).toBeGreaterThan(450);
  });

  it.each([
    ['a font that is none', 'a.woff2', Buffer.from('wOF2 but nothing more'), 400],
    ['a text that is no font', 'a.ttf', Buffer.from('hello'), 400],
    ['an image that is none', 'a.png', Buffer.from('hello'), 400],
    ['another type', 'a.exe', Buffer.from('MZ'), 400],
    ['a path', '..%2Fa.png', Buffer.from('x'), 400],
    ['an image over 1 MB', 'a.png', Buffer.alloc(1024 * 1024 + 1), 413],
    ['a font over 5 MB', 'a.woff2', Buffer.alloc(5 * 1024 * 1024 + 1), 413],
  ])('%s is refused', async (_, name, bytes, status) => {
    const answer = await ask('PUT', `/v1/templates/hero/files/${name}`, bytes);
    expect([answer.status, await answer.text()]).toMatchObject([status, expect.stringContaining('"error":')]);
  });
});

it('templates that would take more than the plan allows are refused, whatever their versions; removed ones make room', async () => {
  // A twentieth of 1 MB.
  const small = await startService({ PLAN_LIMITS: '{"pro":{"storageMb":1}}' });
  try {
    const { key: own } = await small.customer('pro');
    const save = (name: string) =>
      fetch(`${small.url}/v1/templates/${name}`, {
        method: 'PUT',
        headers: { 'x-api-key': own, 'content-type': 'application/json' },
        body: JSON.stringify({ html: `<div>{{title}}</div><!--${'x'.repeat(20_000)}-->` }),
      });
    expect([(await save('one')).status, (await save('one')).status]).toEqual([200, 200]);
    const refused = await save('two');
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: 'conflict', error: expect.stringContaining('Remove a template first.') },
    ]);
    const headers = { 'x-api-key': own };
    expect((await fetch(`${small.url}/v1/templates/one`, { method: 'DELETE', headers })).status).toBe(204);
    expect((await save('two')).status).toBe(200);
  } finally {
    await small.stop();
  }
});
