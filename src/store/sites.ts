// The sites of accounts, and what is known about their pages.
import { type Selectable, sql } from 'kysely';
import type { PlanName } from '../kernel/plans.ts';
import type { Database } from './database.ts';
import type { SiteRow } from './schema.ts';

const ownershipProofs = ['dns', 'file', 'meta'] as const;
export type OwnershipProof = (typeof ownershipProofs)[number];

export type Site = {
  readonly id: string;
  readonly accountId: string;
  /** `https://example.com`, with a port if it has one. */
  readonly origin: string;
  /** Proves the ownership of the origin. */
  readonly token: string;
  /** As the owner wrote them; empty where the home page says it. */
  readonly name: string;
  readonly description: string;
  readonly template: string;
  /** Values of the template's variables, the same on every card. */
  readonly values: Readonly<Record<string, string>>;
  /** The part of a page that fills a variable; null fills it with nothing. Other variables have the default. */
  readonly mapping: Readonly<Record<string, string | null>>;
  readonly createdAt: number;
  readonly changedAt: number;
  /** When the ownership was first proved, and how it was proved last. */
  readonly verifiedAt: number | null;
  readonly verifiedBy: OwnershipProof | null;
  readonly checkedAt: number | null;
  /** Since when the proof is missing. */
  readonly lostAt: number | null;
};

export type SiteSettings = Pick<Site, 'name' | 'description' | 'template' | 'values' | 'mapping'>;

export type SitePage = {
  readonly path: string;
  /** As JSON. */
  readonly facts: string;
  readonly readAt: number;
  /** The cache key of the last card. */
  readonly cardKey: string | null;
};

export type SiteOwner = { readonly id: string; readonly plan: PlanName; readonly disabled: boolean };

export type SiteStore = {
  /** False if the account has this origin, or `limit` sites, already. Atomic. */
  create(site: Site, limit: number): Promise<boolean>;
  /** One read, with the account joined. Every request of a card does it. */
  find(id: string): Promise<{ site: Site; owner: SiteOwner } | undefined>;
  /** Oldest first. */
  list(accountId: string): Promise<Site[]>;
  change(accountId: string, id: string, settings: SiteSettings, at: number): Promise<void>;
  /** Notes a check of the ownership, which began when the site was as given. Without a proof `by` is undefined. */
  noteCheck(site: Pick<Site, 'id' | 'checkedAt'>, by: OwnershipProof | undefined, at: number): Promise<void>;
  remove(accountId: string, id: string): Promise<boolean>;
  /** Verified sites that were checked before `before`, or before `lostBefore` if their proof is missing. */
  due(before: number, lostBefore: number, count: number): Promise<Site[]>;
  page(siteId: string, path: string): Promise<SitePage | undefined>;
  /** Stores the facts; beyond `limit` pages, those that were read longest ago are removed, but never the home page. */
  putPage(siteId: string, page: Omit<SitePage, 'cardKey'>, limit: number): Promise<void>;
  setCard(siteId: string, path: string, cardKey: string): Promise<void>;
  removePage(siteId: string, path: string): Promise<void>;
  countPages(siteId: string): Promise<number>;
};

const toSite = (row: Selectable<SiteRow>): Site => ({
  id: row.id,
  accountId: row.account_id,
  origin: row.origin,
  token: row.token,
  name: row.name,
  description: row.description,
  template: row.template,
  values: JSON.parse(row.fixed_values),
  mapping: JSON.parse(row.mapping),
  createdAt: row.created_at,
  changedAt: row.changed_at,
  verifiedAt: row.verified_at,
  verifiedBy: row.verified_by,
  checkedAt: row.checked_at,
  lostAt: row.lost_at,
});

const settingsRow = ({ name, description, template, values, mapping }: SiteSettings) => ({
  name,
  description,
  template,
  fixed_values: JSON.stringify(values),
  mapping: JSON.stringify(mapping),
});

