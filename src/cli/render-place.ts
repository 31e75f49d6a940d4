// Where a command renders: on this machine, or on the server that --server names.
import type { LocalOptions } from '../app/local-renderer.ts';
import type { RemoteServer } from '../mcp/remote-server.ts';
import type { RenderOutput } from '../render/executor.ts';
import type { Endpoint } from '../render/validated-request.ts';
import type { CommandIo, CommandOptions, Input } from './command.ts';
import { readServer, serverOptions } from './server-options.ts';

export const placeOptions: CommandOptions = {
  ...serverOptions,
  'allow-private': { doc: 'Allows private addresses, such as http://localhost:3000, for this command.' },
};

/** What a command needs of a result. */
export type Made = Pick<RenderOutput, 'bytes' | 'warnings' | 'verdict'> & {
  /** A media type, or the name of a format. */
  readonly type: string;
  readonly width?: number;
  readonly height?: number;
  readonly pages?: number;
  readonly page?: { readonly status: number };
};

export type RenderPlace = {
  /** Throws what the API replies with. */
  render(endpoint: Endpoint, parameters: ReadonlyMap<string, string>, options?: LocalOptions): Promise<Made>;
  stop(): Promise<void>;
};

export async function openRenderPlace(
  input: Pick<Input, 'options'>,
  io: CommandIo,
  atOnce?: number,
): Promise<RenderPlace> {
  const server = readServer(input, io);
  return server === undefined ? openHere(input, io, atOnce) : openThere(server);
}

async function openHere({ options }: Pick<Input, 'options'>, io: CommandIo, atOnce?: number): Promise<RenderPlace> {
  const { openLocalRenderer } = await import('../app/local-renderer.ts');
  const { storedContent, textMediaType } = await import('../content/stored-text.ts');
  const config = io.config();
  const allowed = options['allow-private'] ? { ...config, allowPrivateTargets: everyNetwork } : config;
  const renderer = openLocalRenderer(allowed, atOnce);
  return {
    async render(endpoint, parameters, how) {
      const { request, output } = await renderer.render(endpoint, parameters, how);
      if (request.text === undefined) return output;
      // A text is rendered with the facts about it, and written without them.
      const content = storedContent(output.bytes, request.text.maxChars, request.text.format);
      return { ...output, bytes: content, type: textMediaType(request.text.format) };
    },
    stop: renderer.stop,
  };
}

async function openThere(server: RemoteServer): Promise<RenderPlace> {
  const { createRemoteBackend } = await import('../mcp/remote-backend.ts');
  const backend = createRemoteBackend(server, () => {});
  const never = new AbortController();
  return {
    async render(endpoint, parameters, { signal = never.signal } = {}) {
      const { facts, bytes } = await backend.render({ endpoint, parameters, continues: false, signal });
      return { ...facts, type: facts.format, bytes: await bytes() };
    },
    stop: async () => {},
  };
}

/** Cloud metadata services stay refused. */
const everyNetwork = ['0.0.0.0/0', '::/0'];
