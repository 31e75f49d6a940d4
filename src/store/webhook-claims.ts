// Who sends what: senders claim deliveries that are due, for the time of a lease, and note what came of them. If a
// sender dies, its lease ends and another one claims the delivery.
import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import { randomText } from './identifiers.ts';
import { notLocked } from './row-locks.ts';
import type { Schema } from './schema.ts';
import type { WebhookAttempt, WebhookDelivery } from './webhooks.ts';

export type ClaimedDelivery = Pick<WebhookDelivery, 'id' | 'type' | 'url' | 'body' | 'attempts'> & {
  readonly accountId: string;
  readonly lease: string;
};

/** How many deliveries may be under way at once, on all machines. */
export type ClaimLimits = { readonly ofAccount: number; readonly ofLane: number };

/** A null `dueAt` ends the delivery. */
export type DeliveryOutcome = { readonly state: 'delivered' | 'failed' | 'pending'; readonly dueAt: number | null };

export type AttemptNote = {
  readonly claimed: ClaimedDelivery;
  readonly attempt: Omit<WebhookAttempt, 'id'>;
  readonly outcome: DeliveryOutcome;
};

export type WebhookClaims = {
  /** At most `count` deliveries that are due at `now`: the longest due first, of lanes with the fewest under way. */
  claim(count: number, now: number, leaseMs: number, limits: ClaimLimits): Promise<ClaimedDelivery[]>;
  /** Records attempts, all or none. Ignores the outcome of one whose lease has passed to another sender. */
  note(notes: readonly AttemptNote[]): Promise<void>;
  /** Gives deliveries back that were claimed and not sent. */
  giveBack(claimed: ClaimedDelivery, at: number): Promise<void>;
  /** Ends all leases: for the start of a process that alone uses the database. */
  endLeases(now: number): Promise<void>;
  /** When the next delivery is due; undefined if none is pending. */
  nextDueAt(): Promise<number | undefined>;
  pending(): Promise<number>;
};

/** Serializes the claims of all machines: otherwise two could both find an account below its limit. */
const lockId = 845_216_032;

type HostLane = { readonly account_id: string; readonly lane: number };
const nameOf = ({ account_id, lane }: HostLane) => `${account_id} ${lane}`;

