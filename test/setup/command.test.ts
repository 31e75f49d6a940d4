// The shell of the command, and the set-up as a whole, from outside.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectNode } from '../../setup/machine.js';
import { has } from '../harness/needs.ts';

const project = join(import.meta.dirname, '../..');
let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'tintype-clone-'));
  for (const part of ['bin', 'setup', 'package.json', 'package-lock.json'])
    cpSync(join(project, part), join(clone, part), { recursive: true });
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

const tintype = (path: string, env: Record<string, string> = {}) =>
  spawnSync('sh', [path, 'one', 'two words'], { encoding: 'utf8', env: { ...process.env, ...env } });

/** A clone whose packages are there, and whose program shows what it was given. */
function setUp(): void {
  mkdirSync(join(clone, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(clone, 'node_modules/.package-lock.json'), '{}');
  symlinkSync(process.execPath, join(clone, 'node_modules/.bin/node'));
  mkdirSync(join(clone, 'src'));
  writeFileSync(
    join(clone, 'src/cli.ts'),
    `const { pid, argv, env, execArgv }: NodeJS.Process = process;
     console.log(JSON.stringify({ pid, args: argv.slice(2), env, execArgv }));
     process.exitCode = 7;`,
  );
}

describe('bin/tintype', () => {
  it('on a bare clone says to run the set-up, and fails without a stack trace', () => {
    const { status, stdout, stderr } = tintype(join(clone, 'bin/tintype'));
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('Tintype is not set up here yet.');
    expect(stderr).toContain(`cd ${clone} && npm run setup`);
    expect(stderr).not.toMatch(/\bat \S+:\d+/);
  });

  it('where no Node is new enough says which one is needed', () => {
    setUp();
    rmSync(join(clone, 'node_modules/.bin/node'));
    mkdirSync(join(clone, 'old'));
    writeFileSync(join(clone, 'old/node'), '#!/bin/sh\necho v20.11.0\n', { mode: 0o755 });
    const { status, stderr } = tintype(join(clone, 'bin/tintype'), { PATH: `${clone}/old:/usr/bin:/bin` });
    expect(status).toBe(1);
    expect(stderr).toContain('Tintype needs Node 24 or newer; this is v20.11.0.');
  });

  it("runs on the machine's Node where that is new enough, else on the one that npm brought", () => {
    setUp();
    const fake = (folder: string, version: string) => {
      mkdirSync(join(clone, folder), { recursive: true });
      const script = `#!/bin/sh\ncase "$*" in *--version) echo ${version} ;; *) echo ${folder} ;; esac\n`;
      writeFileSync(join(clone, folder, 'node'), script, { mode: 0o755 });
    };
    fake('new', 'v24.22.1');
    fake('old', 'v20.11.0');
    fake('elsewhere/node_modules/.bin', 'v25.0.0');
    const ranWith = (first: string) =>
      tintype(join(clone, 'bin/tintype'), { PATH: `${clone}/${first}:/usr/bin:/bin` }).stdout.trim();
    expect(ranWith('new')).toBe('new');
    // npm puts folders of packages in PATH: they are not the machine's.
    expect(ranWith(`elsewhere/node_modules/.bin:${clone}/new`)).toBe('new');
    expect(JSON.parse(ranWith('old')).args).toEqual(['one', 'two words']);
    const chosen = (first: string) => {
      const before = process.env.PATH;
      process.env.PATH = `${clone}/elsewhere/node_modules/.bin:${clone}/${first}:/usr/bin:/bin`;
      try {
        return projectNode(clone);
      } finally {
        process.env.PATH = before;
      }
    };
    expect(chosen('new')).toBe(join(clone, 'new/node'));
    expect(chosen('old')).toBe(join(clone, 'node_modules/.bin/node'));
  });

  it('becomes the program: its process id, its arguments, its exit code, also through a link', () => {
    setUp();
    symlinkSync('bin/tintype', join(clone, 'link'));
    const { status, stdout, stderr, pid } = tintype(join(clone, 'link'));
    const said = JSON.parse(stdout);
    expect({ status, stderr }).toEqual({ status: 7, stderr: '' });
    expect(said.pid).toBe(pid);
    expect(said.args).toEqual(['one', 'two words']);
    expect(said.execArgv).toContain('--disable-warning=ExperimentalWarning');
  });

  it('keeps compiled code in the project and gives libuv threads, unless the operator has chosen', () => {
    setUp();
    const empty = { NODE_COMPILE_CACHE: '', UV_THREADPOOL_SIZE: '' };
    const { env } = JSON.parse(tintype(join(clone, 'bin/tintype'), empty).stdout);
    expect(env.NODE_COMPILE_CACHE).toBe(join(clone, '.tintype/compile-cache'));
    expect(Number(env.UV_THREADPOOL_SIZE)).toBeGreaterThan(4);
    const chosen = { NODE_COMPILE_CACHE: join(clone, 'mine'), UV_THREADPOOL_SIZE: '3' };
    expect(JSON.parse(tintype(join(clone, 'bin/tintype'), chosen).stdout).env).toMatchObject(chosen);
  });
});

describe('the set-up', () => {
  const offline = has(
    'a network namespace (unshare, as root or with user namespaces)',
    () => spawnSync('unshare', ['-n', 'true']).status === 0,
  );

  it.runIf(offline)('where nothing is missing installs and fetches nothing', () => {
    // The project itself is set up, or this test would not run; only its dashboard may have been edited since.
    const { status, stdout, stderr } = spawnSync('unshare', ['-n', process.execPath, 'setup/setup.js'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).not.toMatch(/Installing|Fetching/);
  });

  it('that fails says in words what failed and what to run, leaves no lock, and exits with 1', () => {
    mkdirSync(join(clone, 'broken'));
    writeFileSync(join(clone, 'broken/npm'), '#!/bin/sh\necho "npm error no network here" >&2\nexit 1\n', {
      mode: 0o755,
    });
    const { status, stdout, stderr } = spawnSync(process.execPath, ['setup/setup.js'], {
      cwd: clone,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${clone}/broken:${process.env.PATH}` },
    });
    expect(status).toBe(1);
    expect(stdout).toContain('Installing the packages');
    expect(stderr).toContain('npm error no network here');
    expect(stderr).toContain(`cd ${clone} && npm install`);
    expect(stderr).not.toMatch(/\bat \S+:\d+/);
    expect(readdirSync(join(clone, '.tintype'))).toEqual([]);
  });
});
