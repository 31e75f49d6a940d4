// Finds the command, runs it, and turns errors into one line and an exit code.
import packageJson from '../../package.json' with { type: 'json' };
import { errorTable, Problem } from '../kernel/errors.ts';
import { redact } from '../kernel/log.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import { accountCommands } from './accounts.ts';
import { parameterOptions, readArguments } from './arguments.ts';
import { batchCommand } from './batch.ts';
import { type Command, type CommandIo, UsageError } from './command.ts';
import { completionCommand } from './completion.ts';
import { commandList, helpFor, overview } from './help.ts';
import { keyCommands } from './keys.ts';
import { mcpCommands } from './mcp.ts';
import { renderCommands } from './renders.ts';
import { secretCommand } from './secret.ts';
import { serveCommand, serviceCommands } from './service.ts';
import { templateCommands } from './templates.ts';
import { transferCommands } from './transfer.ts';

export const commands: readonly Command[] = [
  serveCommand,
  ...accountCommands,
  ...keyCommands,
  ...renderCommands,
  batchCommand,
  ...templateCommands,
  ...mcpCommands,
  ...transferCommands,
  secretCommand,
  ...serviceCommands,
  completionCommand(() => commands),
];

export type ExitCode = 0 | 1 | 2;

export async function main(words: readonly string[], io: CommandIo): Promise<ExitCode> {
  try {
    await dispatch(words, io);
    return 0;
  } catch (error) {
    const line = inOneLine(error, io);
    if (line !== '') io.note(line);
    return isWrongUse(error) ? 2 : 1;
  }
}

const wrongValues = new Set(['invalid_parameter', 'missing_parameter', 'template_not_found']);

const isWrongUse = (error: unknown): boolean =>
  error instanceof UsageError || (error instanceof Problem && wrongValues.has(error.code));

async function dispatch(words: readonly string[], io: CommandIo): Promise<void> {
  const [first = ''] = words;
  if (first === '--version' || first === 'version') return io.print(packageJson.version);
  const asksForHelp = words.includes('--help') || words.includes('-h') || first === 'help';
  const name = words.filter((word) => !['--help', '-h', 'help'].includes(word));
  // The last one: `templates push` comes after `templates`.
  const command = commands.findLast((each) => startsWith(name, each.name.split(' ')));
  if (command !== undefined && asksForHelp) {
    const about = await command.helpAbout?.(name.slice(command.name.split(' ').length), io);
    const more = commands.filter((each) => each.name.startsWith(`${command.name} `));
    const parts = [await helpFor(command), about, more.length > 0 ? commandList(more) : undefined];
    return io.print(parts.filter((text) => text !== undefined).join('\n\n'));
  }
  const family = commands.filter((each) => name[0] !== undefined && each.name.startsWith(`${name[0]} `));
  if (asksForHelp) return io.print(family.length > 0 ? commandList(family) : overview(commands));
  if (command === undefined) throw unknownCommand(name, family);
  const parameters = await parameterOptions(command.parameters, io);
  await command.run(readArguments(command, parameters, words.slice(command.name.split(' ').length)), io);
}

const startsWith = (words: readonly string[], name: readonly string[]): boolean =>
  name.every((part, i) => words[i] === part);

function unknownCommand(words: readonly string[], family: readonly Command[]): UsageError {
  if (words.length === 0) return new UsageError('A command is missing. tintype --help lists the commands.');
  if (family.length > 0)
    return new UsageError(`"${words[0]}" needs one of ${family.map((each) => each.name.split(' ')[1]).join(', ')}.`);
  const meant = nearestName(words[0] ?? '', new Set(commands.map((each) => each.name.split(' ')[0] ?? '')));
  return new UsageError(
    `There is no command "${words[0]}". ${meant === undefined ? 'tintype --help lists the commands.' : `Did you mean ${meant}?`}`,
  );
}

/** On the command line it is the owner's own machine. */
const privateHint =
  ' If it is yours, allow it for this command with --allow-private, or always with ALLOW_PRIVATE_TARGETS.';

/** Of the refused targets only these can be allowed: no wrong URL, no port that browsers do not open, no cloud metadata. */
const canBeAllowed = /not public(?! \((cloud metadata|an IPv4 address inside))/;

function inOneLine(error: unknown, io: CommandIo): string {
  const { message, cause } = error as Error;
  if (cause !== undefined && message === errorTable.storage_unavailable.text)
    return redact(databaseFailure((cause as Error).message, io));
  const hint =
    error instanceof Problem && error.code === 'target_refused' && canBeAllowed.test(message) ? privateHint : '';
  return redact(message + hint);
}

/** The operator needs the reason, and where to look. */
function databaseFailure(reason: string, io: CommandIo): string {
  const { databaseUrl, dataDir } = io.config();
  const files = /locked/.test(reason)
    ? 'Try again shortly.'
    : `Check the disk of ${dataDir} and the permissions of its files.`;
  return `The database does not answer: ${reason}. ${databaseUrl === undefined ? files : 'Is DATABASE_URL right?'}`;
}
