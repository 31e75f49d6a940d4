// The command line as a person and a script meet it: help, JSON, exit codes, completion, a terminal and a pipe.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../harness/ports.ts';
import { startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

const bin = join(import.meta.dirname, '../../bin/tintype');
let folder: string;
let site: Site;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-terminal-'));
  site = await startSite({ '/': colourPage('#00ff00') });
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

const env = (more: Record<string, string> = {}) => ({ ...process.env, DATA_DIR: folder, BASE_URL: '', ...more });

/** In a pipe. */
function tintype(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) =>
    execFile(bin, args, { env: env() }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    ),
  );
}

/** On a terminal of its own, which `script` makes. */
function onTerminal(command: string, more: Record<string, string> = {}) {
  return spawn('script', ['-qec', command, '/dev/null'], { env: env({ TERM: 'xterm', ...more }) });
}

const small = ['--width', '200', '--height', '100'];

describe('exit codes', () => {
  it.each([
    ['a wrong value', ['shot', 'https://example.com/', '-o', 'x.png', '--width', 'wide'], 2, 'width must be'],
    ['a wrong address', ['shot', 'example.com', '-o', 'x.png'], 2, 'did you mean https://example.com?'],
    ['an unknown template', ['og', 'quotes', '-o', 'x.png'], 2, 'Did you mean quote?'],
    ['a format that does not exist', ['shot', 'https://example.com/', '-o', 'x.gif'], 2, 'there is no format gif'],
  ])('of %s is 2, and nothing is written', async (_name, args, code, text) => {
    const { code: exit, err } = await tintype(...args);
    expect([exit, err]).toEqual([code, expect.stringContaining(text)]);
    expect(existsSync('x.gif') || existsSync('x.png')).toBe(false);
  });

  it('of a page that cannot be captured is 1', async () => {
    const { code, err } = await tintype('shot', 'http://127.0.0.1:8080/', '-o', join(folder, 'x.png'));
    expect(code).toBe(1);
    expect(err).toContain('--allow-private');
    expect(err).toContain('ALLOW_PRIVATE_TARGETS');
  });

  it.each([
    ['a port that browsers do not open', 'http://127.0.0.1:9/', 'port 9'],
    ['cloud metadata', 'http://169.254.169.254/', 'metadata'],
    ['a password in the address', 'http://me:secret@example.com/', 'password'],
  ])('of %s is 1 too, without the advice to allow what no setting allows', async (_name, url, text) => {
    for (const more of [[], ['--allow-private']]) {
      const { code, err } = await tintype('shot', url, '-o', join(folder, 'x.png'), ...more);
      expect([code, err]).toEqual([1, expect.stringContaining(text)]);
      expect(err).not.toMatch(/allow-private|ALLOW_PRIVATE_TARGETS/);
    }
  });
});

describe('private addresses', () => {
  it('are captured with --allow-private', async () => {
    const file = join(folder, 'own.png');
    const url = `http://localhost:${site.port}/`;
    const { code, out, err } = await tintype('shot', url, '-o', file, '--allow-private', '--json', ...small);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ file, type: 'image/png', width: 200, height: 100, warnings: [] });
    expect((await readFile(file)).subarray(1, 4).toString()).toBe('PNG');
  });

  it('of cloud metadata services stay refused', async () => {
    const { code, err } = await tintype('shot', 'http://169.254.169.254/', '-o', 'x.png', '--allow-private');
    expect([code, err]).toEqual([1, expect.stringContaining('metadata')]);
  });
});

describe('templates', () => {
  it('are listed for people and for programs', async () => {
    const list = await tintype('templates');
    expect(list.out).toMatch(/^NAME +DESCRIPTION\n/);
    const entries = JSON.parse((await tintype('templates', '--json')).out);
    expect(entries.length).toBeGreaterThan(10);
    for (const { name, variables } of entries) {
      expect(list.out).toContain(name);
      expect(variables).toBeTypeOf('object');
    }
  });

  it('have their variables in the help', async () => {
    const { code, out } = await tintype('og', 'quote', '--help');
    expect([code, out]).toEqual([0, expect.stringMatching(/Variables:.*--author/s)]);
    expect((await tintype('og', '--help')).out).not.toContain('Variables:');
  });
});

describe('--json', () => {
  it('gives data wherever a command prints a sentence', async () => {
    const json = async (...args: string[]) => JSON.parse((await tintype(...args, '--json')).out);
    const email = 'json@example.test';
    expect(await json('account', 'create', email, '--plan', 'pro')).toMatchObject({ email, plan: 'pro' });
    expect(await json('account', 'plan', email, 'business')).toMatchObject({ email, plan: 'business' });
    const key = await json('key', 'create', email);
    expect(key).toMatchObject({ secret: expect.stringMatching(/^sk_live_/), signingSecret: expect.any(String) });
    const path = '/v1/og?template=quote&title=Hi';
    expect(await json('sign', key.id, path)).toMatchObject({ url: expect.stringContaining('signature=') });
    expect(await json('key', 'revoke', key.id)).toEqual({ id: key.id, revoked: true });
    expect(await json('doctor')).toMatchObject({ isWell: expect.any(Boolean), checks: expect.any(Array) });
  });
});

