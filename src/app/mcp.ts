// `tintype mcp`: the tools on standard input and output, rendered on this machine or by a server.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { createRemoteBackend } from '../mcp/remote-backend.ts';
import type { RemoteServer } from '../mcp/remote-server.ts';
import { serveOnStdio } from '../mcp/stdio.ts';
import { createLocalBackend } from './local-backend.ts';
import { openLocalRenderer } from './local-renderer.ts';

type McpOptions = {
  /** Renders instead of this machine. */
  readonly server?: RemoteServer | undefined;
  /** An existing folder for the files; a temporary one if it is not given. */
  readonly folder?: string | undefined;
  /** Standard output belongs to the protocol. */
  readonly note: (line: string) => void;
  readonly stop: AbortSignal;
};

export async function serveMcp(config: Config, { server, folder, note, stop }: McpOptions): Promise<void> {
  const onDefect = (error: unknown) => note(`Unexpected error: ${(error as Error).stack ?? error}`);
  const { version } = packageJson;
  if (server !== undefined) return serveOnStdio(createRemoteBackend(server, onDefect), version, stop);
  const renderer = openLocalRenderer(config, config.rendersAtOnce);
  let temporary = folder;
  const target = () => (temporary ??= mkdtempSync(join(tmpdir(), 'tintype-')));
  try {
    await serveOnStdio(createLocalBackend(renderer, target, onDefect), version, stop);
  } finally {
    await renderer.stop();
  }
}
