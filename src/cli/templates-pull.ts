// tintype templates pull: the account's own templates as files.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { templateName } from '../cards/template-name.ts';
import { makeFolder } from '../kernel/folders.ts';
import { type Command, Failure } from './command.ts';
import { jsonOption } from './json-option.ts';
import { defaultFolder, openTemplateServer, templateServerOptions } from './template-server.ts';

export const pullCommand: Command = {
  name: 'templates pull',
  takes: ['[DIR]'],
  options: { ...templateServerOptions, json: jsonOption },
  doc: `Writes your own templates into the folder DIR (${defaultFolder} if it is not given): <name>.html, and images and fonts in <name>/.`,
  async run(input, io) {
    const server = await openTemplateServer(input, io);
    const folder = input.given.DIR ?? defaultFolder;
    const written: string[] = [];
    const write = async (file: string, bytes: Buffer) => {
      const before = await readFile(join(folder, file)).catch(() => undefined);
      if (before?.equals(bytes)) return;
      await writeFile(join(folder, file), bytes);
      written.push(file);
    };
    for (const name of await server.names()) {
      const template = await server.open(name);
      if (template === undefined || template.latest === 0) continue;
      await checkNames(name, template.files);
      makeFolder(folder);
      await write(`${name}.html`, Buffer.from(template.file));
      const here = await hashesIn(join(folder, name));
      for (const { name: file, hash } of template.files) {
        if (here.get(file) === hash) continue;
        makeFolder(join(folder, name));
        await write(`${name}/${file}`, await server.readFile(name, file));
      }
    }
    if (input.options.json) return io.print(JSON.stringify({ folder, written }, null, 2));
    for (const file of written) io.print(join(folder, file));
    if (written.length === 0) io.note('Nothing has changed.');
  },
};

/** They become paths of this machine. */
async function checkNames(name: string, files: readonly { readonly name: string }[]): Promise<void> {
  const { kindOfFile } = await import('../cards/checked-file.ts');
  if (!templateName.test(name)) throw new Failure('The server has a template whose name cannot be that of a file.');
  for (const { name: file } of files) kindOfFile(file);
}

/** The hashes that the server has of these files: it keeps some images as png. */
async function hashesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const { readFiles } = await import('../cards/template-file.ts');
  const files = await readFiles(folder, (_, reason) => new Failure(reason)).catch(() => []);
  return new Map(files.map(({ name, hash }) => [name, hash]));
}
