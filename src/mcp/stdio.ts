// Serves the tools on standard input and output, until the client closes them.
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Backend } from './backend.ts';
import { createMcpServer } from './server.ts';

/** Resolves when the input has ended, or the signal says so. Calls under way are cancelled then. */
export async function serveOnStdio(backend: Backend, version: string, stop: AbortSignal): Promise<void> {
  const transport = new StdioServerTransport();
  const handle = serveStdio(() => createMcpServer(backend, version), { transport });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    resolve();
  };
  stop.addEventListener('abort', () => void handle.close(), { once: true });
  await closed;
}
