// Opens the database for one command. A server may be running on the same database.
import { createLog } from '../kernel/log.ts';
import { type OpenStore, openStore } from '../store/open.ts';
import type { Account } from '../store/store.ts';
import { type CommandIo, Failure } from './command.ts';

// A command prints its own lines, and no log.
const silent = createLog('silent');

export async function withStore(io: CommandIo, work: (store: OpenStore) => Promise<void>): Promise<void> {
  const { dataDir, databaseUrl } = io.config();
  const store = await openStore({ dataDir, databaseUrl, log: silent });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

export async function accountOf(store: OpenStore, email: string): Promise<Account> {
  const account = await store.accounts.byEmail(email);
  if (account === undefined) throw new Failure(`There is no account of ${email}. See: tintype account list`);
  return account;
}
