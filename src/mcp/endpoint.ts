// Serves one HTTP request: a fresh server for each, so that any node serves any request.
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Backend } from './backend.ts';
import { isBlocksOnlySession, sessionFor } from './client-kinds.ts';
import { createMcpServer } from './server.ts';

export type McpRequest = {
  readonly id: string;
  readonly url: string;
  readonly headers: Headers;
  /** The parsed JSON. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Ends the work when the client has left. */
  readonly signal: AbortSignal;
};

export async function answerMcp(
  { id, url, headers, body, signal }: McpRequest,
  backend: Backend,
  version: string,
): Promise<Response> {
  const request = new Request(url, { method: 'POST', headers, signal });
  const blocksOnly = isBlocksOnlySession(headers.get('mcp-session-id'));
  const { fetch: answer } = createMcpHandler(() => createMcpServer(backend, version, blocksOnly));
  const response = await answer(request, { parsedBody: body });
  const session = sessionFor(body, id);
  if (session !== undefined) response.headers.set('mcp-session-id', session);
  return response;
}