export function sitesIn({ db, relaxed }: Database): SiteStore {
  return {
    async create(site, limit) {
      return db.transaction().execute(async (trx) => {
        // Two at once would both count the same: PostgreSQL makes the second wait for the row of the account.
        await trx
          .updateTable('accounts')
          .set((eb) => ({ name: eb.ref('name') }))
          .where('id', '=', site.accountId)
          .execute();
        const owned = await trx.selectFrom('sites').select('origin').where('account_id', '=', site.accountId).execute();
        if (owned.length >= limit || owned.some(({ origin }) => origin === site.origin)) return false;
        await trx
          .insertInto('sites')
          .values({
            id: site.id,
            account_id: site.accountId,
            origin: site.origin,
            token: site.token,
            ...settingsRow(site),
            created_at: site.createdAt,
            changed_at: site.changedAt,
            verified_at: site.verifiedAt,
            verified_by: site.verifiedBy,
            checked_at: site.checkedAt,
            lost_at: site.lostAt,
          })
          .execute();
        return true;
      });
    },
    async find(id) {
      const row = await db
        .selectFrom('sites')
        .innerJoin('accounts', 'accounts.id', 'sites.account_id')
        .selectAll('sites')
        .select(['accounts.plan', 'accounts.disabled'])
        .where('sites.id', '=', id)
        .executeTakeFirst();
      return (
        row && { site: toSite(row), owner: { id: row.account_id, plan: row.plan, disabled: Boolean(row.disabled) } }
      );
    },
    async list(accountId) {
      const rows = db.selectFrom('sites').selectAll().where('account_id', '=', accountId);
      return (await rows.orderBy('created_at').orderBy('id').execute()).map(toSite);
    },
    async change(accountId, id, settings, at) {
      await db
        .updateTable('sites')
        .set({ ...settingsRow(settings), changed_at: at })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .execute();
    },
    async noteCheck({ id, checkedAt }, by, at) {
      const site = db.updateTable('sites').where('id', '=', id);
      if (by !== undefined)
        await site
          .set({ checked_at: at, lost_at: null, verified_by: by })
          .set((eb) => ({ verified_at: eb.fn.coalesce('verified_at', eb.val(at)) }))
          .execute();
      // Another check that ended meanwhile may have found a proof that this one came too early for.
      else
        await site
          .where('checked_at', checkedAt === null ? 'is' : '=', checkedAt)
          .set({
            checked_at: at,
            lost_at: sql<number | null>`case when verified_at is null then null else coalesce(lost_at, ${at}) end`,
          })
          .execute();
    },
    async remove(accountId, id) {
      const gone = db.deleteFrom('sites').where('id', '=', id).where('account_id', '=', accountId);
      return (await gone.returning('id').execute()).length > 0;
    },
    async due(before, lostBefore, count) {
      const rows = db
        .selectFrom('sites')
        .selectAll()
        .where('verified_at', 'is not', null)
        .where((eb) =>
          eb.or([
            eb('checked_at', '<', before),
            eb.and([eb('lost_at', 'is not', null), eb('checked_at', '<', lostBefore)]),
          ]),
        );
      return (await rows.orderBy('checked_at').limit(count).execute()).map(toSite);
    },
    async page(siteId, path) {
      const row = await db
        .selectFrom('site_pages')
        .selectAll()
        .where('site_id', '=', siteId)
        .where('path', '=', path)
        .executeTakeFirst();
      return row && { path: row.path, facts: row.facts, readAt: row.read_at, cardKey: row.card_key };
    },
    async putPage(siteId, { path, facts, readAt }, limit) {
      await relaxed
        .insertInto('site_pages')
        .values({ site_id: siteId, path, facts, read_at: readAt, card_key: null })
        .onConflict((conflict) => conflict.columns(['site_id', 'path']).doUpdateSet({ facts, read_at: readAt }))
        .execute();
      const beyond = relaxed
        .selectFrom('site_pages')
        .select('path')
        .where('site_id', '=', siteId)
        .where('path', '!=', '/')
        .orderBy('read_at', 'desc')
        .orderBy('path')
        // SQLite takes no offset without a limit.
        .limit(1000)
        .offset(limit);
      await relaxed.deleteFrom('site_pages').where('site_id', '=', siteId).where('path', 'in', beyond).execute();
    },
    async setCard(siteId, path, cardKey) {
      await relaxed
        .updateTable('site_pages')
        .set({ card_key: cardKey })
        .where('site_id', '=', siteId)
        .where('path', '=', path)
        .execute();
    },
    async removePage(siteId, path) {
      await relaxed.deleteFrom('site_pages').where('site_id', '=', siteId).where('path', '=', path).execute();
    },
    async countPages(siteId) {
      const { count } = await db
        .selectFrom('site_pages')
        .select(sql<number>`count(*)`.as('count'))
        .where('site_id', '=', siteId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}
