import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadTemplates, versionOf } from '../../src/cards/template-files.ts';
import { createTestMaker } from './maker.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-templates-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const good = {
  name: 'greeting',
  description: 'A greeting.',
  variables: { title: { type: 'text', doc: 'Whom to greet.', default: 'World' } },
  example: { title: 'World' },
};

/** A template file with these parts in place of good ones; undefined takes a part away. */
const write = (parts: Record<string, unknown> = {}, file = 'greeting.js') =>
  writeFile(
    join(folder, file),
    `export default { ...${JSON.stringify({ ...good, ...parts })}, picture: (draft, kit) => kit.box({ width: '100%', height: '100%' }, kit.text(draft.text('title'), { size: 40 })) };`,
  );

describe('a folder of templates', () => {
  it('adds its files to the built-in ones', async () => {
    await write();
    const templates = await loadTemplates(folder);
    expect(templates.has('greeting')).toBe(true);
    expect(templates.has('blog-post')).toBe(true);
  });

  it('replaces a built-in template of the same name', async () => {
    await write({ name: 'default' }, 'default.js');
    expect((await loadTemplates(folder)).get('default')?.description).toBe('A greeting.');
  });

  it('may hold TypeScript, and files that are no templates', async () => {
    await write();
    await writeFile(join(folder, 'notes.md'), '# Notes');
    await writeFile(
      join(folder, 'typed.ts'),
      `const name: string = 'typed'; export default { name, description: 'Typed.', variables: {}, example: {}, picture: (draft: unknown, kit: { box: Function }) => kit.box({}) };`,
    );
    expect([...(await loadTemplates(folder)).keys()]).toEqual(expect.arrayContaining(['greeting', 'typed']));
  });

  it('gives an edited template another version, so that its old cards are not served', async () => {
    const load = async (name: string, parts: object) => {
      await write({ name, ...parts }, `${name}.js`);
      const template = (await loadTemplates(folder)).get(name);
      return template ? versionOf(template) : '';
    };
    const first = await load('first', { description: 'A greeting.' });
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    // Node keeps a module it has loaded: the edited file has a name of its own here.
    expect(await load('second', { description: 'Another greeting.' })).not.toBe(first);
    const builtIn = (await loadTemplates()).get('blog-post');
    expect(builtIn && versionOf(builtIn)).toMatch(/^[0-9a-f]{16}$/);
  });

  it('that does not exist is an error at the start', async () => {
    await expect(loadTemplates(join(folder, 'nowhere'))).rejects.toThrow(
      `TEMPLATES_DIR is ${join(folder, 'nowhere')}, which is not a folder.`,
    );
  });
});

describe('a template file with a mistake stops the start, and the error names the file and the reason', () => {
  const title = (part: object) => ({ variables: { title: { type: 'text', doc: 'Whom.', ...part } } });
  it.each<[string, Record<string, unknown>, string]>([
    ['a name in capitals', { name: 'Greeting' }, 'name must be lower-case letters'],
    ['another name than the file', { name: 'other' }, 'name is "other", but the file is called "greeting".'],
    ['no description', { description: '' }, 'description must be a sentence'],
    ['no variables', { variables: undefined }, 'variables must be an object'],
    ['no example', { example: undefined }, 'example must be an object'],
    [
      'a variable of no type',
      title({ type: 'number' }),
      'variables.title: type must be one of text, color, image_url, items.',
    ],
    ['a variable without doc', title({ doc: undefined }), 'variables.title: doc must be a sentence.'],
    ['a default that is no string', title({ default: 5 }), 'variables.title: default must be a string'],
    [
      'a default that is too long',
      title({ default: 'xxx', maxLength: 2 }),
      'variables.title: title must be a text of at most 2 characters.',
    ],
    ['a maxLength of nothing', title({ maxLength: 0 }), 'variables.title: maxLength must be a whole number above 0.'],
    [
      'a color without default',
      { variables: { accent: { type: 'color', doc: 'The accent.' } }, example: {} },
      'variables.accent: a color needs a default',
    ],
    [
      'a color with a bad default',
      { variables: { accent: { type: 'color', doc: 'The accent.', default: 'reddish' } }, example: {} },
      'variables.accent: accent must be a color',
    ],
    [
      'items not called so',
      { variables: { list: { type: 'items', doc: 'A list.' } }, example: {} },
      'variables.list: a variable is of type items exactly when its name ends in _items.',
    ],
    [
      'a variable called like a parameter',
      { variables: { width: { type: 'text', doc: 'The width.' } }, example: {} },
      'variables.width: this name is a parameter of the endpoint.',
    ],
    ['an example of an unknown variable', { example: { titel: 'x' } }, 'example.titel is not one of its variables.'],
    [
      'an example that is not valid',
      { example: { title: 'x'.repeat(2001) } },
      'example: title must be a text of at most 2000 characters.',
    ],
  ])('%s', async (_, parts, reason) => {
    await write(parts);
    const error = await loadTemplates(folder).catch((problem: Error) => problem);
    expect((error as Error).message).toContain(`The template file ${join(folder, 'greeting.js')} is not valid: `);
    expect((error as Error).message).toContain(reason);
  });

  it('no default export', async () => {
    await writeFile(join(folder, 'greeting.js'), 'export const nothing = 1;');
    await expect(loadTemplates(folder)).rejects.toThrow(/greeting\.js is not valid: it has no default export/);
  });

  it('no picture', async () => {
    await writeFile(join(folder, 'greeting.js'), `export default ${JSON.stringify(good)};`);
    await expect(loadTemplates(folder)).rejects.toThrow(/greeting\.js is not valid: picture must be a function/);
  });

  it('a syntax error', async () => {
    await writeFile(join(folder, 'greeting.js'), 'export default {');
    await expect(loadTemplates(folder)).rejects.toThrow(/greeting\.js(:\d+)* cannot be loaded: /);
  });

  it('a picture that throws on its own example', async () => {
    const draws = "picture: (draft) => draft.text('titel')";
    await writeFile(join(folder, 'greeting.js'), `export default { ...${JSON.stringify(good)}, ${draws} };`);
    await expect(createTestMaker(folder)).rejects.toThrow(
      'The template greeting cannot paint its own example: Template greeting asks for text "titel", which its variables do not declare.',
    );
  });
});

describe('the walk-through in docs/own-templates.md', () => {
  it('has a template that loads and paints', async () => {
    const page = await readFile(new URL('../../docs/own-templates.md', import.meta.url), 'utf8');
    const files = [...page.matchAll(/```(?:js|ts)\n\/\/ ([\w.-]+)\n([\s\S]*?)```/g)];
    expect(files.length).toBeGreaterThan(0);
    for (const [, file = '', code = ''] of files) await writeFile(join(folder, file), code);
    const maker = await createTestMaker(folder);
    for (const [, file = ''] of files) {
      const name = file.replace(/\.\w+$/, '');
      const { example = {} } = maker.catalogue.find((entry) => entry.name === name) ?? {};
      for (const [width, height] of [
        [1200, 630],
        [1080, 1920],
        [100, 100],
      ] as const) {
        const card = await maker.card(name, example, { width, height });
        expect(await sharp(card.bytes).metadata()).toMatchObject({ width, height });
        const { channels } = await sharp(card.bytes).stats();
        expect(channels.some(({ stdev }) => stdev > 1)).toBe(true);
      }
    }
  });
});
