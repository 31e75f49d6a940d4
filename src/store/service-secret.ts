// Replaces the secret of the service, in one transaction with everything that is encrypted by keys derived from it.
import { type Kysely, sql } from 'kysely';
import type { OpenStore } from './open.ts';
import type { Schema } from './schema.ts';

export const serviceSecretName = 'service_secret';

/** Each encrypts a value for the new secret, or returns undefined if it cannot be decrypted with the old one. */
export type SecretChange = {
  webhookSecret(sealed: string, accountId: string): string | undefined;
  jobRequest(sealed: Uint8Array, jobId: string): Buffer | undefined;
  signInValue(encrypted: string): Promise<string | undefined>;
};

/**
 * How many values were encrypted again. `unreadable` could not be decrypted with the old secret; they are left as they are, but
 * for tokens of providers, which are removed.
 */
export type SecretChangeCounts = {
  webhookSecrets: number;
  jobRequests: number;
  twoFactors: number;
  providerTokens: number;
  unreadable: number;
  sessionsEnded: number;
};

/** Requests may have megabytes. */
const jobsAtOnce = 16;

/** Refuses while another process of Tintype is connected to PostgreSQL: it would go on with the old secret. */
export async function replaceServiceSecret(
  { db, dialect }: Pick<OpenStore, 'db' | 'dialect'>,
  next: string,
  changeFrom: (current: string) => SecretChange,
): Promise<SecretChangeCounts> {
  return db.transaction().execute(async (trx) => {
    if (dialect === 'postgres') await refuseOtherProcesses(trx);
    const counts: SecretChangeCounts = {
      webhookSecrets: 0,
      jobRequests: 0,
      twoFactors: 0,
      providerTokens: 0,
      unreadable: 0,
      sessionsEnded: 0,
    };
    const named = trx.selectFrom('service_values').select('value').where('name', '=', serviceSecretName);
    const current = (await named.executeTakeFirst())?.value;
    if (current !== undefined) {
      const change = changeFrom(current);
      await changeWebhookSecrets(trx, change, counts);
      await changeJobs(trx, change, counts);
      await changeTwoFactors(trx, change, counts);
      await changeProviderTokens(trx, change, counts);
    }
    // The body of a request cannot be compared with an HMAC of the old secret. A key that is sent again still finds its job.
    await trx.updateTable('idempotency_keys').set({ hash: '' }).execute();
    counts.sessionsEnded = Number((await trx.deleteFrom('sessions').executeTakeFirst()).numDeletedRows);
    await trx
      .insertInto('service_values')
      .values({ name: serviceSecretName, value: next })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: next }))
      .execute();
    return counts;
  });
}

async function refuseOtherProcesses(db: Kysely<Schema>): Promise<void> {
  const others = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and application_name = current_setting('application_name') and pid <> pg_backend_pid()`.execute(
    db,
  );
  if (others.rows.length > 0)
    throw new Error('Another Tintype process is connected to this database. Stop all api nodes first.');
}

async function changeWebhookSecrets(db: Kysely<Schema>, change: SecretChange, counts: SecretChangeCounts) {
  for (const { account_id: id, secret, previous } of await db.selectFrom('webhook_secrets').selectAll().execute()) {
    const changed = change.webhookSecret(secret, id);
    const changedPrevious = previous === null ? null : change.webhookSecret(previous, id);
    if (changed === undefined) {
      counts.unreadable++;
      continue;
    }
    counts.webhookSecrets++;
    await db
      .updateTable('webhook_secrets')
      .set({ secret: changed, previous: changedPrevious ?? null })
      .where('account_id', '=', id)
      .execute();
  }
}

async function changeJobs(db: Kysely<Schema>, change: SecretChange, counts: SecretChangeCounts) {
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('jobs')
      .select(['id', 'sealed'])
      .where('sealed', 'is not', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(jobsAtOnce)
      .execute();
    for (const { id, sealed } of rows) {
      last = id;
      const changed = sealed === null ? undefined : change.jobRequest(sealed, id);
      if (changed === undefined) counts.unreadable++;
      else {
        counts.jobRequests++;
        await db.updateTable('jobs').set({ sealed: changed }).where('id', '=', id).execute();
      }
    }
    if (rows.length < jobsAtOnce) return;
  }
}

async function changeTwoFactors(db: Kysely<Schema>, change: SecretChange, counts: SecretChangeCounts) {
  const rows = await db.selectFrom('two_factors').select(['id', 'secret', 'backup_codes']).execute();
  for (const { id, secret, backup_codes } of rows) {
    const changed = { secret: await change.signInValue(secret), backup_codes: await change.signInValue(backup_codes) };
    if (changed.secret === undefined && changed.backup_codes === undefined) {
      counts.unreadable++;
      continue;
    }
    counts.twoFactors++;
    await db
      .updateTable('two_factors')
      .set({ secret: changed.secret ?? secret, backup_codes: changed.backup_codes ?? backup_codes })
      .where('id', '=', id)
      .execute();
  }
}

/** Tokens of GitHub, Google or OpenID Connect. Nothing reads them, and each sign-in replaces them. */
async function changeProviderTokens(db: Kysely<Schema>, change: SecretChange, counts: SecretChangeCounts) {
  const rows = await db
    .selectFrom('credentials')
    .select(['id', 'access_token', 'refresh_token'])
    .where((eb) => eb.or([eb('access_token', 'is not', null), eb('refresh_token', 'is not', null)]))
    .execute();
  for (const { id, ...tokens } of rows) {
    const access = tokens.access_token && (await change.signInValue(tokens.access_token));
    const refresh = tokens.refresh_token && (await change.signInValue(tokens.refresh_token));
    if (access || refresh) counts.providerTokens++;
    else counts.unreadable++;
    const changed = { access_token: access ?? null, refresh_token: refresh ?? null };
    await db.updateTable('credentials').set(changed).where('id', '=', id).execute();
  }
}
