// tintype templates: what `tintype og` can make, own templates as files, and the variables of one template for its help.
import { table } from './columns.ts';
import type { Command, CommandIo } from './command.ts';
import { jsonOption } from './json-option.ts';
import { operatorTemplates } from './operator-templates.ts';
import { devCommand } from './templates-dev.ts';
import { pullCommand } from './templates-pull.ts';
import { pushCommand } from './templates-push.ts';

export const templateCommands: readonly Command[] = [
  {
    name: 'templates',
    takes: [],
    options: { json: jsonOption },
    doc: 'Lists the templates of Open Graph images. tintype og NAME --help shows the variables of one.',
    async run({ options }, io) {
      const templates = [...(await operatorTemplates(io)).values()];
      if (options.json) {
        const entries = templates.map(({ name, description, variables, example }) => ({
          name,
          description,
          variables,
          example,
        }));
        return io.print(JSON.stringify(entries, null, 2));
      }
      io.print(
        table(
          ['NAME', 'DESCRIPTION'],
          templates.map(({ name, description }) => [name, description]),
        ),
      );
    },
  },
  pullCommand,
  pushCommand,
  devCommand,
];

/** The variables of the template that the words name, for the help of `og`. */
export async function variablesHelp(words: readonly string[], io: CommandIo): Promise<string | undefined> {
  const [name] = words;
  const template = name === undefined ? undefined : (await operatorTemplates(io)).get(name);
  if (template === undefined) return undefined;
  const rows = Object.entries(template.variables).map(([variable, { type, doc, default: value }]) => [
    `  --${variable}`,
    `${doc} (${type}${value === undefined ? '' : `, default: ${value}`})`,
  ]);
  return [`${template.name}: ${template.description}`, table(['Variables:', ''], rows)].join('\n\n');
}
