// tintype shot with a page of its own, and with what a login needs.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { loadConfig } from '../../src/config.ts';
import { decode } from '../harness/picture.ts';

let folder: string;
const file = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-shot-'));
  await writeFile(file('red.html'), '<!doctype html><title>Größe</title><body style="background:#f00">');
  await writeFile(file('latin.html'), Buffer.from('<p>Gr\xf6\xdfe', 'latin1'));
  await writeFile(file('headers.txt'), 'Authorization: Bearer hunter2\n\nX-Team: a: b\n');
  await writeFile(file('bad-headers.txt'), 'hunter2\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function shot(args: string[], stdin = '') {
  const notes: string[] = [];
  const code = await main(['shot', ...args], {
    config: () => loadConfig({ DATA_DIR: folder, ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' }),
    print: () => {},
    note: (line) => void notes.push(line),
    writeBytes: async () => {},
    readLine: async () => stdin,
    input: () => Readable.from([Buffer.from(stdin)]),
  });
  return { code, notes: notes.join('\n') };
}
const small = ['--width', '200', '--height', '100'];

describe('a page of its own', () => {
  it('is captured from a file, and from standard input', async () => {
    const made = await shot(['--html', file('red.html'), '-o', file('a.png'), ...small]);
    expect(made).toMatchObject({ code: 0, notes: expect.stringContaining('a.png: image/png') });
    expect((await decode(await readFile(file('a.png')))).at(100, 50)).toBe('#ff0000');
    const piped = await shot(['--html', '-', '-o', file('b.webp'), ...small], '<body style="background:#00f">');
    expect(piped).toMatchObject({ code: 0 });
    expect((await decode(await readFile(file('b.webp')))).format).toBe('webp');
  });

  it('is read by the command itself from a pipe', async () => {
    const bin = join(import.meta.dirname, '../../bin/tintype');
    const args = ['shot', '--html', '-', '-o', file('c.png'), ...small];
    const child = spawn(bin, args, { env: { ...process.env, BASE_URL: '', DATA_DIR: folder } });
    child.stdin.end('<body style="background:#0f0">');
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
    expect((await decode(await readFile(file('c.png')))).at(100, 50)).toBe('#00ff00');
  });

  it('is one of URL, --html and --markdown', async () => {
    const output = ['-o', file('none.png')];
    const refusals: [string[], string][] = [
      [output, 'URL is missing. Give a URL, --html FILE or --markdown FILE. See: tintype shot --help'],
      [['http://a.test/', '--html', 'x', ...output], 'Give one of URL, --html FILE and --markdown FILE, not two.'],
      [['--markdown', 'x', '--html', 'x', ...output], 'Give one of URL, --html FILE and --markdown FILE, not two.'],
      [['--html', ...output], '--html needs a value: --html FILE.'],
      [['--html', 'x'], 'The output file is missing: -o FILE.'],
    ];
    for (const [args, notes] of refusals) expect(await shot(args), args.join(' ')).toEqual({ code: 2, notes });
    expect(await readdir(folder)).not.toContain('none.png');
  });

  it('is explained where it cannot be read or is too long', async () => {
    const failures: [string, string, RegExp][] = [
      [file('absent.html'), '', /absent\.html cannot be read: ENOENT/],
      [folder, '', /cannot be read: EISDIR/],
      [file('latin.html'), '', /latin\.html is not UTF-8\.$/],
      ['/dev/zero', '', /\/dev\/zero cannot be read: it has more than 6,000,000 bytes\.$/],
      ['-', '', /^html must be HTML of 1 to 2,000,000 bytes\.$/],
      ['-', 'x'.repeat(2_000_001), /^html must be HTML of 1 to 2,000,000 bytes\.$/],
    ];
    for (const [html, stdin, notes] of failures)
      expect(await shot(['--html', html, '-o', file('none.png')], stdin), html).toEqual({
        code: html === '-' ? 2 : 1,
        notes: expect.stringMatching(notes),
      });
  });
});

describe('a login', () => {
  const refusedTarget = ['http://10.0.0.1/', '-o', 'none.png'];

  it('is taken as headers, cookies and a password, each several times where there may be several', async () => {
    const refused = { code: 1, notes: expect.stringMatching(/^url leads to 10\.0\.0\.1/) };
    expect(await shot([...refusedTarget, '--header', 'X-A: 1', '--header', 'X-B:2', '--cookie', 'a=b=c'])).toEqual(
      refused,
    );
    expect(await shot([...refusedTarget, '--header', `@${file('headers.txt')}`, '--cookie', 'a='])).toEqual(refused);
    expect(await shot([...refusedTarget, '--basic-auth', 'ada:hunter2:x'])).toEqual(refused);
    expect(await shot([...refusedTarget, '--basic-auth', 'ada'], 'hunter2')).toEqual(refused);
  });

  it('is refused in words that say what is allowed, and never what was given', async () => {
    const refusals: [string[], number, RegExp][] = [
      [['--header', 'hunter2'], 2, /^--header must be 'Name: value', in quotes\.$/],
      [['--header', ': hunter2'], 2, /^--header must be/],
      [['--header', `@${file('bad-headers.txt')}`], 2, /^--header must be/],
      [['--header', 'X-A: hunter2', '--header', 'x-a: hunter2'], 2, /names a header twice/],
      [['--header', 'Host: hunter2'], 2, /^headers must be an object of at most 20 headers/],
      [['--header', 'X-A: hunter2\r\nX-B: 1'], 2, /^headers must be/],
      [['--cookie', 'hunter2'], 2, /^--cookie must be 'name=value', in quotes\.$/],
      [['--cookie', 'a b=hunter2'], 2, /^cookies must be an array/],
      [['--basic-auth', 'ada:hunter2\n'], 2, /^basicAuth must be an object/],
      [['--basic-auth', 'ada:hunter2', '--basic-auth', 'ada:hunter2'], 2, /^--basic-auth is given twice/],
      [['--header', 'Authorization:', 'hunter2'], 2, /^Unexpected argument\./],
      [['--headers', '{"X-A":"hunter2"}'], 2, /^There is no option --headers\. Did you mean --header\?$/],
    ];
    for (const [args, code, notes] of refusals) {
      const answer = await shot([...refusedTarget, ...args]);
      expect(answer, args.join(' ')).toEqual({ code, notes: expect.stringMatching(notes) });
      expect(answer.notes).not.toContain('hunter2');
    }
  });

  it('asks on a terminal for a password that is not given, and does not show it', async () => {
    const bin = join(import.meta.dirname, '../../bin/tintype');
    const command = `${bin} shot http://10.0.0.1/ -o none.png --basic-auth ada`;
    const env = { ...process.env, BASE_URL: '', DATA_DIR: folder };
    const child = spawn('script', ['-qec', command, '/dev/null'], { env, cwd: folder });
    let seen = '';
    child.stdout.on('data', (chunk) => {
      if (!seen.includes('Password: ') && `${seen}${chunk}`.includes('Password: ')) child.stdin.write('hunter2\r');
      seen += chunk;
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(1);
    expect(seen).toContain('url leads to 10.0.0.1');
    expect(seen).not.toContain('hunter2');
  });

  it('is not for a page of its own', async () => {
    const answer = await shot(['--html', file('red.html'), '-o', file('none.png'), '--cookie', 'a=hunter2']);
    expect(answer).toEqual({ code: 2, notes: 'cookies is for a page with a url; html is sent by the caller.' });
  });
});

it('the help names the options, and not the JSON of the API', async () => {
  const lines: string[] = [];
  await main(['shot', '--help'], { print: (line: string) => void lines.push(line) } as never);
  const help = lines.join('\n');
  expect(help).toContain('shot [URL] -o FILE [--html FILE] [--markdown FILE]');
  expect(help).toMatch(/--basic-auth USER\[:PASSWORD\] +User name and password/);
  for (const hidden of ['--headers', '--cookies', '--basicAuth', '--url']) expect(help).not.toContain(`${hidden} `);
});
