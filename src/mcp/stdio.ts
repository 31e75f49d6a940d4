// Serves the tools on standard input and output, until the client closes them.
import { finished, PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Backend } from './backend.ts';
import { createMcpServer } from './server.ts';

/** Resolves when the input has ended and its requests are answered, or when the signal aborts, which cancels the calls. */
export async function serveOnStdio(backend: Backend, version: string, stop: AbortSignal): Promise<void> {
  const input = new PassThrough();
  const transport = new StdioServerTransport(input);
  const handle = serveStdio(() => createMcpServer(backend, version), { transport });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    resolve();
  };
  stop.addEventListener('abort', () => void handle.close(), { once: true });
  endWhenAnswered(transport, input);
  await closed;
  process.stdin.unpipe(input).pause();
}

/**
 * The transport cancels all calls when its input ends. A script that pipes its requests in ends the input at once and
 * waits for the answers, so the transport sees the end only after the last answer.
 */
function endWhenAnswered(transport: StdioServerTransport, input: PassThrough): void {
  const unanswered = new Set<unknown>();
  let ended = false;
  const endIfAnswered = () => {
    if (ended && unanswered.size === 0) input.end();
  };
  const answered = (id: unknown) => {
    unanswered.delete(id);
    endIfAnswered();
  };
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    if ('method' in message) {
      // A subscription is not answered: it lasts as long as the connection.
      if ('id' in message && message.method !== 'subscriptions/listen') unanswered.add(message.id);
      if (message.method === 'notifications/cancelled') answered(message.params?.requestId);
    }
    onmessage?.(message);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if (!('method' in message)) answered(message.id);
  };
  process.stdin.pipe(input, { end: false });
  finished(process.stdin, { writable: false }, () => {
    ended = true;
    // What was read last may still be on its way through the pipe.
    setImmediate(endIfAnswered);
  });
}
