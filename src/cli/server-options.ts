// --server and --key: a running Tintype renders instead of this machine.
import type { RemoteServer } from '../mcp/remote-server.ts';
import { type CommandIo, type CommandOptions, type Input, UsageError } from './command.ts';

export const serverOptions: CommandOptions = {
  server: {
    value: 'URL',
    doc: 'Renders on this Tintype server instead of this machine; TINTYPE_SERVER if it is not given.',
  },
  key: { value: 'KEY', isSecret: true, doc: 'The API key for --server; TINTYPE_KEY if it is not given.' },
};

/** Undefined: this machine renders. */
export function readServer({ options }: Pick<Input, 'options'>, io: CommandIo): RemoteServer | undefined {
  const config = io.config();
  const server = options.server ?? config.serverUrl;
  if (server === undefined) {
    if (options.key !== undefined) throw new UsageError('--key is for --server URL; this machine needs no key.');
    return undefined;
  }
  if (!/^https?:\/\//i.test(server) || !URL.canParse(server))
    throw new UsageError('--server must be an http or https URL, such as https://shots.example.com.');
  const key = options.key ?? config.apiKey;
  if (key === undefined) throw new UsageError('--server needs a key: --key KEY, or the setting TINTYPE_KEY.');
  return { url: server.replace(/\/+$/, ''), key };
}
