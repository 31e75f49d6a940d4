// Adds the addresses from which each account has signed in: from there it signs in during a flood of wrong passwords, too.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table sign_in_addresses (
    account_id text not null references accounts (id) on delete cascade,
    address text not null,
    last_at bigint not null,
    primary key (account_id, address))`.execute(db);
}
