// tintype templates push: the templates of a folder become versions of the account's own templates.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Template } from '../cards/card-types.ts';
import { Problem } from '../kernel/errors.ts';
import { type Command, type CommandIo, Failure, UsageError } from './command.ts';
import { jsonOption } from './json-option.ts';
import { faultLine } from './template-faults.ts';
import {
  defaultFolder,
  openTemplateServer,
  type ServedTemplate,
  type TemplateServer,
  templateServerOptions,
} from './template-server.ts';

type Pushed = {
  readonly name: string;
  readonly version: number;
  readonly published: number;
  readonly isChanged: boolean;
  /** Uploaded or removed. */
  readonly files: readonly string[];
};

export const pushCommand: Command = {
  name: 'templates push',
  takes: ['[DIR]', '[NAME…]'],
  options: {
    ...templateServerOptions,
    'no-publish': { doc: 'Saves versions without publishing them.' },
    json: jsonOption,
  },
  doc: `Saves and publishes the templates of the folder DIR (${defaultFolder} if it is not given), or those that are named, if they differ from the server's.`,
  async run(input, io) {
    const server = await openTemplateServer(input, io);
    const folder = input.given.DIR ?? defaultFolder;
    const templates = await readAll(folder, input.lists.NAME ?? [], io);
    const pushed: Pushed[] = [];
    let isWrong = false;
    for (const template of templates)
      try {
        pushed.push(await push(server, folder, template, input.options['no-publish'] === undefined));
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'invalid_parameter') throw error;
        isWrong = true;
        io.note(await faultLine(error, template));
      }
    if (input.options.json) io.print(JSON.stringify(pushed, null, 2));
    else for (const each of pushed) io.print(sentence(each));
    if (isWrong) throw new Failure('');
  },
};

/** All of them are read before any is sent: with a mistake in one, nothing is pushed. */
async function readAll(folder: string, names: readonly string[], io: CommandIo): Promise<Template[]> {
  const { readTemplateFile, templatesIn } = await import('../cards/template-file.ts');
  const all = await templatesIn(folder).catch(() => {
    throw new UsageError(`${folder} is not a folder.`);
  });
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no ${join(folder, `${unknown}.html`)}.`);
  if (all.length === 0) throw new UsageError(`There are no templates in ${folder}: no file ends in .html.`);
  const templates: Template[] = [];
  let isWrong = false;
  for (const name of names.length > 0 ? names : all)
    try {
      templates.push(await readTemplateFile(folder, name));
    } catch (error) {
      isWrong = true;
      io.note(await faultLine(error as Error, { name }));
    }
  if (isWrong) throw new Failure('');
  return templates;
}

async function push(server: TemplateServer, folder: string, template: Template, publish: boolean): Promise<Pushed> {
  const { name, text } = template;
  const there = await server.open(name);
  const files: string[] = [];
  for (const { name: file, hash } of template.files) {
    const before = there?.files.find((each) => each.name === file)?.hash;
    if (before === hash) continue;
    // What is stored of an image may differ from what this machine would store.
    if ((await server.putFile(name, file, await readFile(join(folder, name, file)))) !== before) files.push(file);
  }
  const isSame = there !== undefined && files.length === 0 && saysTheSame(template, there);
  const gone = (there?.files ?? []).filter((file) => !template.files.some((each) => each.name === file.name));
  if (isSame && gone.length === 0) {
    if (publish && there.published !== there.latest) await server.publish(name, there.latest);
    const { latest } = there;
    return { name, version: latest, published: publish ? latest : there.published, isChanged: false, files };
  }
  for (const { name: file } of gone) {
    await server.removeFile(name, file);
    files.push(file);
  }
  const { version, published } = await server.save(name, text, publish);
  return { name, version, published, isChanged: true, files };
}

const saysTheSame = ({ description, variables, example, html }: Template, there: ServedTemplate): boolean =>
  html === there.html && isDeepStrictEqual({ description, variables, example }, pick(there));

const pick = ({ description, variables, example }: ServedTemplate) => ({ description, variables, example });

function sentence({ name, version, published, isChanged, files }: Pushed): string {
  if (!isChanged) return `my/${name}: unchanged, version ${version}`;
  const changed = files.length > 0 ? ` (${files.join(', ')})` : '';
  return `my/${name}: version ${version}${published === version ? ', published' : ''}${changed}`;
}
