// Reads the words after a command's name: its arguments, options and parameters.
import { parseArgs } from 'node:util';
import { nearestName } from '../kernel/nearest-name.ts';
import {
  type ApiParameters,
  type Command,
  type CommandIo,
  type CommandOptions,
  type Input,
  type Option,
  UsageError,
} from './command.ts';

/** The parameters of the API as options. */
export async function parameterOptions(parameters: ApiParameters | undefined, io: CommandIo): Promise<CommandOptions> {
  if (parameters === undefined) return {};
  const table = Object.entries(await parameters.table()).filter(([name]) => !parameters.except.includes(name));
  const others = [...((await parameters.others?.(io)) ?? [])];
  return {
    ...Object.fromEntries(others.map((name) => [name, { value: 'VALUE', doc: '' }])),
    ...Object.fromEntries(
      table.map(([name, { kind, doc }]): [string, Option] => [
        name,
        kind.input === 'checkbox' ? { isFlag: true, doc } : { value: 'VALUE', doc },
      ]),
    ),
  };
}

const shortNames: Readonly<Record<string, string>> = { output: 'o' };

/** How an option is written: `-o FILE`, `--plan PLAN`, `--json`. */
export const written = (name: string, value: string | undefined): string =>
  `${name in shortNames ? `-${shortNames[name]}` : `--${name}`}${value === undefined ? '' : ` ${value}`}`;

export function readArguments(command: Command, parameters: CommandOptions, words: readonly string[]): Input {
  const known: CommandOptions = { ...parameters, ...command.options };
  const positionals: string[] = [];
  const values = new Map<string, string>();
  const lists: Record<string, string[]> = {};
  const tokens = tokensOf(known, words);
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName } = token;
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    if (option === undefined) throw unknownOption(command, rawName, Object.keys(known));
    if (option.repeats) {
      lists[name] = [...(lists[name] ?? []), readValue(name, option, token)];
      continue;
    }
    if (values.has(name)) throw new UsageError(`${rawName} is given twice; give it once.`);
    const next = tokens[i + 1];
    if (
      option.isFlag &&
      token.value === undefined &&
      next?.kind === 'positional' &&
      /^(true|false)$/.test(next.value)
    ) {
      values.set(name, next.value);
      tokens.splice(i + 1, 1);
    } else values.set(name, readValue(name, option, token));
  }
  const missing = command.takes[positionals.length];
  if (missing !== undefined && !missing.startsWith('['))
    throw new UsageError(`${missing} is missing. ${seeHelp(command)}`);
  const last = command.takes.at(-1) ?? '';
  const takesMore = last.endsWith('…]');
  const more = takesMore ? positionals.splice(command.takes.length - 1) : [];
  const extra = positionals[command.takes.length];
  if (extra !== undefined) {
    // It may be the second word of a secret that was not quoted.
    const hasSecret = [...values.keys(), ...Object.keys(lists)].some((name) => known[name]?.isSecret);
    const what = hasSecret ? '' : ` "${extra}"`;
    throw new UsageError(`Unexpected argument${what}. ${seeHelp(command)}`);
  }
  const isOption = ([name]: [string, string]) => Object.hasOwn(command.options, name);
  return {
    given: Object.fromEntries(positionals.map((value, i) => [command.takes[i]?.replaceAll(/[[\]]/g, '') ?? '', value])),
    options: Object.fromEntries([...values].filter(isOption)),
    lists: { ...lists, ...(takesMore && { [last.replaceAll(/[[\]…]/g, '')]: more }) },
    parameters: new Map([...values].filter((entry) => !isOption(entry))),
  };
}

type Token = {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
};

function tokensOf(known: CommandOptions, words: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        ...(name in shortNames && { short: shortNames[name] }),
      },
    ]),
  );
  // Not strict: the errors here name the option as the help does.
  return parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function readValue(
  name: string,
  { value: placeholder, isFlag }: Option,
  { rawName, value, inlineValue }: Token,
): string {
  if (placeholder === undefined) {
    if (value !== undefined && !isFlag) throw new UsageError(`${rawName} takes no value.`);
    return value ?? 'true';
  }
  // parseArgs takes the next word whatever it is: `--title --author x` would make "--author" the title.
  if (value === undefined || (!inlineValue && looksLikeOption(value)))
    throw new UsageError(`${rawName} needs a value: ${written(name, placeholder)}.`);
  return value;
}

const looksLikeOption = (word: string): boolean =>
  /^--./.test(word) || Object.values(shortNames).some((short) => word === `-${short}`);

function unknownOption(command: Command, rawName: string, names: readonly string[]): UsageError {
  const meant = rawName.startsWith('--') ? nearestName(rawName.slice(2), names) : undefined;
  return new UsageError(
    `There is no option ${rawName}. ${meant === undefined ? seeHelp(command) : `Did you mean ${written(meant, undefined)}?`}`,
  );
}

const seeHelp = (command: Command): string => `See: tintype ${command.name} --help`;
