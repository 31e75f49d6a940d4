// --json: what a command says to people, as data for programs.
import type { Input, Option } from './command.ts';

export const jsonOption: Option = { doc: 'As JSON.' };

/** The sentence, or with --json the data. */
export const sentenceOrJson = (
  { options }: Pick<Input, 'options'>,
  sentence: string,
  data: Readonly<Record<string, unknown>>,
) => (options.json ? JSON.stringify(data, null, 2) : sentence);