export function claimsIn({ db, relaxed, dialect, prepare }: Database): WebhookClaims {
  const nextDue = prepare(
    db
      .selectFrom('webhook_deliveries')
      .select((eb) => eb.fn.min<number | null>('due_at').as('at'))
      .where('state', '=', sql.lit('pending'))
      .compile(),
    ({ at }) => at,
  );

  return {
    claim: (count, now, leaseMs, limits) =>
      relaxed.transaction().execute(async (trx) => {
        if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${lockId})`.execute(trx);
        const busy = await underWay(trx, now);
        const full = [...busy.ofAccount].filter(([, underway]) => underway >= limits.ofAccount).map(([id]) => id);
        const shares = share(await lanesDue(trx, now, count, full), busy, count, limits);
        const claimed: ClaimedDelivery[] = [];
        for (const { account_id, lane, take } of shares) {
          const lease = randomText(16);
          const rows = await trx
            .updateTable('webhook_deliveries')
            .set({ lease, due_at: now + leaseMs })
            .where('id', 'in', (eb) => {
              const due = eb
                .selectFrom('webhook_deliveries')
                .select('id')
                .where('state', '=', sql.lit('pending'))
                .where('account_id', '=', account_id)
                .where('lane', '=', lane)
                .where('due_at', '<=', now)
                .orderBy('due_at')
                .limit(take);
              return notLocked(due, dialect);
            })
            .returning(['id', 'account_id', 'type', 'url', 'body', 'attempts', 'created_at'])
            .execute();
          rows.sort((a, b) => a.created_at - b.created_at);
          for (const { id, account_id: accountId, type, url, body, attempts } of rows)
            claimed.push({ id, accountId, type, url, body, attempts, lease });
        }
        return claimed;
      }),

    note: (notes) =>
      relaxed.transaction().execute(async (trx) => {
        // In order, so that transactions that lock the same deliveries cannot deadlock.
        const ordered = notes.toSorted((a, b) => (a.claimed.id < b.claimed.id ? -1 : 1));
        for (const each of ordered) await noteOne(trx, each);
      }),

    async giveBack({ id, lease }, at) {
      await relaxed
        .updateTable('webhook_deliveries')
        .set({ lease: null, due_at: at })
        .where('id', '=', id)
        .where('lease', '=', lease)
        .execute();
    },

    async endLeases(now) {
      await relaxed
        .updateTable('webhook_deliveries')
        .set({ lease: null, due_at: now })
        .where('lease', 'is not', null)
        .execute();
    },

    nextDueAt: async () => (await nextDue())[0] ?? undefined,

    async pending() {
      const { count } = await db
        .selectFrom('webhook_deliveries')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('state', '=', sql.lit('pending'))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

async function noteOne(trx: Kysely<Schema>, { claimed, attempt, outcome }: AttemptNote): Promise<void> {
  const { id, lease, attempts } = claimed;
  const { numUpdatedRows } = await trx
    .updateTable('webhook_deliveries')
    .set({
      state: outcome.state,
      due_at: outcome.dueAt ?? attempt.at,
      attempts: attempts + 1,
      lease: null,
    })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirst();
  // Another sender has it, it was sent again, or it is gone with its account.
  if (numUpdatedRows === 0n && !(await exists(trx, id))) return;
  await trx
    .insertInto('webhook_attempts')
    .values({
      id: randomText(20),
      delivery_id: id,
      at: attempt.at,
      status: attempt.status,
      error: attempt.error,
      duration_ms: attempt.durationMs,
      answer: attempt.answer,
    })
    .execute();
}

const exists = async (trx: Kysely<Schema>, id: string): Promise<boolean> =>
  (await trx.selectFrom('webhook_deliveries').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

/** How many are under way, by account and by lane. */
type UnderWay = { readonly ofAccount: Map<string, number>; readonly ofLane: Map<string, number> };

function add({ ofAccount, ofLane }: UnderWay, lane: HostLane, count: number): void {
  ofAccount.set(lane.account_id, (ofAccount.get(lane.account_id) ?? 0) + count);
  ofLane.set(nameOf(lane), (ofLane.get(nameOf(lane)) ?? 0) + count);
}

type DueLane = HostLane & { readonly due_at: number };

/**
 * The lanes that have a delivery due, the longest due first, of all accounts but these. It jumps from lane to lane in the index, so its cost does
 * not depend on how many deliveries wait in one.
 */
async function lanesDue(
  trx: Kysely<Schema>,
  now: number,
  count: number,
  except: readonly string[],
): Promise<DueLane[]> {
  const pending = sql`from webhook_deliveries as d where d.state = 'pending'`;
  const others = except.length === 0 ? sql`` : sql`and account_id not in (${sql.join(except)})`;
  // Two searches for the next lane: SQLite would search for `(account_id, lane) > (…)` by the account only.
  const { rows } = await sql<DueLane>`
    with recursive lanes (account_id, lane, due_at) as (
      select * from (select d.account_id, d.lane, d.due_at ${pending}
        order by d.account_id, d.lane, d.due_at limit 1) as first
      union all
      select n.account_id, n.lane, n.due_at from lanes join webhook_deliveries as n on n.id = coalesce(
        (select d.id ${pending} and d.account_id = lanes.account_id and d.lane > lanes.lane
          order by d.lane, d.due_at limit 1),
        (select d.id ${pending} and d.account_id > lanes.account_id
          order by d.account_id, d.lane, d.due_at limit 1)))
    select account_id, lane, due_at from lanes where due_at <= ${now} ${others} order by due_at limit ${count * 4}`.execute(
    trx,
  );
  return rows;
}

async function underWay(trx: Kysely<Schema>, now: number): Promise<UnderWay> {
  const rows = await trx
    .selectFrom('webhook_deliveries')
    .select(['account_id', 'lane'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('lease', 'is not', null)
    .where('due_at', '>', now)
    .groupBy(['account_id', 'lane'])
    .execute();
  const busy: UnderWay = { ofAccount: new Map(), ofLane: new Map() };
  for (const row of rows) add(busy, row, row.count);
  return busy;
}

/** Gives one delivery to each lane in turn, beginning with those that have the fewest under way. */
function share(
  lanes: readonly DueLane[],
  busy: UnderWay,
  count: number,
  limits: ClaimLimits,
): (HostLane & { readonly take: number })[] {
  const takes = new Map<DueLane, number>();
  let left = count;
  for (let level = 0; level < limits.ofLane && left > 0; level++)
    for (const lane of lanes) {
      const ofLane = busy.ofLane.get(nameOf(lane)) ?? 0;
      const ofAccount = busy.ofAccount.get(lane.account_id) ?? 0;
      if (left === 0 || ofLane > level || ofAccount >= limits.ofAccount) continue;
      takes.set(lane, (takes.get(lane) ?? 0) + 1);
      add(busy, lane, 1);
      left--;
    }
  return [...takes].map(([lane, take]) => ({ ...lane, take }));
}
