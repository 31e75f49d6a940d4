// Runs tintype batch as a person does, against a site on this machine.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { colourPage, type Site, startSite } from '../harness/site.ts';

export const bin = join(import.meta.dirname, '../../bin/tintype');

export type BatchRow = {
  line: number;
  status: string;
  file: string;
  error: { code: string; error: string };
  [name: string]: unknown;
};

type RunOptions = { readonly stdin?: string; readonly env?: Record<string, string> };

export type BatchHarness = Awaited<ReturnType<typeof openBatchHarness>>;

export async function openBatchHarness() {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-batch-'));
  const at = (name: string) => join(folder, name);
  const site: Site = await startSite({
    '/': colourPage('#336699'),
    '/gone': { status: 410, body: '<h1>Gone</h1>' },
    '/text': '<title>Title</title><h1>Title</h1><p>Some words.',
    ...Object.fromEntries(['/1', '/2', '/3'].map((path) => [path, colourPage('#00ff00', path)])),
  });
  // vite puts a BASE_URL of its own into the environment of tests.
  const env = { ...process.env, BASE_URL: '', DATA_DIR: at('data'), ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' };
  const start = (args: string[], { stdin = '', env: more = {} }: RunOptions = {}) => {
    const child = spawn(bin, ['batch', ...args], { cwd: folder, env: { ...env, ...more } });
    child.stdin.end(stdin);
    return { child, ended: outputOf(child) };
  };
  return {
    folder,
    at,
    site,
    env,
    start,
    run: (args: string[], options?: RunOptions) => start(args, options).ended,
    /** The rows of results.jsonl, in the order of their lines. */
    async rows(dir: string): Promise<BatchRow[]> {
      const text = await readFile(at(`${dir}/results.jsonl`), 'utf8').catch(() => '');
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as BatchRow)
        .sort((a, b) => a.line - b.line);
    },
    async close() {
      await site.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function outputOf(child: ChildProcessWithoutNullStreams) {
  const [out, notes] = [child.stdout, child.stderr].map(async (stream) =>
    Buffer.concat(await stream.toArray().catch(() => [])).toString(),
  );
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out: (await out) ?? '', notes: (await notes) ?? '' };
}
