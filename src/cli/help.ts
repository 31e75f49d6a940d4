// `--help`, generated from the table of commands and the table of settings.
import { describeSettings } from '../config.ts';
import type { Table } from '../kernel/parameters.ts';
import { written } from './arguments.ts';
import { table } from './columns.ts';
import type { Command } from './command.ts';

export function overview(commands: readonly Command[]): string {
  return [
    'Tintype: screenshots, PDFs and Open Graph images of the web.',
    '',
    'Usage: tintype COMMAND …',
    '',
    commandList(commands),
    '',
    'tintype COMMAND --help describes one command. Exit codes: 0 success, 1 failure, 2 wrong usage.',
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

export const commandList = (commands: readonly Command[]): string =>
  commands.map((command) => `  ${usage(command)}\n      ${command.doc}`).join('\n');

export async function helpFor(command: Command): Promise<string> {
  const options = Object.entries(command.options).map(([name, option]) => [
    `  ${written(name, option.value)}`,
    option.doc,
  ]);
  const parts = [`Usage: tintype ${usage(command)}`, command.doc];
  if (options.length > 0) parts.push(table(['Options:', ''], options));
  if (command.parameters !== undefined) {
    parts.push(`Also takes ${command.parameters.doc}`);
    parts.push(describeParameters(await command.parameters.table(), command.parameters.except));
  }
  return parts.join('\n\n');
}

// These have a meaning only over HTTP or with a cache.
const cacheNames = ['fresh', 'ttl', 'stale'];
const hidden = new Set(['response', 'api_key', ...cacheNames, 'key_id', 'expires', 'signature']);

function describeParameters(parameters: Table, except: readonly string[]): string {
  const rows = Object.entries(parameters)
    .filter(([name]) => !hidden.has(name) && !except.includes(name))
    .map(([name, { kind, doc }]) => [`  --${name}`, `${doc} Must be ${kind.expects}.`]);
  return table(['Parameters:', ''], rows);
}

function usage({ name, takes, options, parameters }: Command): string {
  const optional = Object.entries(options).map(([option, { value, repeats, isRequired }]) =>
    isRequired ? written(option, value) : `[${written(option, value)}${repeats ? ' …' : ''}]`,
  );
  return [name, ...takes, ...optional, ...(parameters === undefined ? [] : ['[--NAME VALUE …]'])].join(' ');
}
