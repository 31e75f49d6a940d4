// What a command is. One table of commands makes the parser (arguments.ts) and `--help` (help.ts).
import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import type { Table } from '../kernel/parameters.ts';

export type Option = {
  /** The placeholder for its value in the help. An option without one is a switch. */
  readonly value?: string;
  /** A parameter that is true or false: `--fullPage`, `--fullPage=false` or `--fullPage false`. */
  readonly isFlag?: true;
  /** For the help: the command checks it. */
  readonly isRequired?: true;
  /** It may be given several times; its values are in `lists`. */
  readonly repeats?: true;
  /** Its value is in no message. */
  readonly isSecret?: true;
  readonly doc: string;
};

export type CommandOptions = Readonly<Record<string, Option>>;

export type Command = {
  /** One or two words. */
  readonly name: string;
  /** Its arguments in order. One in brackets may be left out; the others are required. `[NAME…]` takes all that follow, as a list. */
  readonly takes: readonly string[];
  readonly options: CommandOptions;
  readonly doc: string;
  /** The parameters of the API that the command takes as options too. */
  readonly parameters?: ApiParameters;
  /** More help, if the words after the command's name ask about something. */
  helpAbout?(words: readonly string[], io: CommandIo): Promise<string | undefined>;
  run(input: Input, io: CommandIo): Promise<void>;
};

export type ApiParameters = {
  /** Parameters that are no options of the same name: the command takes them in another way. */
  readonly except: readonly string[];
  /** Completes the sentence "Also takes …" in the help. */
  readonly doc: string;
  table(): Promise<Table>;
  /** Names that are not in the table: the variables of templates. */
  others?(io: CommandIo): Promise<Iterable<string>>;
};

export type Input = {
  /** The arguments by the names in `takes`, without brackets. One that was left out is not there. */
  readonly given: Readonly<Record<string, string>>;
  /** Options by name; a switch that is on is "true". */
  readonly options: Readonly<Record<string, string>>;
  /** The values of options and arguments that may be given several times, in order. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** The parameters that were given, in order. */
  readonly parameters: ReadonlyMap<string, string>;
};

/** Everything a command uses besides the database. Tests replace it. */
export type CommandIo = {
  config(): Config;
  /** Writes a line of the result to standard output. */
  print(line: string): void;
  /** Writes a line for people to standard error. */
  note(line: string): void;
  writeBytes(bytes: Buffer): Promise<void>;
  /** Reads the first line of standard input; on a terminal it asks for a password. */
  readLine(): Promise<string>;
  /** Standard input. */
  input(): Readable;
  /** Standard error; undefined if it is no terminal. */
  readonly terminal?: Terminal | undefined;
};

export type Terminal = {
  columns(): number;
  /** False also where NO_COLOR is set. */
  colors(): boolean;
  /** Whether standard output is shown on it too. */
  readonly showsOutput: boolean;
  /** Replaces the line at the cursor. It must be shorter than a row. */
  redraw(line: string): void;
};

/** The command was called in a wrong way: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The command did not succeed: its message is one line for the user. Exit code 1. */
export class Failure extends Error {
  override name = 'Failure';
}
