// The database for one command, beside a server that may be running on it.
import { createLog } from '../kernel/log.ts';
import { type OpenStore, openStore } from '../store/open.ts';
import type { Account } from '../store/store.ts';
import { Failure, type World } from './command.ts';

// A command speaks in its own lines.
const silent = createLog('silent');

export async function withStore(world: World, work: (store: OpenStore) => Promise<void>): Promise<void> {
  const { dataDir, databaseUrl } = world.config();
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

/** Rows under their headings, in columns. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const when = (time: number | null): string =>
  time === null ? '–' : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
