// A database that is locked, slow, away or back: the caller hears storage_unavailable soon, and never anything else.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authenticate, createKey } from '../../src/access/keys.ts';
import { sleep } from '../../src/kernel/deadline.ts';
import { createLog } from '../../src/kernel/log.ts';
import { databaseFile, type OpenStore, openStore } from '../../src/store/open.ts';
import { databases, type TestDatabase } from '../harness/databases.ts';
import { hasLinux } from '../harness/needs.ts';
import { hasPostgres, type Postgres, startPostgres } from '../harness/postgres.ts';

const run = promisify(execFile);
const away = { code: 'storage_unavailable', status: 503, retryAfter: expect.any(Number) };

/** Refused with storage_unavailable, and soon. */
async function expectAway(work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await expect(work()).rejects.toMatchObject(away);
  expect(performance.now() - began).toBeLessThan(6000);
}

describe.each(databases)('$name', (kind) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await kind.create();
  });
  afterEach(() => database.remove());
  afterAll(() => kind.end());

  it('is migrated once when several processes open it at the same moment', async () => {
    const script = `
      const { openStore } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/store/open.ts'))});
      const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/kernel/log.ts'))});
      const { dataDir, databaseUrl } = JSON.parse(process.argv[1]);
      const store = await openStore({ dataDir, databaseUrl, log: createLog('silent') });
      process.stdout.write(await store.values.setIfAbsent('who', String(process.pid)));
      await store.close();`;
    const { dataDir, databaseUrl } = database.options;
    const open = () =>
      run(process.execPath, ['--input-type=module', '-e', script, JSON.stringify({ dataDir, databaseUrl })]);
    const winners = await Promise.all(Array.from({ length: 5 }, open));
    expect(new Set(winners.map(({ stdout }) => stdout)).size).toBe(1);
    const store = await database.open();
    expect(await store.db.selectFrom('migrations').select('name').execute()).toEqual([
      { name: '001-first' },
      { name: '002-verdict' },
      { name: '003-freshness' },
      { name: '004-jobs' },
      { name: '005-webhooks' },
      { name: '006-subject' },
      { name: '007-administration' },
      { name: '008-own-templates' },
      { name: '009-sites' },
      { name: '010-removed-templates' },
      { name: '011-jobs-of-key' },
      { name: '012-sign-in-addresses' },
      { name: '013-account-bytes' },
    ]);
  });

  it('of a newer Tintype is not changed, and the error says so', async () => {
    const store = await database.open();
    await store.db.insertInto('migrations').values({ name: '999-future', at: 1 }).execute();
    await expect(openStore(database.options)).rejects.toThrow(/newer Tintype.*999-future/);
  });

  it('contains no key in plain text', async () => {
    const store = await database.open();
    const account = await store.accounts.create({ email: 'one@example.test', plan: 'free' });
    const { secret } = await createKey(store, { accountId: account.id, name: 'mine', limit: 2 });
    await authenticate({ header: secret }, store);
    const tables = ['api_keys', 'accounts', 'service_values'] as const;
    const rows = await Promise.all(tables.map((table) => store.db.selectFrom(table).selectAll().execute()));
    expect(JSON.stringify(rows)).toContain(secret.slice(0, 12));
    expect(JSON.stringify(rows)).not.toContain(secret.slice(0, 16));
    for (const file of kind.name === 'SQLite' ? readdirSync(database.options.dataDir) : [])
      expect(readFileSync(join(database.options.dataDir, file)).includes(secret.slice(0, 16))).toBe(false);
  });

  it('reports a constraint error as such, not as an unavailable database', async () => {
    const store = await database.open();
    const account = {
      id: 'acc_none',
      account_id: 'acc_none',
      token: 't',
      expires_at: '',
      created_at: '',
      updated_at: '',
    };
    const time = new Date().toISOString();
    const session = { ...account, expires_at: time, created_at: time, updated_at: time };
    await expect(store.db.insertInto('sessions').values(session).execute()).rejects.toThrow(/foreign key/i);
    expect(await store.values.get('still there')).toBeUndefined();
  });
});

