// The renders of each account and month. One row is the truth for all machines, and it survives restarts.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

export function quotaIn({ db, relaxed }: Database): Store['quota'] {
  // An allowance that is introduced during a month begins with what the account has rendered in it.
  const rendered = (accountId: string, month: number): RawBuilder<number> =>
    sql<number>`(select coalesce(sum(renders), 0) from usage_hours where account_id = ${accountId} and hour >= ${month})`;
  return {
    async take(accountId, month, limit) {
      const { rows } = await sql<{ used: number }>`
        insert into quota_months (account_id, month, used)
        select ${accountId}, ${sql.val(month)}, before.renders + 1
        from (select cast(${rendered(accountId, month)} as bigint) as renders) as before
        where before.renders < ${limit}
          or exists (select 1 from quota_months where account_id = ${accountId} and month = ${month})
        on conflict (account_id, month) do update set used = quota_months.used + 1 where quota_months.used < ${limit}
        returning used`.execute(relaxed);
      return rows[0]?.used;
    },
    async giveBack(accountId, month) {
      await relaxed
        .updateTable('quota_months')
        .set((eb) => ({ used: eb('used', '-', 1) }))
        .where('account_id', '=', accountId)
        .where('month', '=', month)
        .where('used', '>', 0)
        .execute();
    },
    async used(accountId, month) {
      const { rows } = await sql<{ used: number }>`
        select cast(coalesce(
          (select used from quota_months where account_id = ${accountId} and month = ${month}),
          ${rendered(accountId, month)}
        ) as bigint) as used`.execute(db);
      return rows[0]?.used ?? 0;
    },
    async prune(before) {
      await relaxed.deleteFrom('quota_months').where('month', '<', before).execute();
    },
  };
}
