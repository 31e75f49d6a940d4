// `tintype doctor` and the data folder: it finds a full disk and a damaged database, and changes nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { runDoctor } from '../../src/doctor.ts';
import { holeOf } from '../../src/kernel/node-holes.ts';
import { databaseFile } from '../../src/store/open.ts';
import { databases, type TestDatabase } from '../harness/databases.ts';
import { has } from '../harness/needs.ts';

// Without a browser, whose start takes a second and is not what is tested.
const settings = { PORT: '0', BROWSER_PATH: '/nonexistent' };
type Check = { readonly name: string; readonly state: string; readonly says: string; readonly advice?: string };

async function checkOf(name: string, env: Record<string, string>): Promise<Check | undefined> {
  const lines: string[] = [];
  await runDoctor((line) => lines.push(line), loadConfig({ ...settings, ...env }), true);
  return (JSON.parse(lines.join('\n')) as { checks: Check[] }).checks.find((check) => check.name === name);
}

it('names the Node in use, where it is from, and a known hole of it', async () => {
  const check = await checkOf('Node', {});
  expect(check?.says).toContain(`${process.versions.node}, ${process.execPath}`);
  const hole = holeOf(process.versions.node);
  expect(check).toMatchObject(
    hole === undefined
      ? { state: 'good' }
      : { state: 'weak', says: expect.stringContaining(hole.id), advice: expect.stringContaining(hole.closedIn) },
  );
  expect(holeOf('24.21.0')).toMatchObject({ id: 'CVE-2026-111497', closedIn: '24.22.1' });
  for (const version of ['24.22.1', '24.22.2', '24.23.0', '25.0.0']) expect(holeOf(version)).toBeUndefined();
});

describe.each(databases)('the database on $name', (kind) => {
  let database: TestDatabase;
  let env: Record<string, string>;
  beforeEach(async () => {
    database = await kind.create();
    const { dataDir, databaseUrl } = database.options;
    env = { DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
  });
  afterEach(() => database.remove());
  afterAll(() => kind.end());

  it('of this version is well', async () => {
    await database.open();
    expect(await checkOf('database', env)).toEqual({
      name: 'database',
      state: 'good',
      says: expect.stringMatching(/^(SQLite|PostgreSQL at \S+)$/),
    });
  });

  it('of an older version is well, and is not migrated', async () => {
    const { db } = await database.open();
    const names = () => db.selectFrom('migrations').select('name').orderBy('name').execute();
    await db.deleteFrom('migrations').where('name', '=', '011-jobs-of-key').execute();
    const before = await names();
    expect(await checkOf('database', env)).toMatchObject({
      state: 'good',
      says: expect.stringContaining('(an older version made it; the next start migrates it)'),
    });
    expect(await names()).toEqual(before);
  });

  it('of a newer version is a fault', async () => {
    const { db } = await database.open();
    await db.insertInto('migrations').values({ name: '999-future', at: 1 }).execute();
    expect(await checkOf('database', env)).toMatchObject({
      state: 'missing',
      says: expect.stringContaining('made by a newer Tintype'),
    });
  });

  it('without tables is well, and gets none', async () => {
    if (kind.name === 'SQLite') await writeFile(join(database.options.dataDir, databaseFile), '');
    const says = expect.stringContaining('(its tables are created at the first start)');
    expect(await checkOf('database', env)).toMatchObject({ state: 'good', says });
    expect(await checkOf('database', env)).toMatchObject({ state: 'good', says });
  });
});

describe('a damaged database', () => {
  let dataDir: string;
  let file: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tintype-doctor-'));
    file = join(dataDir, databaseFile);
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));
  const restore = () => `The file is damaged: restore a backup of ${dataDir}.`;

  it('with broken pages is named as such, with the advice to restore a backup', async () => {
    const database = new DatabaseSync(file);
    database.exec('create table migrations (name text); create table service_values (name text)');
    database.close();
    // The first page, which has the schema, stays whole.
    await writeFile(file, (await readFile(file)).fill(0xff, 4096));
    expect(await checkOf('database', { DATA_DIR: dataDir })).toEqual({
      name: 'database',
      state: 'missing',
      says: 'SQLite cannot be used: database disk image is malformed',
      advice: restore(),
    });
  });

  it('that is no database is named as such', async () => {
    await writeFile(file, 'not a database\n'.repeat(1000));
    expect(await checkOf('database', { DATA_DIR: dataDir })).toMatchObject({
      says: 'SQLite cannot be used: file is not a database',
      advice: restore(),
    });
  });

  it('on PostgreSQL, one that does not answer, has the cause and the advice to check DATABASE_URL', async () => {
    const DATABASE_URL = 'postgres://tintype:hunter2@127.0.0.1:1/x';
    const check = await checkOf('database', { DATA_DIR: dataDir, DATABASE_URL });
    expect(check).toMatchObject({
      state: 'missing',
      says: 'PostgreSQL at 127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1',
      advice: expect.stringContaining('DATABASE_URL'),
    });
    expect(JSON.stringify(check)).not.toContain('hunter2');
  });

  it('leaves no file in the data folder', async () => {
    expect(await checkOf('data folder', { DATA_DIR: dataDir })).toMatchObject({ state: 'good', says: dataDir });
    expect(await readdir(dataDir)).toEqual([]);
  });
});

const command = join(import.meta.dirname, '../../bin/tintype');
const canMount = has('a mount namespace (unshare, as root or with user namespaces)', () => {
  try {
    execFileSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', tmpdir()], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

describe.skipIf(!canMount)('a disk', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tintype-doctor-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  /** Runs doctor with a data folder that is a disk of this size, with a file of `used` on it. */
  function doctorOn(size: string, used: string) {
    const script = `mount -t tmpfs -o size=${size} none "$DATA_DIR" && { head -c ${used} /dev/zero > "$DATA_DIR/other"; "${command}" doctor; }`;
    const { PATH = '', HOME = '' } = process.env;
    return spawnSync('unshare', ['-rm', 'sh', '-c', script], {
      env: { PATH, HOME, DATA_DIR: dataDir, ...settings },
      encoding: 'utf8',
    }).stdout;
  }

  it('that is full is a fault', () => {
    const said = doctorOn('1m', '2m');
    expect(said).toContain(`✗ data folder:   ${dataDir} cannot be written to (ENOSPC)`);
    expect(said).toContain('✗ free disk:     0.0 MB; at least 50 MB are needed');
    expect(said).toContain('Free some space, or set DATA_DIR to a folder on another disk.');
    expect(said).toContain('Tintype cannot run here yet');
  });

  it('with less than 50 MB is a fault, with more it is none', () => {
    const little = doctorOn('40m', '0');
    expect(little).toContain(`✓ data folder:   ${dataDir}`);
    expect(little).toContain('✗ free disk:     41.9 MB; at least 50 MB are needed');
    expect(doctorOn('64m', '0')).toContain('! free disk:     0.1 GB, and the cache may grow to 5.0 GB');
  });
});
