// tintype mcp: the tools for agents, over standard input and output.
import { resolve } from 'node:path';
import { makeFolder } from '../kernel/folders.ts';
import { type Command, UsageError } from './command.ts';
import { readServer, serverOptions } from './server-options.ts';
import { stopSignal } from './stop-signal.ts';

export const mcpCommands: readonly Command[] = [
  {
    name: 'mcp',
    takes: [],
    options: {
      ...serverOptions,
      output: { value: 'DIR', doc: 'The folder for the files; a temporary one if it is not given.' },
    },
    doc: 'Serves tools for agents (MCP) on standard input and output, until the client closes them.',
    async run(input, io) {
      const server = readServer(input, io);
      const { output } = input.options;
      if (output !== undefined && server !== undefined)
        throw new UsageError('-o is for files of this machine; a server gives links.');
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
