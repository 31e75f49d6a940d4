// tintype mcp: the tools for agents, over standard input and output.
import { resolve } from 'node:path';
import { makeFolder } from '../kernel/folders.ts';
import { type Command, type CommandIo, type Input, UsageError } from './command.ts';
import { stopSignal } from './service.ts';

export const mcpCommands: readonly Command[] = [
  {
    name: 'mcp',
    takes: [],
    options: {
      server: { value: 'URL', doc: 'Renders on this Tintype server instead of this machine.' },
      key: { value: 'KEY', isSecret: true, doc: 'The API key for --server; TINTYPE_KEY if it is not given.' },
      output: { value: 'DIR', doc: 'The folder for the files; a temporary one if it is not given.' },
    },
    doc: 'Serves tools for agents (MCP) on standard input and output, until the client closes them.',
    async run(input, io) {
      const server = readServer(input, io);
      const { output } = input.options;
      if (output !== undefined) makeFolder(output);
      const stop = new AbortController();
      stopSignal().then(() => stop.abort());
      const { serveMcp } = await import('../app/mcp.ts');
      await serveMcp(io.config(), {
        server,
        folder: output && resolve(output),
        note: io.note,
        stop: stop.signal,
      });
    },
  },
];

function readServer({ options }: Input, io: CommandIo) {
  const { server, output } = options;
  if (server === undefined) {
    if (options.key !== undefined) throw new UsageError('--key is for --server URL; this machine needs no key.');
    return undefined;
  }
  if (!/^https?:\/\//i.test(server) || !URL.canParse(server))
    throw new UsageError('--server must be an http or https URL, such as https://shots.example.com.');
  if (output !== undefined) throw new UsageError('-o is for files of this machine; a server gives links.');
  const key = options.key ?? io.config().apiKey;
  if (key === undefined) throw new UsageError('--server needs a key: --key KEY, or the setting TINTYPE_KEY.');
  return { url: server.replace(/\/+$/, ''), key };
}
