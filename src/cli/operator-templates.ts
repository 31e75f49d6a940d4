// The built-in templates, and those of TEMPLATES_DIR.
import type { Templates } from '../cards/template-folder.ts';
import type { CommandIo } from './command.ts';

/** The templates are read only by the commands that need them. */
export async function operatorTemplates(io: CommandIo): Promise<Templates> {
  const { loadTemplates } = await import('../cards/template-folder.ts');
  return loadTemplates(io.config().templatesDir);
}
