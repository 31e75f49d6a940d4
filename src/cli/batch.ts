// tintype batch: many pages, cards and texts into a folder.
import { type Command, type Input, UsageError } from './command.ts';
import { loginOptions, readLogin } from './login-options.ts';
import { placeOptions } from './render-place.ts';

const mostAtOnce = 64;

export const batchCommand: Command = {
  name: 'batch',
  takes: ['FILE'],
  options: {
    output: { value: 'DIR', isRequired: true, doc: 'The folder for the files and results.jsonl.' },
    'at-once': {
      value: 'N',
      doc: `How many are rendered at once, 1 to ${mostAtOnce}. The default is RENDERS_AT_ONCE.`,
    },
    ...loginOptions,
    ...placeOptions,
  },
  parameters: {
    except: ['url', 'html', 'markdown', 'headers', 'cookies', 'basicAuth'],
    doc: 'every parameter of /v1/screenshot, for every line that does not set it: --width 800 --format pdf',
    table: async () => (await import('../capture/parameters.ts')).screenshotParameters,
  },
  doc: 'Renders each line of a file, a URL or a JSON object; - is standard input. Run again, it skips what is done and retries what failed.',
  async run(input, io) {
    const folder = input.options.output;
    if (folder === undefined) throw new UsageError('The folder is missing: -o DIR.');
    const file = input.given.FILE ?? '';
    const atOnce = readAtOnce(input);
    await checkParameters(input);
    if (file === '-') checkInputIsFree(input);
    const login = await readLogin(input, io);
    const { runBatch } = await import('./batch/run.ts');
    const shared = { parameters: input.parameters, login };
    await runBatch({ file, folder, atOnce, shared, options: input.options }, io);
  },
};

function readAtOnce({ options }: Input): number | undefined {
  const text = options['at-once'];
  if (text === undefined) return undefined;
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > mostAtOnce)
    throw new UsageError(`--at-once must be a whole number from 1 to ${mostAtOnce}.`);
  return number;
}

/** Once, instead of an error for each line. */
async function checkParameters({ parameters }: Input): Promise<void> {
  const { screenshotParameters } = await import('../capture/parameters.ts');
  for (const [name, value] of parameters) {
    const { kind } = screenshotParameters[name as keyof typeof screenshotParameters];
    if (kind.parse(value) === undefined) throw new UsageError(`--${name} must be ${kind.expects}.`);
  }
}

function checkInputIsFree({ options, lists }: Input): void {
  const asks = options['basic-auth']?.includes(':') === false;
  if (asks || [...(lists.header ?? []), ...(lists.cookie ?? [])].includes('@-'))
    throw new UsageError('The lines come from standard input, so the login may not. Give a password or a file.');
}
