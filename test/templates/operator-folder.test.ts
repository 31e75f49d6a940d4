// TEMPLATES_DIR with HTML files, from outside: cards, hot reload, mistakes.
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadTemplates } from '../../src/cards/template-folder.ts';
import { createTestMaker } from '../cards/maker.ts';
import { type Service, startService } from '../harness/service.ts';

let folder: string;
const write = (file: string, text: string | Buffer) => writeFile(join(folder, file), text);
const page = (color: string, variable = 'title') =>
  `<div class="w-full h-full" style="background: ${color}">{{${variable}}}</div>`;
const square = (color: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
    .png()
    .toBuffer();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-operator-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a running service', () => {
  let service: Service;
  let key: string;
  beforeAll(async () => {
    await write('hero.html', page('#ff0000'));
    service = await startService({ TEMPLATES_DIR: folder });
    key = (await service.customer('pro')).key;
  });
  afterAll(() => service?.stop());

  const colorOf = async (query: string): Promise<unknown> => {
    const answer = await service.get(`/v1/og?width=400&height=210&${query}`, key);
    if (answer.status !== 200) return ((await answer.json()) as { code: string }).code;
    const { data } = await sharp(Buffer.from(await answer.arrayBuffer()))
      .extract({ left: 390, top: 200, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return [...data];
  };
  const variablesOf = async (name: string) => {
    const { templates } = (await (await service.get('/v1/og/templates')).json()) as {
      templates: { name: string; variables: object }[];
    };
    return Object.keys(templates.find((template) => template.name === name)?.variables ?? {});
  };
  const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 100 });

  it('paints an HTML file of the folder, and a changed file without a restart: card, variables, cache, OpenAPI', async () => {
    expect(await colorOf('template=hero&title=x')).toEqual([255, 0, 0]);
    await write('hero.html', page('#0000ff', 'heading'));
    await soon(async () => expect(await colorOf('template=hero&title=x')).toEqual([0, 0, 255]));
    expect(await variablesOf('hero')).toEqual(['heading']);
    expect(await (await service.get('/openapi.json')).text()).toContain('heading');
  });

  it('a file with a mistake is logged with its place, and the last good version stays', async () => {
    await write('hero.html', '<div>\n  {{#if title}}</div>{{/if}}');
    await soon(async () =>
      expect(service.logLines.map((line) => JSON.parse(line))).toContainEqual(
        expect.objectContaining({ file: 'hero.html', line: 2, column: 3, level: expect.anything() }),
      ),
    );
    expect(await colorOf('template=hero&heading=y')).toEqual([0, 0, 255]);
  });

  it('a file that editors replace by renaming another is followed every time, and when it is removed', async () => {
    for (const [color, painted] of [
      ['#ff0000', [255, 0, 0]],
      ['#00ff00', [0, 255, 0]],
      ['#0000ff', [0, 0, 255]],
    ] as const) {
      await write('saved.tmp', page(color));
      await rename(join(folder, 'saved.tmp'), join(folder, 'saved.html'));
      await soon(async () => expect(await colorOf('template=saved')).toEqual(painted));
    }
    await rm(join(folder, 'saved.html'));
    await soon(async () => expect(await colorOf('template=saved')).toBe('template_not_found'));
  });

  it('a folder that is replaced as a whole is followed, and one that is gone for a while', async () => {
    const away = `${folder}.away`;
    await mkdir(join(folder, 'mark'));
    await write('mark/logo.png', await square('#00ff00'));
    await write('mark.html', '<img src="logo.png" class="w-full h-full">');
    await soon(async () => expect(await colorOf('template=mark')).toEqual([0, 255, 0]));
    await mkdir(join(folder, 'mark.new'));
    await write('mark.new/logo.png', await square('#ff0000'));
    await rename(join(folder, 'mark'), join(folder, '.mark.old'));
    await rename(join(folder, 'mark.new'), join(folder, 'mark'));
    await soon(async () => expect(await colorOf('template=mark')).toEqual([255, 0, 0]));
    await write('mark/logo.png', await square('#0000ff'));
    await soon(async () => expect(await colorOf('template=mark')).toEqual([0, 0, 255]));
    const missing = () => service.logLines.filter((line) => line.includes('changes of the folder are not seen')).length;
    const before = missing();
    await rename(folder, away);
    await soon(async () => expect(missing()).toBeGreaterThan(before));
    await rename(away, folder);
    await write('mark/logo.png', await square('#ffff00'));
    await soon(async () => expect(await colorOf('template=mark')).toEqual([255, 255, 0]));
  });

  it('new files, and files beside a template, are followed too; a removed template is gone', async () => {
    await mkdir(join(folder, 'badge'));
    await write('badge/logo.png', await square('#00ff00'));
    await write('badge.html', '<img src="logo.png" class="w-full h-full">');
    await soon(async () => expect(await colorOf('template=badge')).toEqual([0, 255, 0]));
    await write('badge/logo.png', await square('#ffff00'));
    await soon(async () => expect(await colorOf('template=badge')).toEqual([255, 255, 0]));
    await rm(join(folder, 'badge.html'));
    await soon(async () => expect(await colorOf('template=badge')).toBe('template_not_found'));
  });
});

describe('at the start, a mistake is an error with line and column', () => {
  const top = '<!--\n{\n  "variables": { "accent": { "default": "blurple" } }\n}\n-->\n';
  it.each([
    ['a block that is not closed', '<div>\n  {{#if title}}</div>{{/if}}', 'bad.html:2:3 is not valid: {{#if}}'],
    [
      'the same under what is said at the top',
      '<!-- {} -->\n<div>\n{{#if a}}</div>{{/if}}',
      'bad.html:3:1 is not valid',
    ],
    ['JSON that is none', '<!--\n{\n  "variables": nothing\n}\n-->\n<p></p>', 'bad.html:3:'],
    [
      'a wrong default',
      `${top}<p style="color: {{accent}}">x</p>`,
      'bad.html:3:18 is not valid: variables.accent.default',
    ],
    ['a file that is not there', '<div>\n<img src="no.png"></div>', 'bad.html:2:11 is not valid: it shows no.png'],
  ])('%s', async (_, html, message) => {
    const own = await mkdtemp(join(tmpdir(), 'tintype-operator-bad-'));
    await writeFile(join(own, 'bad.html'), html);
    await expect(loadTemplates(own)).rejects.toThrow(message);
    await rm(own, { recursive: true });
  });

  it('in a style that the engine cannot read, of an element or of a stylesheet', async () => {
    const own = await mkdtemp(join(tmpdir(), 'tintype-operator-bad-'));
    await writeFile(join(own, 'bad.html'), '<!-- {} -->\n<div>\n  <p style="width: 2kg">x</p>\n</div>');
    await expect(createTestMaker(own)).rejects.toThrow(/bad\.html:3:3 cannot paint its own example: .*2kg/);
    await rm(own, { recursive: true });
  });

  it('a module of TEMPLATES_DIR is no template any more', async () => {
    const own = await mkdtemp(join(tmpdir(), 'tintype-operator-'));
    await writeFile(join(own, 'old.ts'), 'export default {};');
    expect((await loadTemplates(own)).has('old')).toBe(false);
    await rm(own, { recursive: true });
  });
});
