// `tintype mcp` as agents start it: a process of its own, with the official client. stdio-renders.test.ts renders with it.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { factsOf, imagesOf, plainEnv, stdioClient, textsOf, tintype } from './clients.ts';

let client: Client;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-mcp-'));
  client = await stdioClient(['-o', folder]);
});
afterAll(async () => {
  await client?.close();
  await rm(folder, { recursive: true, force: true });
});

const call = (by: Client, name: string, given: Record<string, unknown>) => by.callTool({ name, arguments: given });

it('the tools work without key and server', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['screenshot', 'read_page', 'pdf', 'og_card', 'og_templates']);
  const card = await call(client, 'og_card', { template: 'quote', variables: { title: 'Hello' } });
  expect(imagesOf(card)).toHaveLength(1);
});

it('a failure is isError with the code of the API, and private addresses are refused', async () => {
  for (const [given, code] of [
    [{ url: 'http://10.0.0.1/' }, 'target_refused'],
    [{ url: 'http://127.0.0.1/', nothing: 1 }, 'invalid_parameter'],
  ] as const) {
    const result = await call(client, 'screenshot', given);
    expect([result.isError, factsOf(result).code]).toEqual([true, code]);
  }
});

it('a client that speaks the newest protocol is served too', async () => {
  const modern = await stdioClient([], {}, 'stateless', 'claude-code');
  expect(modern.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  const templates = await call(modern, 'og_templates', {});
  expect(textsOf(templates)[0]).toContain('quote: ');
  // This client would show a model nothing else.
  expect(templates.structuredContent).toBeUndefined();
  await modern.close();
});

it('requests that a script pipes in are all answered, though the input ends at once', async () => {
  const child = spawn(tintype, ['mcp', '-o', folder], { env: plainEnv, stdio: ['pipe', 'pipe', 'inherit'] });
  const clientInfo = { name: 'script', version: '1' };
  const requests = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'og_templates', arguments: {} } },
    { id: 4, method: 'tools/call', params: { name: 'og_card', arguments: { template: 'quote' } } },
  ];
  child.stdin.end(requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join(''));
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([code, answers.map(({ id }) => id).sort()]).toEqual([0, [1, 2, 3, 4]]);
});

it('says what is wrong with its options', async () => {
  const run = async (...words: string[]) => {
    const child = spawn(tintype, ['mcp', ...words], { env: plainEnv, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, note] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (note += chunk));
    return [await new Promise((resolve) => child.once('close', resolve)), out, note.trim()];
  };
  expect(
    await Promise.all([run('--server', 'shots'), run('--server', 'http://127.0.0.1:1'), run('--key', 'x')]),
  ).toEqual([
    [2, '', '--server must be an http or https URL, such as https://shots.example.com.'],
    [2, '', '--server needs a key: --key KEY, or the setting TINTYPE_KEY.'],
    [2, '', '--key is for --server URL; this machine needs no key.'],
  ]);
});
