// Official MCP clients for the tests, over both transports and of both generations of the protocol.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export type Era = 'handshake' | 'stateless';

const clientOf = (era: Era, name = 'tests'): Client =>
  new Client(
    { name, version: '1' },
    { versionNegotiation: { mode: era === 'stateless' ? { pin: '2026-07-28' } : 'legacy' } },
  );

export async function httpClient(
  url: string,
  headers: Record<string, string> = {},
  era: Era = 'handshake',
  name?: string,
): Promise<Client> {
  const client = clientOf(era, name);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

export const tintype = join(import.meta.dirname, '../../bin/tintype');

// Not the whole environment: vitest puts settings of its own there, BASE_URL for one.
const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
export const plainEnv = { PATH, HOME, TMPDIR, ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' };

/** Starts `tintype mcp` with these words and settings. */
export async function stdioClient(
  words: readonly string[] = [],
  env: Record<string, string> = {},
  era: Era = 'handshake',
  name?: string,
): Promise<Client> {
  const client = clientOf(era, name);
  const args = ['mcp', ...words];
  await client.connect(
    new StdioClientTransport({ command: tintype, args, env: { ...plainEnv, ...env }, stderr: 'pipe' }),
  );
  return client;
}

type Block = CallToolResult['content'][number];

/** The text blocks, in order. */
export const textsOf = ({ content }: CallToolResult): string[] =>
  content.flatMap((block: Block) => (block.type === 'text' ? [block.text] : []));

export const imagesOf = ({ content }: CallToolResult): { bytes: Buffer; type: string; base64: string }[] =>
  content.flatMap((block: Block) =>
    block.type === 'image'
      ? [{ bytes: Buffer.from(block.data, 'base64'), type: block.mimeType, base64: block.data }]
      : [],
  );

export const factsOf = ({ structuredContent }: CallToolResult): Record<string, unknown> =>
  (structuredContent ?? {}) as Record<string, unknown>;

/** What a model pays for a result: its texts, its data, and pictures by their area. */
export const sizeOf = (result: CallToolResult): number => Buffer.byteLength(JSON.stringify(result));
