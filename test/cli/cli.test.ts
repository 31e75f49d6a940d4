// The command line, called as bin/tintype calls it, with a database of its own.
import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authenticate } from '../../src/access/keys.ts';
import { createSignIn } from '../../src/access/sign-in.ts';
import { authenticateLink } from '../../src/access/signatures.ts';
import { commands, main } from '../../src/cli/main.ts';
import { describeSettings, loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/kernel/log.ts';
import { databaseFile, type OpenStore, openStore } from '../../src/store/open.ts';

const password = 'a long pass phrase';
let dataDir: string;
let store: OpenStore;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tintype-cli-'));
  // The server, so to speak: it has the database open all the while.
  store = await openStore({ dataDir, log: createLog('silent') });
});
afterEach(async () => {
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function tintype(
  args: string[],
  { stdin = '', env = {} }: { stdin?: string; env?: Record<string, string> } = {},
) {
  const out: string[] = [];
  const notes: string[] = [];
  const code = await main(args, {
    config: () => loadConfig({ DATA_DIR: dataDir, ...env }),
    print: (line) => void out.push(line),
    note: (line) => void notes.push(line),
    writeBytes: async () => {},
    readLine: async () => stdin,
    input: () => Readable.from([Buffer.from(stdin)]),
  });
  return { code, out: out.join('\n'), notes: notes.join('\n') };
}
const account = (email = 'you@example.test', ...more: string[]) => tintype(['account', 'create', email, ...more]);

describe('account', () => {
  it('create makes one with exactly the plan it names and no rights of an administrator, which can sign in', async () => {
    const made = await account('You@Example.test', '--plan', 'pro', '--password', password);
    expect(made).toEqual({ code: 0, out: 'Created you@example.test: Pro plan.', notes: '' });
    expect(await store.accounts.list()).toMatchObject([{ email: 'you@example.test', plan: 'pro', admin: false }]);
    const signIn = createSignIn({ store, config: { signUp: 'closed' }, baseUrl: () => 'http://127.0.0.1' });
    const visitor = { address: '192.0.2.1' };
    expect(await signIn.signIn({ email: 'you@example.test', password }, visitor)).toMatchObject({
      account: { plan: 'pro' },
    });
  });

  it('create gives rights and a name when asked, and reads the password from standard input', async () => {
    const args = [
      'account',
      'create',
      'a@example.test',
      '--plan=business',
      '--admin',
      '--name',
      'A B',
      '--password',
      '-',
    ];
    expect(await tintype(args, { stdin: password })).toMatchObject({ code: 0 });
    const [made] = await store.accounts.list();
    expect(made).toMatchObject({ plan: 'business', admin: true, name: 'A B' });
    expect(await store.signIn.passwordHash(made?.id ?? '')).toMatch(/^scrypt:/);
  });

  it('create gives the plan of DEFAULT_PLAN if none is named', async () => {
    const env = { DEFAULT_PLAN: 'starter' };
    expect((await tintype(['account', 'create', 'a@example.test'], { env })).out).toContain('Starter plan');
    expect((await tintype(['account', 'create', 'b@example.test', '--plan', 'pro'], { env })).out).toContain(
      'Pro plan',
    );
  });

  it('create refuses invalid input with one line', async () => {
    await account();
    const refusals: [string[], number, RegExp][] = [
      [['you@example.test'], 1, /^There is an account of you@example.test already\.$/],
      [['nonsense'], 2, /^email must be an address such as you@example.com\.$/],
      [['b@example.test', '--plan', 'gold'], 2, /^There is no plan "gold"\. Plans: free, starter, pro, business\.$/],
      [['b@example.test', '--password', 'short'], 2, /^password must have 12 to 256 characters\.$/],
      [['b@example.test', '--plan'], 2, /^--plan needs a value: --plan PLAN\.$/],
      [['b@example.test', '--plam', 'pro'], 2, /^There is no option --plam\. Did you mean --plan\?$/],
      [['b@example.test', '--plan', 'pro', '--plan', 'free'], 2, /given twice/],
      [['b@example.test', 'c@example.test'], 2, /Unexpected argument/],
      [[], 2, /^EMAIL is missing\. See: tintype account create --help$/],
    ];
    for (const [args, code, text] of refusals) {
      const answer = await tintype(['account', 'create', ...args]);
      expect(answer, args.join(' ')).toEqual({ code, out: '', notes: expect.stringMatching(text) });
    }
    expect(await store.accounts.list()).toHaveLength(1);
  });

  it('list shows them, for people and for programs', async () => {
    expect(await tintype(['account', 'list'])).toMatchObject({ code: 0, out: '' });
    await account('one@example.test', '--plan', 'starter');
    await account('admin@example.test', '--admin');
    const { out } = await tintype(['account', 'list']);
    expect(out).toMatch(
      /^EMAIL +PLAN +CREATED\none@example\.test +starter +\d{4}-.*\nadmin@example\.test +free .* administrator$/,
    );
    expect(JSON.parse((await tintype(['account', 'list', '--json'])).out)).toEqual(await store.accounts.list());
  });

  it('plan changes the plan for the next request', async () => {
    await account();
    const key = (await tintype(['key', 'create', 'you@example.test'])).out;
    expect(await tintype(['account', 'plan', 'YOU@example.test', 'business'])).toMatchObject({ code: 0 });
    expect((await authenticate({ header: key }, store)).account.plan).toBe('business');
    expect(await tintype(['account', 'plan', 'no@example.test', 'pro'])).toEqual({
      code: 1,
      out: '',
      notes: 'There is no account of no@example.test. See: tintype account list',
    });
  });

  it('password sets a new one', async () => {
    await account();
    const set = ['account', 'password', 'you@example.test'];
    expect(await tintype(set, { stdin: 'short' })).toMatchObject({ code: 2 });
    expect(await tintype(set, { stdin: password })).toMatchObject({ code: 0 });
    expect(await store.signIn.passwordHash((await store.accounts.list())[0]?.id ?? '')).toMatch(/^scrypt:/);
  });
});

describe('key', () => {
  it('create prints the key alone on standard output, and it works at once', async () => {
    await account();
    const { code, out, notes } = await tintype(['key', 'create', 'you@example.test', '--name', 'my app']);
    expect(code).toBe(0);
    expect(out).toMatch(/^sk_live_[A-Za-z0-9]{32}$/);
    expect(notes).toMatch(/^Created key key_\w{12} \("my app"\) for you@example\.test\. Signing secret: \w{43}\n/);
    expect((await authenticate({ header: out }, store)).key.name).toBe('my app');
  });

  it('create keeps to the limit of the plan, also when many run at once', async () => {
    await account();
    const made = await Promise.all(Array.from({ length: 6 }, () => tintype(['key', 'create', 'you@example.test'])));
    expect(made.map(({ code }) => code).sort()).toEqual([0, 0, 1, 1, 1, 1]);
    expect(made.find(({ code }) => code === 1)?.notes).toBe(
      'The plan allows 2 active keys. Revoke one, or change the plan.',
    );
    const limits = { PLAN_LIMITS: '{"free":{"keys":3}}' };
    expect(await tintype(['key', 'create', 'you@example.test'], { env: limits })).toMatchObject({ code: 0 });
  });

  it('create limits the key when asked', async () => {
    await account();
    const create = (...more: string[]) => tintype(['key', 'create', 'you@example.test', ...more]);
    await create('--hosts', 'example.com, *.example.org', '--templates', 'quote', '--expires', '2999-12-31');
    expect(JSON.parse((await tintype(['key', 'list', 'you@example.test', '--json'])).out)).toMatchObject([
      {
        allowedHosts: ['example.com', '*.example.org'],
        allowedTemplates: ['quote'],
        expiresAt: Date.UTC(3000, 0, 1) - 1,
      },
    ]);
    for (const bad of ['2001-01-01', 'tomorrow', '2030-13-01'])
      expect(await create('--expires', bad), bad).toMatchObject({ code: 2 });
    expect(await create('--hosts', 'https://example.com/')).toMatchObject({ code: 2 });
  });

  it('create refuses an empty list, which would allow everything', async () => {
    await account();
    for (const empty of ['', ' ', ' , ', ','])
      for (const [option, what] of [
        ['--hosts', 'host'],
        ['--templates', 'template'],
      ] as const)
        expect(await tintype(['key', 'create', 'you@example.test', option, empty])).toMatchObject({
          code: 2,
          out: '',
          notes: expect.stringContaining(`${option} must name at least one ${what}.`),
        });
    expect((await tintype(['key', 'list', 'you@example.test', '--json'])).out).toBe('[]');
  });

  it('list shows what may be shown, and --json a bare array', async () => {
    await account();
    expect(await tintype(['key', 'list', 'you@example.test', '--json'])).toMatchObject({ code: 0, out: '[]' });
    const key = (await tintype(['key', 'create', 'you@example.test', '--name', 'mine'])).out;
    const [shown, ...more] = JSON.parse((await tintype(['key', 'list', 'you@example.test', '--json'])).out);
    expect(more).toEqual([]);
    expect(shown).toMatchObject({
      id: expect.stringMatching(/^key_/),
      name: 'mine',
      first: key.slice(0, 12),
      last: key.slice(-4),
      createdAt: expect.any(Number),
      lastUsedAt: null,
      revokedAt: null,
    });
    const { out } = await tintype(['key', 'list', 'you@example.test']);
    expect(out).toContain(`${key.slice(0, 12)}…${key.slice(-4)}`);
    expect(out).not.toContain(key.slice(0, 13));
  });

  it('revoke ends it for the server that is running', async () => {
    await account();
    const key = (await tintype(['key', 'create', 'you@example.test'])).out;
    const { key: found } = await authenticate({ header: key }, store);
    expect(await tintype(['key', 'revoke', found.id])).toEqual({ code: 0, out: `${found.id} is revoked.`, notes: '' });
    // A request that is sent after this comes in a turn of the event loop of its own.
    await setImmediate();
    await expect(authenticate({ header: key }, store)).rejects.toMatchObject({ code: 'invalid_api_key' });
    expect(await tintype(['key', 'revoke', found.id])).toEqual({
      code: 1,
      out: '',
      notes: `There is no active key ${found.id}.`,
    });
  });
});

describe('a key for templates', () => {
  it('is not made for a template that does not exist', async () => {
    await account('you@example.test', '--plan', 'pro');
    const { code, notes } = await tintype(['key', 'create', 'you@example.test', '--templates', 'quote,nope']);
    expect([code, notes]).toEqual([
      2,
      expect.stringContaining('There is no template "nope". Templates: announcement,'),
    ]);
    expect(await tintype(['key', 'create', 'you@example.test', '--templates', 'quote'])).toMatchObject({ code: 0 });
  });
});

describe('sign', () => {
  const make = async () => {
    await account('you@example.test', '--plan', 'pro');
    const { notes } = await tintype(['key', 'create', 'you@example.test']);
    return { id: /key_\w+/.exec(notes)?.[0] ?? '', secret: /: (\w{43})$/m.exec(notes)?.[1] ?? '' };
  };

  it('prints a link that the server takes, signed as the documentation says', async () => {
    const { id, secret } = await make();
    const { code, out } = await tintype(['sign', id, '/v1/og?template=quote&title=Grüße an alle', '--expires', '60'], {
      env: { BASE_URL: 'https://shots.example.test/' },
    });
    expect(code).toBe(0);
    const { origin, pathname, search, searchParams } = new URL(out);
    expect(origin).toBe('https://shots.example.test');
    expect(Number(searchParams.get('expires')) - Date.now() / 1000).toBeGreaterThan(50);
    const [before = '', signature] = (pathname + search).split('&signature=');
    expect(before).toContain('title=Gr%C3%BC%C3%9Fe%20an%20alle&key_id=');
    expect(signature).toBe(createHmac('sha256', secret).update(before).digest('hex'));
    expect((await authenticateLink(pathname + search, store)).account.email).toBe('you@example.test');
  });

  it('signs every path that gives a result', async () => {
    const { id } = await make();
    for (const path of [
      '/v1/og',
      '/v1/og.json',
      '/v1/screenshot',
      '/v1/screenshot.json',
      '/v1/content',
      '/v1/content.json',
    ]) {
      const { code, out } = await tintype(['sign', id, `${path}?url=http://a.test/`]);
      expect(code, path).toBe(0);
      const { pathname, search } = new URL(out);
      expect(pathname).toBe(path);
      expect((await authenticateLink(pathname + search, store)).key.id).toBe(id);
    }
  });

  it('refuses what could not work', async () => {
    const { id } = await make();
    const { notes } = await tintype(['sign', id, '/v1/jobs']);
    expect(notes).toContain(
      'Paths: /v1/screenshot, /v1/screenshot.json, /v1/og, /v1/og.json, /v1/content, /v1/content.json.',
    );
    for (const bad of ['/v1/files/x', '/v1/og?signature=abc', 'nonsense'])
      expect(await tintype(['sign', id, bad]), bad).toMatchObject({ code: 2 });
    expect(await tintype(['sign', id, '/v1/og?template=a', '--expires', 'soon'])).toMatchObject({ code: 2 });
    const secret = await tintype(['sign', id, '/v1/screenshot?url=http://a.test/&headers={"X-Token":"hunter2"}']);
    expect(secret).toEqual({ code: 1, out: '', notes: expect.stringMatching(/^headers is a secret, and an address/) });
    for (const path of ['/v1/screenshot', '/v1/screenshot.json', '/v1/content'])
      expect(await tintype(['sign', id, `${path}?html=x`]), path).toMatchObject({ code: 2, out: '' });
    expect(await tintype(['sign', 'key_none', '/v1/og?template=a'])).toMatchObject({ code: 1 });
  });
});

describe('export', () => {
  const names = async () => (await readdir(dataDir)).filter((name) => name.startsWith('copy'));

  it('leaves nothing behind when it fails, so that the next one can use the name', async () => {
    await account();
    const file = join(dataDir, 'copy.jsonl');
    await sql`alter table site_pages rename to away`.execute(store.db);
    const failed = await tintype(['export', file]);
    expect(failed).toMatchObject({ code: 1, notes: expect.stringContaining('no such table: site_pages') });
    expect(await names()).toEqual([]);
    await sql`alter table away rename to site_pages`.execute(store.db);
    expect(await tintype(['export', file])).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['copy.jsonl']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('replaces what an export that was killed left behind, and never a finished export', async () => {
    await account();
    const file = join(dataDir, 'copy.jsonl');
    await writeFile(`${file}.partial`, 'half');
    expect(await tintype(['export', file])).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['copy.jsonl']);
    const before = await readFile(file, 'utf8');
    expect(before).toContain('you@example.test');
    expect(await tintype(['export', file])).toEqual({ code: 1, out: '', notes: `${file} exists already.` });
    expect(await readFile(file, 'utf8')).toBe(before);
    const nowhere = join(dataDir, 'none', 'copy.jsonl');
    expect(await tintype(['export', nowhere])).toMatchObject({ code: 1, notes: expect.stringContaining('ENOENT') });
  });

  it('that runs beside another into the same file never passes half of it off as a whole', async () => {
    await account();
    const file = join(dataDir, 'copy.jsonl');
    const results = await Promise.all([tintype(['export', file]), tintype(['export', file])]);
    const alone = join(dataDir, 'alone.jsonl');
    expect(await tintype(['export', alone])).toMatchObject({ code: 0 });
    for (const { code, notes } of results)
      if (code !== 0) expect(notes).toMatch(/Another export writes to|exists already/);
    if (results.some(({ code }) => code === 0))
      expect((await readFile(file, 'utf8')).split('\n').length).toBe(
        (await readFile(alone, 'utf8')).split('\n').length,
      );
    expect((await names()).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});

describe('help and mistakes', () => {
  it('--help lists every command and every setting, and each command has its own help', async () => {
    const { out, code } = await tintype(['--help']);
    expect(code).toBe(0);
    for (const { name, doc } of commands) for (const text of [`  ${name}`, doc]) expect(out).toContain(text);
    for (const { env } of describeSettings()) expect(out).toContain(env);
    for (const { name, options } of commands) {
      const help = await tintype([...name.split(' '), '--help']);
      expect(help.code).toBe(0);
      expect(help.out).toContain(`Usage: tintype ${name}`);
      for (const option of Object.keys(options)) expect(help.out).toContain(option === 'output' ? '-o' : `--${option}`);
    }
    expect((await tintype(['shot', '--help'])).out).toMatch(/--fullPage +Capture the whole/);
    expect((await tintype(['key', '--help'])).out).not.toContain('account create');
  });

  it('wrong usage is exit code 2 with a hint', async () => {
    const mistakes: [string[], RegExp][] = [
      [[], /--help/],
      [['acount'], /Did you mean account\?/],
      [['key'], /create, list, revoke/],
      [['key', 'delete'], /create, list, revoke/],
      [['shot', 'https://example.com/'], /-o FILE/],
      [['shot', 'https://example.com/', '-o', 'x.png', '--fullpage'], /Did you mean --fullPage\?/],
      [['shot', 'https://example.com/', '-x', 'y'], /no option -x/],
    ];
    for (const [args, text] of mistakes)
      expect(await tintype(args), args.join(' ')).toEqual({ code: 2, out: '', notes: expect.stringMatching(text) });
  });

  it('a wrong setting and an unavailable database are explained', async () => {
    expect(await tintype(['account', 'list'], { env: { PORT: 'abc' } })).toMatchObject({
      code: 1,
      notes: expect.stringContaining('PORT must be a whole number'),
    });
    const away = await tintype(['account', 'list'], { env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } });
    expect(away).toEqual({
      code: 1,
      out: '',
      notes: expect.stringMatching(/^The database does not answer.*ECONNREFUSED.*$/),
    });
    const other = new DatabaseSync(join(dataDir, databaseFile));
    other.exec('begin immediate');
    expect(await account()).toMatchObject({ code: 1, notes: expect.stringContaining('database is locked') });
    other.close();
  });
});

describe('as a process', () => {
  const bin = join(import.meta.dirname, '../../bin/tintype');
  // vite puts a BASE_URL of its own into the environment of tests.
  const env = () => ({ ...process.env, BASE_URL: '', DATA_DIR: dataDir });
  const run = (...args: string[]) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(bin, args, { env: env(), cwd: dataDir }, (_, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      );
    });

  it('exports to standard output for -, and makes no file of that name', async () => {
    await account();
    const { code, stdout } = await run('export', '-');
    const lines = stdout.trim().split('\n');
    expect([code, JSON.parse(lines.at(-1) ?? '')]).toEqual([0, expect.objectContaining({ end: true })]);
    expect(stdout).toContain('you@example.test');
    expect(await readdir(dataDir)).not.toContain('-');
  });

  it('does not show a password that is typed on a terminal', async () => {
    await account();
    // `script` gives the command a terminal of its own; what is typed comes in when the prompt is there.
    const child = spawn('script', ['-qec', `${bin} account password you@example.test`, '/dev/null'], { env: env() });
    let seen = '';
    let typed = false;
    child.stdout.on('data', (chunk) => {
      seen += chunk;
      if (!typed && seen.includes('Password: ')) {
        typed = true;
        child.stdin.write(`${password}\r`);
      }
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, seen]).toEqual([0, expect.stringContaining('you@example.test has a new password.')]);
    expect(seen).not.toContain(password);
  });

  it('exits 0, 1 or 2, with results on one stream, the rest on the other, and never a stack', async () => {
    expect(await run('--version')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
    expect(await run('key', 'revoke', 'key_none')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no active key key_none.\n',
    });
    expect(await run('nonsense')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^There is no command.*\n$/),
    });
  });

  it('refuses a wrong use in one line that names the option, and writes no file', async () => {
    const file = ['-o', join(dataDir, 'card.png')];
    const mistakes: [string[], string][] = [
      [['og', 'default', ...file, '--title'], '--title needs a value: --title VALUE.'],
      [['og', 'default', '--title', ...file], '--title needs a value: --title VALUE.'],
      [['og', 'default', '--title', '--author', 'A', ...file], '--title needs a value: --title VALUE.'],
      [['og', 'default', '--titel', 'Hello', ...file], 'There is no option --titel. Did you mean --title?'],
      [['og', 'default', '--template', 'quote', ...file], 'There is no option --template. See: tintype og --help'],
      [['og', 'default', '--title', 'A', '--title=B', ...file], '--title is given twice; give it once.'],
      [['og', 'default', '--title', 'A', '-o'], '-o needs a value: -o FILE.'],
      [['shot', 'https://example.com/', '--width', ...file], '--width needs a value: --width VALUE.'],
      [
        ['shot', 'https://example.com/', '--constructor', 'x'],
        'There is no option --constructor. See: tintype shot --help',
      ],
      [['shot', 'https://example.com/', '-q', '5'], 'There is no option -q. See: tintype shot --help'],
      [['account', 'list', '--json=yes'], '--json takes no value.'],
      [['account', 'create', 'a@example.test', '--plan'], '--plan needs a value: --plan PLAN.'],
      [['key', 'list', 'a@example.test', '--jsn'], 'There is no option --jsn. Did you mean --json?'],
      [['serve', '--port', '80'], 'There is no option --port. See: tintype serve --help'],
      [['key', 'revoke'], 'ID is missing. See: tintype key revoke --help'],
      [['export', 'a', 'b'], 'Unexpected argument "b". See: tintype export --help'],
    ];
    for (const [args, line] of mistakes)
      expect(await run(...args), args.join(' ')).toEqual({ code: 2, stdout: '', stderr: `${line}\n` });
    expect(await readdir(dataDir)).not.toContain('card.png');
  }, 60_000);

  it('takes a flag alone, with = and with a word after it, and a value that begins with a dash', async () => {
    // Refused for its address, and not for how it was called.
    const refused = { code: 1, stdout: '', stderr: expect.stringMatching(/^url leads to 10\.0\.0\.1/) };
    const shot = (...args: string[]) => run('shot', '-o', join(dataDir, 'page.png'), ...args);
    expect(await shot('http://10.0.0.1/', '--fullPage')).toEqual(refused);
    expect(await shot('--fullPage=false', 'http://10.0.0.1/')).toEqual(refused);
    expect(await shot('--fullPage', 'false', 'http://10.0.0.1/')).toEqual(refused);
    expect(await shot('--customCSS', '-x-y {}', '--', 'http://10.0.0.1/')).toEqual(refused);
    expect(await shot('http://10.0.0.1/', '--fullPage=maybe')).toMatchObject({
      code: 2,
      stderr: 'fullPage must be true or false.\n',
    });
  }, 30_000);

  it('reads a password from a pipe', async () => {
    const child = spawn(bin, ['account', 'create', 'piped@example.test', '--password', '-'], { env: env() });
    child.stdin.end(`${password}\n`);
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
    expect(await store.accounts.byEmail('piped@example.test')).toBeDefined();
  });
});
