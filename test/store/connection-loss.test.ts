// A database that goes in the middle of a query takes the query with it, never the node.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../src/kernel/log.ts';
import { type OpenStore, openStore } from '../../src/store/open.ts';
import { hasPostgres, type Postgres, startPostgres } from '../harness/postgres.ts';

let postgres: Postgres | undefined;
let store: OpenStore | undefined;
const clients = new Set<Socket>();
// Between the two, so that a connection can be cut without a word: PostgreSQL itself says goodbye.
const between = createServer();
const postgresIsHere = hasPostgres();
beforeAll(async () => {
  if (!postgresIsHere) return;
  postgres = await startPostgres();
  const url = new URL(await postgres.createDatabase());
  const behind = Number(url.port);
  between.on('connection', (client) => {
    const server = connect(behind, '127.0.0.1');
    clients.add(client);
    for (const socket of [client, server]) socket.on('error', () => {});
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
  url.port = String((between.address() as AddressInfo).port);
  store = await openStore({ dataDir: '/nonexistent', databaseUrl: url.href, log: createLog('silent') });
});
afterAll(async () => {
  await store?.close();
  between.close();
  await postgres?.remove();
});

// A failure here is an uncaught exception, which vitest counts as one of the run.
it.skipIf(!postgresIsHere).each([
  ['reset', (client: Socket) => client.resetAndDestroy()],
  ['closed', (client: Socket) => client.destroy()],
])('a connection that is %s during a query is 503 for who asked, and the next query has another', async (_, cut) => {
  const asked = expect(sql`select pg_sleep(30)`.execute((store as OpenStore).db)).rejects.toMatchObject({
    code: 'storage_unavailable',
  });
  await new Promise((done) => setTimeout(done, 300));
  for (const client of clients) cut(client);
  clients.clear();
  await asked;
  await store?.ping();
});
