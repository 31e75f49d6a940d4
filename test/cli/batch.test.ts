// tintype batch, called as a person calls it: in a pipe and on a terminal, killed and interrupted.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { loadConfig } from '../../src/config.ts';
import { startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

// Each run starts a browser of its own.
vi.setConfig({ testTimeout: 120_000 });

const bin = join(import.meta.dirname, '../../bin/tintype');
let site: Site;
let folder: string;
const at = (name: string) => join(folder, name);
/** Requests for /slow are held until the test lets them go. */
let letGo: (() => void)[] = [];

beforeAll(async () => {
  site = await startSite({
    '/': colourPage('#336699'),
    '/gone': { status: 410, body: '<h1>Gone</h1>' },
    '/text': '<title>Title</title><h1>Title</h1><p>Some words.',
    '/slow': (_, response) => void letGo.push(() => response.setHeader('content-type', 'text/html').end('<h1>Slow')),
    ...Object.fromEntries(['/1', '/2', '/3'].map((path) => [path, colourPage('#00ff00', path)])),
  });
  folder = await mkdtemp(join(tmpdir(), 'tintype-batch-'));
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

// vite puts a BASE_URL of its own into the environment of tests.
const environment = () => ({
  ...process.env,
  BASE_URL: '',
  DATA_DIR: at('data'),
  ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
});

function start(args: string[], { stdin = '', env = {} }: { stdin?: string; env?: Record<string, string> } = {}) {
  const child = spawn(bin, ['batch', ...args], { cwd: folder, env: { ...environment(), ...env } });
  child.stdin.end(stdin);
  return { child, ended: outputOf(child) };
}
const run = (...given: Parameters<typeof start>) => start(...given).ended;

async function outputOf(child: ChildProcessWithoutNullStreams) {
  const [out, notes] = [child.stdout, child.stderr].map(async (stream) =>
    Buffer.concat(await stream.toArray().catch(() => [])).toString(),
  );
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out: (await out) ?? '', notes: (await notes) ?? '' };
}

type Row = {
  line: number;
  status: string;
  file: string;
  error: { code: string; error: string };
  [name: string]: unknown;
};
async function rows(dir: string): Promise<Row[]> {
  const text = await readFile(at(`${dir}/results.jsonl`), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
    .sort((a, b) => a.line - b.line);
}
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50);
}

describe('a run in a pipe', () => {
  const lines = () =>
    [
      '# pages',
      `${site.url}/`,
      '',
      `  ${site.url}/gone\r`,
      `{"url": "${site.url}/", "format": "pdf", "width": null}`,
      '{"template": "quote", "title": "Simple is not easy"}',
      `{"kind": "content", "url": "${site.url}/text"}`,
      '{"html": "<body style=background:#f00><h1>Red</h1>", "width": 120}',
      `${site.url}/`,
      'nonsense',
      `{"url": "${site.url}/", "fulPage": true}`,
      `{"url": "${site.url}/", "width": "800"}`,
      '{"url": ',
      '{"kind": "video"}',
      'http://10.0.0.1/',
      `{"html": "${'x'.repeat(4_000_001)}"}`,
    ].join('\n');

  it('writes a file and a row for each line, and says what is wrong with a line by its number', async () => {
    await writeFile(at('lines.txt'), lines());
    const { code, out, notes } = await run([
      'lines.txt',
      '-o',
      'all',
      '--width',
      '300',
      '--height=200',
      '--at-once',
      '2',
    ]);
    expect({ code, notes }).toEqual({
      code: 1,
      notes:
        '7 done (1 with a verdict other than ok), 7 failed. Results: all/results.jsonl\nRun the same command again to retry what failed.\n',
    });
    const found = await rows('all');
    const done = found.filter(({ status }) => status === 'done');
    expect(done.map(({ line, file }) => [line, file.replace(/[0-9a-f]{12}/, '…')])).toEqual([
      [2, `127.0.0.1-${site.port}-….png`],
      [4, `127.0.0.1-${site.port}-gone-….png`],
      [5, `127.0.0.1-${site.port}-….pdf`],
      [6, 'quote-simple-is-not-easy-….png'],
      [7, `127.0.0.1-${site.port}-text-….md`],
      [8, 'html-….png'],
      [9, `127.0.0.1-${site.port}-…-2.png`],
    ]);
    expect(done[1]).toMatchObject({
      url: `${site.url}/gone`,
      type: 'image/png',
      httpStatus: 410,
      verdict: { ok: false, codes: ['http_error'] },
      ms: expect.any(Number),
    });
    const content = (line: number) => readFile(at(`all/${done.find((row) => row.line === line)?.file}`));
    expect(await sharp(await content(2)).metadata()).toMatchObject({ format: 'png', width: 300, height: 200 });
    expect(await sharp(await content(8)).metadata()).toMatchObject({ width: 120, height: 200 });
    expect((await content(5)).subarray(0, 5).toString()).toBe('%PDF-');
    expect((await content(7)).toString()).toContain('Some words.');
    const failed = found
      .filter(({ status }) => status === 'failed')
      .map(({ line, error }) => [line, error.code, error.error]);
    expect(failed).toEqual([
      [10, 'invalid_parameter', expect.stringContaining('url must be an http or https URL')],
      [11, 'invalid_parameter', 'There is no parameter fulPage for screenshot. Did you mean fullPage?'],
      [12, 'invalid_parameter', expect.stringMatching(/^width must be .*; in JSON it is a number\.$/)],
      [13, 'invalid_body', 'The line is not JSON.'],
      [14, 'invalid_parameter', 'kind must be one of screenshot, og, content.'],
      [15, 'target_refused', expect.stringContaining('10.0.0.1')],
      [16, 'invalid_body', 'The line has more than 4 MB.'],
    ]);
    expect(out.trim().split('\n')).toHaveLength(14);
    expect(out).toMatch(/^line 4: \S+, \d+ ms, verdict http_error$/m);
    expect(out).toMatch(/^line 13 failed: invalid_body: The line is not JSON\.$/m);
    expect(await readdir(at('all'))).toHaveLength(8);
  });

  it('skips what is done, and renders again what failed, what was removed and what a row says only half', async () => {
    const before = await rows('all');
    const [first, second] = before;
    await rm(at(`all/${first?.file}`));
    const kept = before.filter(({ line }) => line !== second?.line).map((row) => JSON.stringify(row));
    await writeFile(at('all/results.jsonl'), [...kept, JSON.stringify(second).slice(0, 50)].join('\n'));
    const hits = site.hits('/');
    const { code, notes } = await run(['-', '-o', 'all', '--width', '300', '--height=200'], { stdin: lines() });
    expect({ code, notes }).toMatchObject({ code: 1, notes: expect.stringContaining('2 done (1 with') });
    expect(notes).toContain('5 done before, 7 failed');
    expect(site.hits('/')).toBe(hits + 1);
    const after = await rows('all');
    expect(after.map(({ line, file }) => [line, file])).toEqual(before.map(({ line, file }) => [line, file]));
  });
});

describe('a run that ends early', () => {
  const list = () => ['/1', '/2', '/3', '/slow'].map((path) => site.url + path).join('\n');

  it('goes on where it was after kill -9, and no other run may use the folder meanwhile', async () => {
    await writeFile(at('slow.txt'), list());
    const { child, ended } = start(['slow.txt', '-o', 'killed', '--width', '300', '--at-once', '2']);
    await until(async () => letGo.length > 0 && (await rows('killed')).length === 3);
    expect(await run(['slow.txt', '-o', 'killed'])).toMatchObject({
      code: 1,
      notes: expect.stringMatching(/^Process \d+ writes into killed\. Wait until it ends\./),
    });
    child.kill('SIGKILL');
    await ended;
    site.set('/slow', colourPage('#0000ff'));
    expect(await run(['slow.txt', '-o', 'killed', '--width', '300'])).toMatchObject({
      code: 0,
      notes: '1 done, 3 done before, 0 failed. Results: killed/results.jsonl\n',
    });
    expect(['/1', '/2', '/3'].map((path) => site.hits(path))).toEqual([1, 1, 1]);
    for (const { file } of await rows('killed')) await sharp(at(`killed/${file}`)).stats();
    expect((await readdir(at('killed'))).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('shows a bar on a terminal, and after Ctrl+C says how to go on', async () => {
    letGo = [];
    site.set('/slow', (_, response) => void letGo.push(() => response.end()));
    await writeFile(at('slow.txt'), `${list()}\nnonsense\n`);
    const command = `stty cols 50; ${bin} batch slow.txt -o stopped --width 300 --at-once 2`;
    const env = { ...environment(), NO_COLOR: '1' };
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder, env });
    const ended = outputOf(child);
    await until(async () => letGo.length > 0 && (await rows('stopped')).length === 4);
    child.stdin.write('\x03');
    const { code, out } = await ended;
    expect(code).toBe(1);
    expect(out).toMatch(/\r\[-{10,}\] {2}0\/5 {2}0 failed/);
    expect(out).toMatch(/line 5 failed: invalid_parameter: url must be/);
    expect(out).toMatch(/\r(\[#+-+\] {2})?4\/5 {2}1 failed/);
    expect(out).toContain('Stopped: 3 done, 1 failed, 1 left. Results: stopped/results.jsonl');
    expect(out).toContain('Run the same command again to go on; it skips what is done.');
    expect(out).not.toContain('\x1b');
    const drawn = out.split(/[\r\n]/).filter((line) => /\d\/5 /.test(line));
    for (const line of drawn) expect(line.replace('^C', '').length).toBeLessThan(50);
    expect((await rows('stopped')).map(({ line }) => line)).toEqual([1, 2, 3, 5]);
  });
});

it('--server renders on a running server, and --server without a key writes nothing', async () => {
  const service = await startService();
  try {
    const { key } = await service.customer('business');
    const stdin = `${site.url}/\n{"kind": "content", "url": "${site.url}/text"}\n{"template": "none"}\n`;
    const place = ['--server', service.url, '--key', key];
    const { code, notes } = await run(['-', '-o', 'served', '--width', '300', ...place], { stdin });
    expect({ code, notes }).toMatchObject({ code: 1, notes: expect.stringMatching(/^2 done, 1 failed\./) });
    expect(await rows('served')).toMatchObject([
      { status: 'done', file: expect.stringMatching(/\.png$/), httpStatus: 200, verdict: { ok: true } },
      { status: 'done', file: expect.stringMatching(/\.md$/) },
      { status: 'failed', error: { code: 'template_not_found' } },
    ]);
    expect(await run(['-', '-o', 'none', '--server', service.url])).toMatchObject({
      code: 2,
      notes: expect.stringContaining('--server needs a key'),
    });
    expect(await readdir(folder)).not.toContain('none');
  } finally {
    await service.stop();
  }
});

describe('wrong use', () => {
  /** In this process: nothing is rendered. */
  async function refused(...args: string[]) {
    const notes: string[] = [];
    const io = { config: () => loadConfig({ DATA_DIR: folder }), note: (line: string) => void notes.push(line) };
    return { code: await main(['batch', ...args], io as never), notes: notes.join('\n') };
  }

  it('is one line and exit code 2, and nothing is written', async () => {
    await writeFile(at('one.txt'), `${site.url}/`);
    const [file, none] = [at('one.txt'), at('none')];
    const refusals: [string[], string][] = [
      [[file], 'The folder is missing: -o DIR.'],
      [['-o', none], 'FILE is missing. See: tintype batch --help'],
      [[file, '-o', none, '--at-once', '0'], '--at-once must be a whole number from 1 to 64.'],
      [[file, '-o', none, '--at-once', '65'], '--at-once must be a whole number from 1 to 64.'],
      [[file, '-o', none, '--width', 'wide'], '--width must be a whole number from'],
      [[file, '-o', none, '--fulPage'], 'There is no option --fulPage. Did you mean --fullPage?'],
      [['-', '-o', none, '--basic-auth', 'ada'], 'The lines come from standard input, so the login may not.'],
    ];
    for (const [args, notes] of refusals)
      expect(await refused(...args), args.join(' ')).toEqual({ code: 2, notes: expect.stringContaining(notes) });
    expect(await readdir(folder)).not.toContain('none');
  });

  it('a file that cannot be read and a folder that cannot be written are named', async () => {
    const unreadable: [string, string][] = [
      [at('absent.txt'), 'ENOENT'],
      [folder, 'EISDIR'],
    ];
    for (const [file, reason] of unreadable)
      expect(await refused(file, '-o', at('none'))).toEqual({
        code: 1,
        notes: expect.stringContaining(`${file} cannot be read: ${reason}`),
      });
    await mkdir(at('closed'), { mode: 0o500 });
    // Root may write everywhere.
    const folders = [at('one.txt'), at('one.txt/x'), '/proc/x', ...(process.getuid?.() === 0 ? [] : [at('closed')])];
    for (const dir of folders)
      expect(await refused(at('one.txt'), '-o', dir)).toEqual({
        code: 1,
        notes: expect.stringContaining(`${dir} cannot be written: E`),
      });
  });

  it('a login of the options goes to one origin, and its values are in no message', async () => {
    const stdin = `http://10.0.0.1/a\nhttp://10.0.0.2/\n{"url": "http://10.0.0.2/", "headers": {"Host": "hunter2"}}\n`;
    const { out, notes } = await run(['-', '-o', 'login', '--header', 'X-Token: hunter2'], { stdin });
    expect(out).toMatch(/^line 1 failed: target_refused/m);
    expect(out).toMatch(
      /^line 2 failed: invalid_parameter: --header, --cookie and --basic-auth are for the origin of the first URL, http:\/\/10\.0\.0\.1\./m,
    );
    const file = await readFile(at('login/results.jsonl'), 'utf8');
    expect(out + notes + file).not.toContain('hunter2');
  });
});

it('ends without a stack trace when nobody reads its output any more', async () => {
  const { child, ended } = start(['-', '-o', 'unread'], { stdin: 'nonsense\n'.repeat(5000) });
  child.stdout.once('data', () => child.stdout.destroy());
  const { code, notes } = await ended;
  expect({ code, notes }).toEqual({ code: 1, notes: '' });
});

it('a long file and a line without an end take little memory', async () => {
  const long = `x\n`.repeat(20_000) + 'y'.repeat(60e6);
  const { code, notes } = await run(['-', '-o', 'long'], {
    stdin: long,
    env: { NODE_OPTIONS: '--max-old-space-size=60' },
  });
  expect({ code, notes }).toMatchObject({ code: 1, notes: expect.stringContaining('0 done, 20001 failed') });
});
