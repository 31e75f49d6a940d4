// tintype templates push and pull, against a running service.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { loadConfig } from '../../src/config.ts';
import { type Service, startService } from '../harness/service.ts';

let service: Service;
let key: string;
let folder: string;
beforeAll(async () => {
  service = await startService();
  key = (await service.customer('pro')).key;
  folder = await mkdtemp(join(tmpdir(), 'tintype-push-'));
  await mkdir(join(folder, 'hero'));
  await writeFile(join(folder, 'hero/logo.png'), await square('#ff0000'));
  await writeFile(join(folder, 'hero.html'), hero);
  await writeFile(join(folder, 'plain.html'), '<p>{{title}}</p>\n');
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const hero = `<!--
{
  "description": "A hero.",
  "variables": { "title": { "doc": "The title.", "default": "Hi", "example": "Hello" } }
}
-->
<div class="flex w-full h-full">
  <img src="logo.png" class="w-full h-full">
  <b class="absolute">{{title}}</b>
</div>
`;
const square = (color: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
    .png()
    .toBuffer();

async function templates(...args: string[]) {
  const out: string[] = [];
  const notes: string[] = [];
  const code = await main(['templates', ...args], {
    config: () => loadConfig({ TINTYPE_SERVER: service.url, TINTYPE_KEY: key }),
    print: (line) => void out.push(line),
    note: (line) => void notes.push(line),
    writeBytes: async () => {},
    readLine: async () => '',
    input: () => Readable.from([]),
  });
  return { code, out: out.join('\n'), notes: notes.join('\n') };
}
const colorOf = async (template: string) => {
  const answer = await service.get(`/v1/og?template=${template}&width=400&height=210`, key);
  expect(answer.status).toBe(200);
  const { data } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .extract({ left: 390, top: 200, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data];
};

describe('push and pull', () => {
  it('push saves and publishes what is new, and nothing the second time', async () => {
    expect(await templates('push', folder)).toEqual({
      code: 0,
      out: 'my/hero: version 1, published (logo.png)\nmy/plain: version 1, published',
      notes: '',
    });
    expect(await colorOf('my/hero')).toEqual([255, 0, 0]);
    expect((await templates('push', folder)).out).toBe('my/hero: unchanged, version 1\nmy/plain: unchanged, version 1');
  });

  it('a changed file is a new version of its template only; --no-publish keeps the published one', async () => {
    await writeFile(join(folder, 'hero/logo.png'), await square('#0000ff'));
    expect((await templates('push', folder, '--no-publish')).out).toBe(
      'my/hero: version 2 (logo.png)\nmy/plain: unchanged, version 1',
    );
    expect(await colorOf('my/hero')).toEqual([255, 0, 0]);
    const { out } = await templates('push', folder, 'hero', '--json');
    expect(JSON.parse(out)).toEqual([{ name: 'hero', version: 2, published: 2, isChanged: false, files: [] }]);
    expect(await colorOf('my/hero')).toEqual([0, 0, 255]);
  });

  it('pull writes the same files, which push finds unchanged', async () => {
    const other = await mkdtemp(join(tmpdir(), 'tintype-pull-'));
    const pulled = await templates('pull', join(other, 'new'));
    expect([pulled.code, (await readdir(join(other, 'new'), { recursive: true })).sort()]).toEqual([
      0,
      ['hero', 'hero.html', 'hero/logo.png', 'plain.html'],
    ]);
    expect(await readFile(join(other, 'new/hero/logo.png'))).toEqual(await readFile(join(folder, 'hero/logo.png')));
    expect((await templates('push', join(other, 'new'))).out).toBe(
      'my/hero: unchanged, version 2\nmy/plain: unchanged, version 1',
    );
    expect(await templates('pull', join(other, 'new'))).toEqual({ code: 0, out: '', notes: 'Nothing has changed.' });
    await rm(other, { recursive: true });
  });
});

describe('mistakes', () => {
  it.each([
    ['in the HTML', '<div>\n    {{#if a}}</div>{{/if}}', /^bad\.html:2:5: \{\{#if\}\} must be closed/],
    [
      'that only painting finds',
      '<!-- {} -->\n<div>\n  <p style="width: wide">x</p></div>',
      /^bad\.html:3:3: invalid value/,
    ],
    ['of a file that is not there', '<img src="no.png">', /^bad\.html:1:11: it shows no\.png/],
  ])('%s: exit code 1, file, line and column', async (_, html, message) => {
    const own = await mkdtemp(join(tmpdir(), 'tintype-push-bad-'));
    await writeFile(join(own, 'bad.html'), html);
    const { code, out, notes } = await templates('push', own);
    expect([code, out, notes]).toEqual([1, '', expect.stringMatching(message)]);
    await rm(own, { recursive: true });
  });

  it('wrong usage is exit code 2', async () => {
    expect(await templates('push', join(folder, 'nowhere'))).toMatchObject({
      code: 2,
      notes: expect.stringContaining('is not a folder'),
    });
    expect(await templates('push', folder, 'other')).toMatchObject({
      code: 2,
      notes: expect.stringContaining('other.html'),
    });
    expect(await templates('dev', folder, '--port', '70000')).toMatchObject({ code: 2 });
    expect(await templates('pull', folder, 'more')).toMatchObject({ code: 2 });
  });
});

it('help and completion know the commands', async () => {
  expect((await templates('--help')).out).toMatch(
    /templates pull \[DIR\].*templates push \[DIR\] \[NAME…\].*templates dev/s,
  );
  expect((await templates('push', '--help')).out).toContain('--no-publish');
  const lines: string[] = [];
  const io = { print: (line: string) => void lines.push(line), note: () => {}, config: () => loadConfig({}) };
  expect(await main(['completion', 'bash'], io as never)).toBe(0);
  expect(lines.join('\n')).toContain('templates) choices="pull push dev"');
});
