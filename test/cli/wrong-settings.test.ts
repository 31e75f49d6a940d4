// Settings that cannot work end the server at once, with one sentence and without a password in it.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { makeFolder } from '../../src/kernel/folders.ts';

const dir = mkdtempSync(join(tmpdir(), 'tintype-settings-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const command = join(import.meta.dirname, '../../bin/tintype');

/** Ended by force if it does not end by itself; how long that takes on this machine is not what is asked. */
function tintype(args: readonly string[], env: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env;
  const all = { PATH, HOME, PORT: '0', DATA_DIR: join(dir, 'data'), LOG_LEVEL: 'debug', ...env };
  const { status, signal, stdout, stderr } = spawnSync(command, args, {
    env: all,
    timeout: 150_000,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
  });
  return { status, signal, said: stdout + stderr };
}

describe('a DATA_DIR that cannot be written', () => {
  const file = join(dir, 'a-file');
  writeFileSync(file, '');
  // In /proc a mkdir answers "no such file", over which Node's own recursive mkdir tries for ever.
  it.each(['/proc/tintype', '/proc/tintype/deeper', file, join(file, 'below')])('%s', (path) => {
    const { status, said } = tintype(['serve'], { DATA_DIR: path });
    expect([status, said]).toEqual([
      1,
      expect.stringContaining(`DATA_DIR is ${path}, and Tintype cannot write there (`),
    ]);
  });

  it('and a folder that can is made with those above it', () => {
    const path = join(dir, 'one', 'two', 'three');
    makeFolder(path);
    makeFolder(path);
    expect(() => makeFolder(join(file, 'x'))).toThrow(/ENOTDIR|EEXIST/);
  });
});

it('a database in DATA_DIR that is damaged is told with its folder, and not as one that may answer later', () => {
  const folder = join(dir, 'damaged');
  makeFolder(folder);
  writeFileSync(join(folder, 'tintype.db'), 'This is not a database, and no later try makes it one.');
  for (const args of [['serve'], ['account', 'list']]) {
    const { status, said } = tintype(args, { DATA_DIR: folder });
    expect([args, status, said]).toEqual([args, 1, expect.stringContaining('file is not a database')]);
    expect(said).toContain(`Check the disk of ${folder} and the permissions of its files.`);
    expect(said).not.toContain('Try again');
  }
  writeFileSync(join(folder, 'server.lock'), 'Neither is this, which a full disk has cut off before its end.');
  const { said } = tintype(['serve'], { DATA_DIR: folder });
  expect(said).toContain(`Check the disk of ${folder} and the permissions of its files.`);
}, 300_000);

describe('a malformed address', () => {
  it.each([
    { DATABASE_URL: 'postgresq://tintype:hunter2@db/x' },
    { DATABASE_URL: 'postgres://tintype:hun#ter2@db/x' },
    { DATABASE_URL: 'postgres://tintype:hun/ter2@db/x' },
    { DATABASE_URL: 'tintype:hunter2@db' },
    { DATABASE_URL: 'postgres://tintype:hunter2@db:99999/x' },
    { REDIS_URL: 'rediss:/:hunter2@host' },
    { REDIS_URL: 'redis://:hun/ter2@host:6379' },
    { S3_ENDPOINT: 'https://me:hunter2@host/path' },
    { BASE_URL: 'ftp://me:hunter2@host' },
  ])('%o is named without what it is', (env) => {
    const [name = ''] = Object.keys(env);
    let said = '';
    try {
      loadConfig(env);
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toContain(`${name} must be `);
    expect(said).not.toMatch(/hunter2|ter2/);
  });

  it.each<Record<string, string>>([
    { DATABASE_URL: 'postgres://tintype:hunter2@127.0.0.1:1/x?password=hunter2' },
    { REDIS_URL: 'redis://:hunter2@127.0.0.1:1' },
  ])(
    '%o that nobody answers is told without its password, by the server and by doctor',
    (env) => {
      for (const args of [['serve'], ['doctor']]) {
        const { status, said } = tintype(args, env);
        expect([args, status]).toEqual([args, 1]);
        expect(said).toMatch(/does not answer|ECONNREFUSED/);
        expect(said).toContain(Object.keys(env)[0]);
        expect(said).not.toContain('hunter2');
      }
    },
    120_000,
  );
});

it('a port in use and a HOST of another machine are named in the error', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const temporary = join(dir, 'temporary');
  mkdirSync(temporary);
  chmodSync(temporary, 0o755);
  const inUse = tintype(['serve'], { PORT: String(port), TMPDIR: temporary });
  expect([inUse.status, inUse.said]).toEqual([1, expect.stringContaining(`Port ${port} is in use already.`)]);
  expect(readdirSync(temporary), 'the profile of the browser that it had started').toEqual([]);
  const elsewhere = tintype(['serve'], { HOST: '203.0.113.9' });
  expect([elsewhere.status, elsewhere.said]).toEqual([
    1,
    expect.stringContaining('HOST is 203.0.113.9, which is no address'),
  ]);
  server.close();
}, 340_000);
