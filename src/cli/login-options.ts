// --header, --cookie and --basic-auth: what a page behind a login needs. No message contains their values.
import { type CommandIo, type CommandOptions, type Input, UsageError } from './command.ts';
import { readText } from './read-text.ts';

const fromFile = '@FILE reads one from each line, so that `ps` does not show it.';

export const loginOptions: CommandOptions = {
  header: {
    value: "'NAME: VALUE'",
    repeats: true,
    isSecret: true,
    doc: `Sends this header to the origin of URL, and to no other. ${fromFile}`,
  },
  cookie: {
    value: "'NAME=VALUE'",
    repeats: true,
    isSecret: true,
    doc: `Sets this cookie for the host of URL. ${fromFile}`,
  },
  'basic-auth': {
    value: 'USER[:PASSWORD]',
    isSecret: true,
    doc: 'User name and password for the origin of URL. Without a password it asks for one, or reads a line of standard input.',
  },
};

/** As parameters of the API. */
export async function readLogin({ options, lists }: Input, io: CommandIo): Promise<Map<string, string>> {
  const parameters = new Map<string, string>();
  const headers = (await readLines(lists.header, io)).map((line) => pair(line, ':', '--header', "'Name: value'"));
  if (headers.length > 0) {
    const names = new Set(headers.map(([name]) => name.toLowerCase()));
    if (names.size < headers.length) throw new UsageError('--header names a header twice; give each once.');
    parameters.set('headers', JSON.stringify(Object.fromEntries(headers)));
  }
  const cookies = (await readLines(lists.cookie, io)).map((line) => pair(line, '=', '--cookie', "'name=value'"));
  if (cookies.length > 0) parameters.set('cookies', JSON.stringify(cookies.map(([name, value]) => ({ name, value }))));
  const basicAuth = options['basic-auth'];
  if (basicAuth !== undefined) {
    const at = basicAuth.indexOf(':');
    const [username, password] =
      at < 0 ? [basicAuth, await io.readLine()] : [basicAuth.slice(0, at), basicAuth.slice(at + 1)];
    parameters.set('basicAuth', JSON.stringify({ username, password }));
  }
  return parameters;
}

/** The values, and the lines of the files that `@FILE` names. No header and no cookie begins with "@". */
async function readLines(values: readonly string[] = [], io: CommandIo): Promise<string[]> {
  const lines = values.map(async (value) => {
    if (!value.startsWith('@')) return [value];
    return (await readText(value.slice(1), io)).split(/\r?\n/).filter((line) => line.trim() !== '');
  });
  return (await Promise.all(lines)).flat();
}

function pair(text: string, separator: string, option: string, form: string): [name: string, value: string] {
  const at = text.indexOf(separator);
  const name = text.slice(0, Math.max(0, at)).trim();
  if (name === '') throw new UsageError(`${option} must be ${form}, in quotes.`);
  return [name, text.slice(at + 1).trim()];
}
