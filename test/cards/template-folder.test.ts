import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkExamples } from '../../src/cards/check-examples.ts';
import { readTemplateFile } from '../../src/cards/template-file.ts';
import { loadTemplates } from '../../src/cards/template-folder.ts';
import { createTestMaker } from './maker.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-templates-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const greeting = (description = 'A greeting.', html = '<h1>{{title}}</h1>') =>
  `<!--\n${JSON.stringify({ description, variables: { title: { doc: 'Whom to greet.', default: 'World' } } })}\n-->\n${html}`;
const write = (file: string, text: string) => writeFile(join(folder, file), text);

describe('a folder of templates', () => {
  it('adds its files to the built-in ones', async () => {
    await write('greeting.html', greeting());
    const templates = await loadTemplates(folder);
    expect(templates.get('greeting')).toMatchObject({ description: 'A greeting.' });
    expect(templates.has('blog-post')).toBe(true);
  });

  it('replaces a built-in template of the same name', async () => {
    await write('default.html', greeting());
    expect((await loadTemplates(folder)).get('default')?.description).toBe('A greeting.');
  });

  it('may hold files that are no templates', async () => {
    await write('notes.md', '# Notes');
    await write('old.ts', 'export default {};');
    expect((await loadTemplates(folder)).size).toBe((await loadTemplates()).size);
  });

  it('gives an edited template another version, so that its old cards are not served', async () => {
    const load = async (text: string) => {
      await write('greeting.html', text);
      return (await loadTemplates(folder)).get('greeting')?.version;
    };
    const first = await load(greeting());
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect(await load(greeting())).toBe(first);
    expect(await load(greeting('Another greeting.'))).not.toBe(first);
    expect((await loadTemplates()).get('blog-post')?.version).toMatch(/^[0-9a-f]{16}$/);
  });

  it('that does not exist is an error at the start', async () => {
    await expect(loadTemplates(join(folder, 'nowhere'))).rejects.toThrow(
      `TEMPLATES_DIR is ${join(folder, 'nowhere')}, which is not a folder.`,
    );
  });

  it('whose name is none is an error that names the file', async () => {
    await write('Greeting.html', greeting());
    await expect(loadTemplates(folder)).rejects.toThrow(/Greeting\.html is not valid: its name must be lower-case/);
  });
});

it('a template that cannot paint its own example is a mistake with name, line and column, also without its fonts', async () => {
  await write('greeting.html', greeting('A greeting.', '<div>\n  <h1 style="width: 2kg">{{title}}</h1></div>'));
  const bad = await readTemplateFile(folder, 'greeting');
  await expect(checkExamples([bad])).rejects.toThrow(/greeting\.html:5:3 cannot paint its own example: .*2kg/);
  await expect(checkExamples((await loadTemplates()).values())).resolves.toBeUndefined();
});

describe('the templates in docs/own-templates.md', () => {
  it('load and paint', async () => {
    const page = await readFile(new URL('../../docs/own-templates.md', import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/```html\n([\s\S]*?)```/g)].map(([, code = '']) => code);
    expect(blocks.length).toBeGreaterThan(2);
    const pixel = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    for (const [i, html] of blocks.entries()) {
      await mkdir(join(folder, `example-${i}`));
      await writeFile(join(folder, `example-${i}`, 'logo.png'), pixel);
      await write(`example-${i}.html`, html);
    }
    const maker = await createTestMaker(folder);
    for (const [i] of blocks.entries())
      for (const [width, height] of [
        [1200, 630],
        [1080, 1920],
        [100, 100],
      ] as const) {
        const name = `example-${i}`;
        const { example = {} } = maker.catalogue.find((entry) => entry.name === name) ?? {};
        const card = await maker.card(name, { title: 'Hello', ...example }, { width, height });
        expect(await sharp(card.bytes).metadata()).toMatchObject({ width, height });
      }
    await maker.stop();
  });
});
