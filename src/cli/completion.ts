// tintype completion SHELL: completes commands, options and parameters. The script is made from the table of commands and
// needs no Node while the user types.

import { parameterOptions, written } from './arguments.ts';
import { type Command, type CommandIo, UsageError } from './command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  takes: ['SHELL'],
  options: {},
  doc: `Prints the completion script for ${shells.join(', ')}: eval "$(tintype completion bash)"`,
  async run({ given }, io) {
    const shell = shells.find((name) => name === given.SHELL);
    if (shell === undefined) throw new UsageError(`SHELL must be one of ${shells.join(', ')}.`);
    const words = await Promise.all(
      commands().map(async (command) => [command.name, await optionsOf(command, io)] as const),
    );
    io.print(shell === 'fish' ? fishScript(words) : bashScript(words, shell));
  },
});

type Words = readonly (readonly [name: string, options: readonly string[]])[];

async function optionsOf(command: Command, io: CommandIo): Promise<string[]> {
  const options = { ...(await parameterOptions(command.parameters, io)), ...command.options };
  return Object.keys(options).flatMap((name) => {
    const short = written(name, undefined);
    return short === `--${name}` ? [short] : [short, `--${name}`];
  });
}

/** The first words of commands, and the second words of those that have two. */
function firstAndSecond(words: Words): [first: string[], second: [first: string, rest: string[]][]] {
  const names = words.map(([name]) => name.split(' '));
  const first = [...new Set(names.map(([word = '']) => word))];
  const second = first
    .map((word): [string, string[]] => [
      word,
      names.flatMap(([head, tail]) => (head === word && tail !== undefined ? [tail] : [])),
    ])
    .filter(([, rest]) => rest.length > 0);
  return [first, second];
}

function bashScript(words: Words, shell: 'bash' | 'zsh'): string {
  const [first, second] = firstAndSecond(words);
  return [
    ...(shell === 'zsh' ? ['autoload -Uz compinit bashcompinit && compinit && bashcompinit'] : []),
    '_tintype() {',
    `  local word="\${COMP_WORDS[COMP_CWORD]}" choices=`,
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    choices="${[...first, 'help'].join(' ')}"`,
    '  elif [[ "$word" == -* ]]; then',
    `    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in`,
    ...[...words]
      .sort(longerFirst)
      .map(([name, options]) => `      ${pattern(name)}) choices="${[...options, '--help'].join(' ')}" ;;`),
    '    esac',
    '  elif [ "$COMP_CWORD" -eq 2 ]; then',
    `    case "\${COMP_WORDS[1]}" in`,
    ...second.map(([word, rest]) => `      ${word}) choices="${rest.join(' ')}" ;;`),
    '    esac',
    '  fi',
    '  if [ -n "$choices" ]; then COMPREPLY=($(compgen -W "$choices" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi',
    '}',
    'complete -o filenames -F _tintype tintype',
  ].join('\n');
}

/** The first pattern that matches counts: `templates push` before `templates`. */
const longerFirst = ([one]: Words[number], [other]: Words[number]): number =>
  other.split(' ').length - one.split(' ').length;

/** Of the first two words. A command of one word has anything as the second. */
const pattern = (name: string): string => (name.includes(' ') ? `"${name}"` : `"${name} "*`);

function fishScript(words: Words): string {
  const [first, second] = firstAndSecond(words);
  const after = (name: string) =>
    name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
  return [
    `complete -c tintype -n __fish_use_subcommand -f -a "${first.join(' ')}"`,
    ...second.map(([word, rest]) => `complete -c tintype -n "${after(word)}" -f -a "${rest.join(' ')}"`),
    ...words.flatMap(([name, options]) =>
      options
        .filter((option) => option.startsWith('--'))
        .map((option) => `complete -c tintype -n "${after(name)}" -l ${option.slice(2)}`),
    ),
  ].join('\n');
}
