// The built-in templates, and those of TEMPLATES_DIR.
import type { FileTemplate } from '../cards/card-types.ts';
import type { CommandIo } from './command.ts';

/** The template engine is loaded only by the commands that need it. */
export async function operatorTemplates(io: CommandIo): Promise<ReadonlyMap<string, FileTemplate>> {
  const { loadTemplates } = await import('../cards/template-files.ts');
  const { readFolderTemplate } = await import('../templates/folder-template.ts');
  return loadTemplates(io.config().templatesDir, readFolderTemplate);
}