describe('completion', () => {
  it('in bash completes commands, second words, options and parameters', async () => {
    const complete = (...words: string[]) =>
      new Promise<string[]>((resolve, reject) => {
        const script = `eval "$("${bin}" completion bash)"; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _tintype; echo "\${COMPREPLY[@]}"`;
        execFile('bash', ['-c', script], { env: env() }, (error, out) =>
          error ? reject(error) : resolve(out.trim().split(/\s+/)),
        );
      });
    expect(await complete('tintype', 'te')).toEqual(['templates']);
    expect(await complete('tintype', 'key', 're')).toEqual(['revoke']);
    expect(await complete('tintype', 'shot', 'https://example.com/', '--fullP')).toEqual(['--fullPage']);
    expect(await complete('tintype', 'key', 'create', '--ho')).toEqual(['--hosts']);
  });

  it('knows three shells', async () => {
    for (const shell of ['zsh', 'fish']) expect((await tintype('completion', shell)).out).toContain('tintype');
    expect((await tintype('completion', 'tcsh')).code).toBe(2);
  });
});

describe('a render', () => {
  const command = (file: string) =>
    `"${bin}" shot "${site.url}/" -o "${join(folder, file)}" --allow-private --width 200 --height 100 --delay 500`;

  it('shows its step on a terminal, and removes it at the end', async () => {
    const child = onTerminal(command('spinner.png'));
    let text = '';
    for await (const part of child.stdout) text += part;
    expect(text).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] \S/);
    const afterLastClear = text.split('\x1b[2K').at(-1) ?? '';
    expect(afterLastClear.trim()).toMatch(/^\S+spinner\.png: image\/png, [\d,]+ bytes\.$/);
  });

  it('is quiet in a pipe', async () => {
    const { out, err } = await tintype(
      ...['shot', site.url, '-o', join(folder, 'pipe.png'), '--allow-private', ...small],
    );
    expect(out).toBe('');
    expect(err).toMatch(/^\S+pipe\.png: image\/png, [\d,]+ bytes\.\n$/);
  });
});

describe('--server', () => {
  it('renders pages, texts and cards on a running server', async () => {
    const service = await startService();
    const { key } = await service.customer('pro');
    const ask = (...args: string[]) => tintype(...args, '--server', service.url, '--key', key);
    try {
      const file = join(folder, 'there.webp');
      const shot = await ask('shot', site.url, '-o', file, '--json', ...small);
      expect(JSON.parse(shot.out)).toMatchObject({ file, type: 'webp', width: 200, height: 100 });
      expect((await readFile(file)).subarray(8, 12).toString()).toBe('WEBP');
      const content = await ask('content', site.url);
      expect([content.code, content.out]).toEqual([0, expect.stringContaining('Hello')]);
      const card = await ask('og', 'quote', '-o', join(folder, 'there.png'), '--title', 'Hi');
      expect([card.code, card.err]).toEqual([0, expect.stringContaining('there.png')]);
      const refused = await ask('shot', site.url, '-o', join(folder, 'x.png'), '--width', '0');
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('width must be')]);
    } finally {
      await service.stop();
    }
  });

  it('needs a key, and says so', async () => {
    const { code, err } = await tintype('shot', site.url, '-o', 'x.png', '--server', 'https://shots.example');
    expect([code, err]).toEqual([2, expect.stringContaining('TINTYPE_KEY')]);
  });
});

describe('the log of the server', () => {
  const start = async (run: (port: number) => ReturnType<typeof spawn>) => {
    const port = await freePort();
    const child = run(port);
    let text = '';
    child.stdout?.on('data', (part) => {
      text += part;
    });
    const url = `http://127.0.0.1:${port}`;
    await expect.poll(() => text, { timeout: 40_000 }).toContain('/setup?token=');
    await fetch(`${url}/favicon.svg`);
    await fetch(`${url}/v1/screenshot?url=https://example.com/`);
    await expect.poll(() => text).toContain('/v1/screenshot');
    child.kill('SIGTERM');
    return text;
  };

  it('is readable lines on a terminal, without assets, and begins with the link', async () => {
    const text = await start((port) => onTerminal(`exec "${bin}" serve`, { PORT: String(port) }));
    // On a busy machine the server says that its event loop was blocked, at any time.
    const [beginning] = text.replaceAll(/^.*event loop was blocked.*\n/gm, '').split(/^\d\d:\d\d:\d\d {2}/m);
    expect(beginning?.trimEnd().split('\n').at(-1)).toMatch(/http:\S+\/setup\?token=\S+/);
    expect(text).toMatch(/\d\d:\d\d:\d\d {2}GET \/v1\/screenshot {2}401 {2}\d+ ms {2}missing_api_key/);
    expect(text).not.toContain('favicon');
    expect(text).not.toContain('{"level"');
  });

  it('is JSON in a pipe', async () => {
    const text = await start((port) => spawn(bin, ['serve'], { env: env({ PORT: String(port) }) }));
    const lines = text.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.map((line) => JSON.parse(line).path)).toContain('/favicon.svg');
  });
});
