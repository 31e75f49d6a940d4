// The templates of a server: the built-in ones, which are read once, and those of TEMPLATES_DIR. A mistake in one is an error
// at the start, and not a broken card later.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lazily } from '../kernel/lazily.ts';
import type { Template } from './card-types.ts';
import { readTemplateFile, templatesIn } from './template-file.ts';

/** By name. */
export type Templates = ReadonlyMap<string, Template>;

const ownFolder = fileURLToPath(new URL('./templates', import.meta.url));

export const builtInTemplates = lazily((): Promise<Templates> => loadFolder(ownFolder));

/** A template of the operator replaces ours of the same name. Throws a TemplateFileFault. */
export async function loadTemplates(templatesDir?: string): Promise<Templates> {
  const templates = await builtInTemplates();
  if (templatesDir === undefined) return templates;
  const folder = resolve(templatesDir);
  const added = await loadFolder(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      throw new Error(`TEMPLATES_DIR is ${folder}, which is not a folder.`);
    throw error;
  });
  return new Map([...templates, ...added]);
}

export type Reload = {
  /** Throws if the template cannot paint its example. */
  readonly tryOut: (template: Template) => Promise<void>;
  readonly onFault: (fault: Error) => void;
};

/** The templates after files have changed. What has a mistake stays as it was. */
export async function reloadTemplates(
  templatesDir: string,
  before: Templates,
  { tryOut, onFault }: Reload,
): Promise<Templates> {
  const templates = new Map(await builtInTemplates());
  const folder = resolve(templatesDir);
  for (const name of await templatesIn(folder)) {
    const known = before.get(name);
    try {
      const read = await readTemplateFile(folder, name);
      const isSame = known?.version === read.version;
      if (!isSame) await tryOut(read);
      templates.set(name, isSame ? known : read);
    } catch (error) {
      onFault(error as Error);
      if (known) templates.set(name, known);
    }
  }
  return templates;
}

async function loadFolder(folder: string): Promise<Templates> {
  const names = await templatesIn(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, await readTemplateFile(folder, name)] as const)));
}
