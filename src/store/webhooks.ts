// Webhooks in the database: deliveries and every attempt to send one. A delivery is written in the transaction that ends
// its job, so that there is never one without the other.
import { hash } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { inChunks, removeInPages } from './chunks.ts';
import type { Database } from './database.ts';
import { randomText } from './identifiers.ts';
import { notLocked } from './row-locks.ts';
import type { Schema, WebhookAttemptRow, WebhookDeliveryRow } from './schema.ts';
import { claimsIn, type WebhookClaims } from './webhook-claims.ts';
import { secretsIn, type WebhookSecretRows } from './webhook-secrets.ts';

export type WebhookType = WebhookDeliveryRow['type'];

export type NewDelivery = {
  readonly accountId: string;
  readonly type: WebhookType;
  /** The job or batch. */
  readonly subjectId: string;
  readonly url: string;
  readonly body: string;
  readonly at: number;
};

/** `attempts` counts since it was created or sent again. */
export type WebhookDelivery = Pick<WebhookDeliveryRow, 'id' | 'type' | 'url' | 'body' | 'state' | 'attempts'> & {
  readonly subjectId: string;
  readonly createdAt: number;
  /** When it is tried next; null once it has ended. */
  readonly dueAt: number | null;
  readonly isSending: boolean;
};

export type WebhookAttempt = Pick<WebhookAttemptRow, 'id' | 'at' | 'status' | 'error' | 'answer'> & {
  readonly durationMs: number;
};

export type WebhookStore = WebhookClaims & {
  readonly secrets: WebhookSecretRows;
  add(delivery: NewDelivery): Promise<string | undefined>;
  /** Newest first; `before` is the id of the last one that is known. */
  list(accountId: string, count: number, before?: string): Promise<WebhookDelivery[]>;
  /** With its attempts, oldest first; undefined if the account has no such delivery. */
  find(accountId: string, deliveryId: string): Promise<(WebhookDelivery & { tries: WebhookAttempt[] }) | undefined>;
  /** How many tests the account has sent since then. */
  testsSince(accountId: string, from: number): Promise<number>;
  /** Starts the schedule anew. False if the account has no such delivery. */
  sendAgain(accountId: string, deliveryId: string, at: number): Promise<boolean>;
  /** Removes deliveries that have ended and were created before this time. */
  prune(before: number): Promise<void>;
};

/** An account has at most this many lanes, so that senders can look at all of them. */
const lanes = 64;

const laneOf = (url: string): number =>
  Number.parseInt(hash('sha256', new URL(url).host, 'hex').slice(0, 8), 16) % lanes;

/**
 * Writes a delivery, in the caller's transaction. Returns its id, or undefined if the job or batch has one of this type
 * already.
 */
export async function addDelivery(trx: Kysely<Schema>, delivery: NewDelivery): Promise<string | undefined> {
  const { accountId, type, subjectId, url, body, at } = delivery;
  const row = await trx
    .insertInto('webhook_deliveries')
    .values({
      id: `msg_${randomText(24)}`,
      account_id: accountId,
      type,
      subject_id: subjectId,
      url,
      lane: laneOf(url),
      body,
      state: 'pending',
      attempts: 0,
      due_at: at,
      lease: null,
      created_at: at,
    })
    .onConflict((conflict) => conflict.columns(['type', 'subject_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Kept when it is sent again: the schedule has ten. */
const attemptsKept = 40;

const toDelivery = (row: Selectable<WebhookDeliveryRow>): WebhookDelivery => ({
  id: row.id,
  type: row.type,
  subjectId: row.subject_id,
  url: row.url,
  body: row.body,
  state: row.state,
  attempts: row.attempts,
  createdAt: row.created_at,
  dueAt: row.state === 'pending' ? row.due_at : null,
  isSending: row.lease !== null,
});

const toAttempt = (row: Selectable<WebhookAttemptRow>): WebhookAttempt => ({
  id: row.id,
  at: row.at,
  status: row.status,
  error: row.error,
  answer: row.answer,
  durationMs: row.duration_ms,
});

export function webhooksIn(database: Database): WebhookStore {
  const { db, relaxed, dialect } = database;
  const own = (accountId: string, id: string) =>
    db.selectFrom('webhook_deliveries').where('id', '=', id).where('account_id', '=', accountId);

  return {
    ...claimsIn(database),
    secrets: secretsIn(database),
    add: (delivery) => addDelivery(db, delivery),
    async list(accountId, count, before) {
      let query = db.selectFrom('webhook_deliveries').selectAll().where('account_id', '=', accountId);
      if (before !== undefined) {
        const last = await own(accountId, before).select(['created_at', 'id']).executeTakeFirst();
        if (last === undefined) return [];
        query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(last.created_at, last.id)));
      }
      const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(count).execute();
      return rows.map(toDelivery);
    },
    async find(accountId, deliveryId) {
      const row = await own(accountId, deliveryId).selectAll().executeTakeFirst();
      if (row === undefined) return undefined;
      const rows = await db
        .selectFrom('webhook_attempts')
        .selectAll()
        .where('delivery_id', '=', deliveryId)
        .orderBy('at')
        .execute();
      return { ...toDelivery(row), tries: rows.map(toAttempt) };
    },
    async testsSince(accountId, from) {
      const { count } = await db
        .selectFrom('webhook_deliveries')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('created_at', '>=', from)
        .where('type', '=', sql.lit('test'))
        .executeTakeFirstOrThrow();
      return count;
    },
    sendAgain: (accountId, deliveryId, at) =>
      db.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('webhook_deliveries')
          .set({ state: 'pending', attempts: 0, due_at: at, lease: null })
          .where('id', '=', deliveryId)
          .where('account_id', '=', accountId)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        const older = await trx
          .selectFrom('webhook_attempts')
          .select('id')
          .where('delivery_id', '=', deliveryId)
          .orderBy('at', 'desc')
          .limit(1000)
          .offset(attemptsKept)
          .execute();
        for (const some of inChunks(older.map(({ id }) => id)))
          await trx.deleteFrom('webhook_attempts').where('id', 'in', some).execute();
        return true;
      }),
    prune: (before) =>
      removeInPages(async (most) => {
        const some = relaxed
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('created_at', '<', before)
          .where('state', '!=', 'pending')
          .limit(most);
        const old = relaxed.deleteFrom('webhook_deliveries').where('id', 'in', notLocked(some, dialect));
        return Number((await old.executeTakeFirst()).numDeletedRows);
      }),
  };
}
