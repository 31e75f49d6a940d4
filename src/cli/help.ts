// `--help`, made from the table of commands and the table of settings.
import { describeSettings } from '../config.ts';
import type { Command } from './command.ts';
import { table } from './opened.ts';

export function overview(commands: readonly Command[]): string {
  return [
    'Tintype: screenshots, PDFs and Open Graph images of the web.',
    '',
    'Usage: tintype COMMAND …',
    '',
    listOf(commands),
    '',
    'tintype COMMAND --help tells more about one of them. Exit codes: 0 done, 1 failed, 2 wrong usage.',
    '',
    'Settings, from the environment:',
    '',
    describeSettings()
      .map(({ env, default: value, expects, example, doc }) =>
        [`  ${env}`, `      ${doc}`, `      ${expects}; default: ${value}; example: ${env}=${example}`].join('\n'),
      )
      .join('\n'),
  ].join('\n');
}

export const listOf = (commands: readonly Command[]): string =>
  commands.map((command) => `  ${usage(command)}\n      ${command.doc}`).join('\n');

export async function helpFor(command: Command): Promise<string> {
  const options = Object.entries(command.options).map(([name, option]) => [
    `  ${written(name, option.value)}`,
    option.doc,
  ]);
  const parts = [`Usage: tintype ${usage(command)}`, command.doc];
  if (options.length > 0) parts.push(table(['Options:', ''], options));
  if (command.alsoTakes !== undefined) parts.push(`And ${command.alsoTakes}`);
  if (command.details !== undefined) parts.push(await command.details());
  return parts.join('\n\n');
}

function usage({ name, takes, options, alsoTakes }: Command): string {
  const optional = Object.entries(options).map(([option, { value }]) =>
    option === 'output' ? written(option, value) : `[${written(option, value)}]`,
  );
  return [name, ...takes, ...optional, ...(alsoTakes === undefined ? [] : ['[--NAME VALUE …]'])].join(' ');
}

const written = (option: string, value: string | undefined): string =>
  `${option === 'output' ? '-o' : `--${option}`}${value === undefined ? '' : ` ${value}`}`;
