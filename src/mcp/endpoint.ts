// Serves one HTTP request: a fresh server for each, so that any node serves any request.
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Backend } from './backend.ts';
import { createMcpServer } from './server.ts';

/** `body` is the parsed JSON of the request. The signal ends the work when the client has left. */
export function answerMcp(
  { url, headers, body, signal }: { url: string; headers: Headers; body: unknown; signal: AbortSignal },
  backend: Backend,
  version: string,
): Promise<Response> {
  const request = new Request(url, { method: 'POST', headers, signal });
  const { fetch: answer } = createMcpHandler(() => createMcpServer(backend, version));
  return answer(request, { parsedBody: body });
}
