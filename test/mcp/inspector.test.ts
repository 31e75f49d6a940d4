// The command line of the MCP inspector, which is installed into a temporary folder: it has 90 MB.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../harness/service.ts';
import { plainEnv, tintype } from './clients.ts';

const run = promisify(execFile);
const version = '2.12.0';
let folder: string;
let service: Service;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-inspector-'));
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--prefix', folder];
  await run('npm', ['install', ...flags, `@modelcontextprotocol/inspector@${version}`], { cwd: folder });
  service = await startService();
  ({ key } = await service.customer('pro'));
}, 300_000);

afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The exit code of the inspector, and what it prints on standard output. */
async function inspect(target: readonly string[], ...words: string[]): Promise<{ code: number; result: Result }> {
  const bin = join(folder, 'node_modules/.bin/mcp-inspector');
  const { code, stdout } = await run(process.execPath, [bin, '--cli', ...target, '--format', 'json', ...words], {
    cwd: folder,
    // It keeps its settings in the home folder.
    env: { ...plainEnv, HOME: folder },
    maxBuffer: 4e6,
  }).then(
    (done) => ({ code: 0, stdout: done.stdout }),
    (error) => ({ code: error.code, stdout: String(error.stdout) }),
  );
  return { code, ...JSON.parse(stdout) };
}
type Result = {
  tools?: { name: string }[];
  content: { type: string }[];
  isError?: boolean;
  structuredContent: Record<string, unknown>;
};

const names = ['screenshot', 'read_page', 'pdf', 'og_card', 'og_templates'];

describe.each(['stdio', 'http'] as const)('over %s', (transport) => {
  const target = () =>
    transport === 'stdio' ? [tintype, 'mcp'] : [`${service.url}/mcp`, '--header', `X-API-Key: ${key}`];

  it('the inspector lists the tools, and finds nothing wrong with their schemas', async () => {
    const { code, result } = await inspect(target(), '--method', 'tools/list', '--strict');
    // 6 if a schema is not portable.
    expect([code, result.tools?.map(({ name }) => name)]).toEqual([0, names]);
  });

  it('it takes a screenshot, and is told what is wrong with one', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'screenshot', '--tool-arg', 'html=<h1>Hello</h1>'];
    const { result } = await inspect(target(), ...call, 'width=400', 'height=200');
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image']);
    expect(result.structuredContent).toMatchObject({ width: 400, height: 200, tiles: 1 });
    const { result: wrong } = await inspect(target(), ...call, 'width=0');
    expect([wrong.isError, wrong.structuredContent.code]).toEqual([true, 'invalid_parameter']);
  });
});
