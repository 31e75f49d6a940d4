// What a command is, and how its arguments are read. One table of commands makes the parser and `--help`.
import type { Config } from '../config.ts';
import { nearestName } from '../kernel/parameters.ts';

export type Option = {
  /** What stands for its value in the help; without one the option is a switch. */
  readonly value?: string;
  readonly doc: string;
};

export type Command = {
  /** One or two words. */
  readonly name: string;
  /** Its arguments in order, all of them required. */
  readonly takes: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  readonly doc: string;
  /** Takes any other --name value as well; the sentence for the help. */
  readonly alsoTakes?: string;
  /** More for its own help. */
  readonly details?: () => Promise<string>;
  run(input: Input, world: World): Promise<void>;
};

export type Input = {
  /** The arguments by the names the command gave them. */
  readonly given: Readonly<Record<string, string>>;
  /** Options by name; a switch that is on is "true". */
  readonly options: Readonly<Record<string, string>>;
  /** Of a command that takes others: those, in order. */
  readonly others: ReadonlyMap<string, string>;
};

/** All that a command touches beside the database: tests put their own in its place. */
export type World = {
  config(): Config;
  /** A line on standard output: the result. */
  print(line: string): void;
  /** A line on standard error: what a person wants to know beside it. */
  note(line: string): void;
  writeBytes(bytes: Buffer): Promise<void>;
  /** The first line of standard input. */
  readLine(): Promise<string>;
};

/** The command was called in a wrong way: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command did not work: its one line is all a person needs. Exit code 1. */
export class Failure extends Error {
  override name = 'Failure';
}

const shortNames: Readonly<Record<string, string>> = { '-o': '--output' };

/** Splits the words after the command's name into arguments and options. */
export function readArguments(command: Command, words: readonly string[]): Input {
  const positional: string[] = [];
  const options: Record<string, string> = {};
  const others = new Map<string, string>();
  const queue = [...words];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    const [name, inline] = optionIn(word);
    if (name === undefined) {
      positional.push(word);
      continue;
    }
    const option = command.options[name];
    if (option === undefined && command.alsoTakes === undefined) throw unknownOption(command, name);
    if (name in options || others.has(name)) throw new UsageError(`--${name} is given twice; give it once.`);
    const value = inline ?? (isSwitch(option) || isOption(queue[0]) ? undefined : queue.shift());
    if (value === undefined && option?.value !== undefined)
      throw new UsageError(`--${name} needs a value: --${name} ${option.value}.`);
    if (option === undefined) others.set(name, value ?? 'true');
    else options[name] = value ?? 'true';
  }
  const missing = command.takes[positional.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing. ${seeHelp(command)}`);
  const extra = positional[command.takes.length];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many. ${seeHelp(command)}`);
  const given = Object.fromEntries(command.takes.map((name, i) => [name, positional[i] ?? '']));
  return { given, options, others };
}

/** `--name`, `--name=value` or `-o`: the name, and the value where it is in the same word. */
function optionIn(word: string): [name?: string, value?: string] {
  const full = shortNames[word] ?? word;
  const match = /^--([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(full);
  if (match) return [match[1], match[2]];
  if (/^-./.test(full)) throw new UsageError(`There is no option ${full}.`);
  return [];
}

const isOption = (word: string | undefined): boolean => word === undefined || /^--./.test(word) || word in shortNames;
const isSwitch = (option: Option | undefined): boolean => option !== undefined && option.value === undefined;

function unknownOption(command: Command, name: string): UsageError {
  const meant = nearestName(name, Object.keys(command.options));
  return new UsageError(
    `There is no option --${name}. ${meant === undefined ? seeHelp(command) : `Did you mean --${meant}?`}`,
  );
}

const seeHelp = (command: Command): string => `See: tintype ${command.name} --help`;