describe('SQLite', () => {
  let dataDir: string;
  let store: OpenStore;
  let other: DatabaseSync;
  beforeEach(async () => {
    dataDir = join(await mkdtemp(join(tmpdir(), 'tintype-faults-')), 'data');
    store = await openStore({ dataDir, log: createLog('silent') });
    other = new DatabaseSync(join(dataDir, databaseFile));
  });
  afterEach(async () => {
    other.close();
    await store.close();
    await rm(join(dataDir, '..'), { recursive: true, force: true });
  });

  it('is readable for its owner only', () => {
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const files = readdirSync(dataDir);
    expect(files).toContain(`${databaseFile}-wal`);
    for (const file of files) expect(statSync(join(dataDir, file)).mode & 0o777, file).toBe(0o600);
  });

  // Without this lock `sqlite3 … .backup` takes its own connection for the last one and deletes the log, with later writes.
  it.runIf(hasLinux())('holds its lock on the file, also after it has made its tables', () => {
    const { ino } = statSync(join(dataDir, databaseFile));
    const locks = readFileSync('/proc/locks', 'utf8').split('\n');
    expect(locks.filter((lock) => lock.includes(` ${process.pid} `) && lock.includes(`:${ino} `))).toHaveLength(1);
  });

  it('waits for a short write of another process without blocking the event loop', async () => {
    other.exec('begin immediate');
    let ticks = 0;
    const clock = setInterval(() => ticks++, 5);
    const write = store.values.set('name', 'value');
    await sleep(300);
    other.exec('commit');
    await write;
    clearInterval(clock);
    expect(ticks).toBeGreaterThan(10);
    expect(await store.values.get('name')).toBe('value');
  });

  it('locked for long refuses writes soon, all of them, reads on, and recovers by itself', async () => {
    await store.values.set('name', 'before');
    const account = await store.accounts.create({ email: 'one@example.test', plan: 'free' });
    const { secret } = await createKey(store, { accountId: account.id, name: 'mine', limit: 2 });
    other.exec('begin immediate');
    await Promise.all([
      expectAway(() => store.values.set('name', 'one')),
      expectAway(() => store.values.set('name', 'two')),
      expectAway(() => createKey(store, { accountId: account.id, name: 'mine', limit: 2 })),
      // What every request does goes on, at its usual pace.
      expect(authenticate({ header: secret }, store)).resolves.toMatchObject({ account: { id: account.id } }),
    ]);
    other.exec('rollback');
    expect(await store.values.get('name')).toBe('before');
    await store.values.set('name', 'after');
    expect(await store.values.get('name')).toBe('after');
  });

  it('rolls a transaction back as a whole when its body fails, and goes on', async () => {
    const failing = store.db.transaction().execute(async (trx) => {
      await trx.insertInto('service_values').values({ name: 'half', value: 'done' }).execute();
      throw new Error('midway');
    });
    await expect(failing).rejects.toThrow('midway');
    expect(await store.values.get('half')).toBeUndefined();
    await store.values.set('half', 'later');
  });

  it('that is no database is storage_unavailable, with the reason as cause', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'tintype-faults-'));
    const { writeFile } = await import('node:fs/promises');
    await writeFile(join(elsewhere, databaseFile), 'this is no database, and it is long enough to tell. '.repeat(40));
    const opening = openStore({ dataDir: elsewhere, log: createLog('silent') });
    await expect(opening).rejects.toMatchObject({
      ...away,
      cause: { message: expect.stringContaining('not a database') },
    });
    await rm(elsewhere, { recursive: true });
  });
});

describe.runIf(hasPostgres())('PostgreSQL', () => {
  let server: Postgres;
  let store: OpenStore;
  beforeAll(async () => {
    server = await startPostgres();
    store = await openStore({
      dataDir: tmpdir(),
      databaseUrl: await server.createDatabase(),
      log: createLog('silent'),
    });
  });
  afterAll(async () => {
    await store.close();
    await server.remove();
  });

  it('stopped is storage_unavailable for every query, never 401, and recovers', async () => {
    const account = await store.accounts.create({ email: 'one@example.test', plan: 'free' });
    const { secret } = await createKey(store, { accountId: account.id, name: 'mine', limit: 2 });
    await server.stop();
    await expectAway(() => authenticate({ header: secret }, store));
    await expectAway(() => store.cache.find('key'));
    await expectAway(() => store.ping());
    await expectAway(() => createKey(store, { accountId: account.id, name: 'mine', limit: 2 }));
    await server.start();
    expect(await authenticate({ header: secret }, store)).toMatchObject({ account: { id: account.id } });
    await createKey(store, { accountId: account.id, name: 'mine', limit: 2 });
  });

  it('that hangs is storage_unavailable, and answers again when it is back', async () => {
    await store.ping();
    await server.freeze();
    try {
      await Promise.all(Array.from({ length: 15 }, () => expectAway(() => store.ping())));
      await expectAway(() => store.values.set('name', 'value'));
    } finally {
      await server.thaw();
    }
    await store.ping();
    expect(await store.values.setIfAbsent('name', 'other')).toBe('other');
  });

  it('behind a connection that went silent is asked again on a new one', async () => {
    // A network that drops packets without a word: connections of before are dead, new ones are fine.
    const databaseUrl = new URL(await server.createDatabase());
    const port = Number(databaseUrl.port);
    const sockets: Socket[] = [];
    const proxy = createServer((client) => {
      const upstream = connect(port, '127.0.0.1');
      for (const socket of [client, upstream]) sockets.push(socket.on('error', () => {}));
      client.pipe(upstream).pipe(client);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    databaseUrl.port = String((proxy.address() as AddressInfo).port);
    const through = await openStore({ dataDir: tmpdir(), databaseUrl: databaseUrl.href, log: createLog('silent') });
    await through.ping();
    for (const socket of sockets) socket.unpipe().pause();
    await expectAway(() => through.ping());
    await through.ping();
    await through.close();
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });

  it('that refuses the connection at the start is storage_unavailable, with the reason as cause', async () => {
    const databaseUrl = (await server.createDatabase()).replace(/\/test_\w+$/, '/no_such_database');
    const opening = openStore({ dataDir: tmpdir(), databaseUrl, log: createLog('silent') });
    await expect(opening).rejects.toMatchObject({
      ...away,
      cause: { message: expect.stringContaining('no_such_database') },
    });
  });
});
