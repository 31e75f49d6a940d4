// The accounts' own templates. A version is never changed; publishing one is a number in the template's row.
import { type Kysely, sql } from 'kysely';
import { Problem } from '../kernel/errors.ts';
import { defaultPlan, type PlanName } from '../kernel/plans.ts';
import type { Database } from './database.ts';
import { randomText } from './identifiers.ts';
import { locked } from './row-locks.ts';
import type { Schema } from './schema.ts';

export type OwnTemplateRow = {
  id: string;
  account_id: string;
  name: string;
  latest: number;
  published: number;
  created_at: number;
  updated_at: number;
};

export type OwnTemplateVersionRow = {
  template_id: string;
  version: number;
  source: string;
  /** JSON: what the catalogue says of it. */
  about: string;
  /** JSON: the files it was saved with. */
  files: string;
  created_at: number;
};

export type OwnTemplateFileRow = {
  template_id: string;
  name: string;
  hash: string;
  kind: 'image' | 'font';
  size: number;
  data: string;
  /** 0 if a newer one has its name; versions may still show it. */
  current: number;
  created_at: number;
};

export type StoredTemplate = {
  readonly id: string;
  readonly name: string;
  readonly latest: number;
  /** 0 if none is. */
  readonly published: number;
  readonly updatedAt: number;
};

export type StoredVersion = {
  readonly version: number;
  readonly source: string;
  readonly about: string;
  readonly files: string;
  readonly createdAt: number;
};

export type StoredFile = Pick<OwnTemplateFileRow, 'name' | 'hash' | 'kind' | 'size'>;

export type OwnTemplateStore = {
  list(accountId: string): Promise<StoredTemplate[]>;
  find(accountId: string, name: string): Promise<StoredTemplate | undefined>;
  /** Creates it without a version, if it does not exist. Undefined if the account has `limit` templates. */
  create(accountId: string, name: string, limit: number, at: number): Promise<StoredTemplate | undefined>;
  /**
   * Adds a version, and publishes it if asked to. Returns its number; undefined if there are `limit`. Throws 409 if one of
   * its files is gone.
   */
  addVersion(
    id: string,
    version: Pick<StoredVersion, 'source' | 'about' | 'files'>,
    publish: boolean,
    limit: number,
    at: number,
  ): Promise<number | undefined>;
  versions(id: string): Promise<Pick<StoredVersion, 'version' | 'createdAt'>[]>;
  version(id: string, version: number): Promise<StoredVersion | undefined>;
  publish(id: string, version: number, at: number): Promise<void>;
  remove(accountId: string, name: string, at: number): Promise<boolean>;
  /** The current files. */
  files(id: string): Promise<StoredFile[]>;
  /** What all templates of the account take with their versions and files, and the account's plan. */
  bytesOfAccount(accountId: string): Promise<{ readonly bytes: number; readonly plan: PlanName }>;
  /** Of all files, also those that only old versions show. */
  fileBytes(id: string): Promise<number>;
  putFile(id: string, file: StoredFile & { readonly bytes: Buffer }, at: number): Promise<void>;
  removeFile(id: string, name: string): Promise<boolean>;
  readFile(hash: string): Promise<Buffer | undefined>;
};

/** The last version of a removed template of the same name. */
const latestRemoved = sql<number>`coalesce((select removed.latest from removed_templates as removed
  where removed.account_id = own_templates.account_id and removed.name = own_templates.name), 0)`;
/** How many removed templates of an account are remembered. */
const mostRemoved = 1000;

const toTemplate = ({ id, name, latest, published, updated_at }: OwnTemplateRow): StoredTemplate => ({
  id,
  name,
  latest,
  published,
  updatedAt: updated_at,
});

export function ownTemplatesIn({ db, dialect }: Database): OwnTemplateStore {
  const find = async (accountId: string, name: string) => {
    const query = db.selectFrom('own_templates').selectAll().where('account_id', '=', accountId);
    const row = await query.where('name', '=', name).executeTakeFirst();
    return row && toTemplate(row);
  };
  /** The current files of this name become replaced ones. Returns their hashes. */
  const replace = async (trx: Kysely<Schema>, id: string, name: string): Promise<string[]> => {
    // One change of the files at a time: two uploads would both leave a current file of this name.
    await locked(trx.selectFrom('own_templates').select('id').where('id', '=', id), dialect).execute();
    const files = trx.updateTable('own_template_files').where('template_id', '=', id).where('name', '=', name);
    const replaced = await files.where('current', '=', 1).set({ current: 0 }).returning('hash').execute();
    return replaced.map(({ hash }) => hash);
  };
  /** Drops replaced files that no version shows. Only the files named here: comparing every old one would take seconds. */
  const dropUnused = async (trx: Kysely<Schema>, id: string, name: string, hashes: readonly string[]) => {
    for (const hash of hashes)
      await sql`delete from own_template_files
        where template_id = ${id} and name = ${name} and hash = ${hash} and current = 0 and not exists (
          select 1 from own_template_versions as v where v.template_id = ${id} and v.files like ${`%${hash}%`})`.execute(
        trx,
      );
  };
  /** They were read before the version was painted, and may have been removed or replaced since. */
  const checkFiles = async (trx: Kysely<Schema>, id: string, files: string) => {
    const kept = await trx.selectFrom('own_template_files').select('hash').where('template_id', '=', id).execute();
    for (const { name, hash } of JSON.parse(files) as Pick<StoredFile, 'name' | 'hash'>[])
      if (!kept.some((file) => file.hash === hash))
        throw new Problem('conflict', {
          message: `${name} was removed or replaced while the template was saved. Save it again.`,
        });
  };

  return {
    find,
    async list(accountId) {
      const query = db.selectFrom('own_templates').selectAll().where('account_id', '=', accountId);
      return (await query.orderBy('name').execute()).map(toTemplate);
    },
    async create(accountId, name, limit, at) {
      await sql`insert into own_templates (id, account_id, name, latest, published, created_at, updated_at)
        select ${`tpl_${randomText(20)}`}, ${accountId}, ${name}, 0, 0, ${sql.val(at)}, ${sql.val(at)}
        where (select count(*) from own_templates where account_id = ${accountId}) < ${limit}
        on conflict (account_id, name) do nothing`.execute(db);
      return find(accountId, name);
    },
    addVersion: (id, { source, about, files }, publish, limit, at) =>
      db.transaction().execute(async (trx) => {
        // The row is locked until the version is written: two saves at once get two numbers.
        const row = await trx
          .updateTable('own_templates')
          .set({ latest: sql<number>`1 + case when latest > 0 then latest else ${latestRemoved} end`, updated_at: at })
          .where('id', '=', id)
          .where(sql<boolean>`(select count(*) from own_template_versions where template_id = ${id}) < ${limit}`)
          .returning('latest')
          .executeTakeFirst();
        if (row === undefined) return undefined;
        await checkFiles(trx, id, files);
        const version = row.latest;
        const values = { template_id: id, version, source, about, files, created_at: at };
        await trx.insertInto('own_template_versions').values(values).execute();
        if (publish) await trx.updateTable('own_templates').set({ published: version }).where('id', '=', id).execute();
        return version;
      }),
    async versions(id) {
      const query = db.selectFrom('own_template_versions').select(['version', 'created_at as createdAt']);
      return query.where('template_id', '=', id).orderBy('version', 'desc').execute();
    },
    async version(id, version) {
      const query = db.selectFrom('own_template_versions').select(['version', 'source', 'about', 'files']);
      return query
        .select('created_at as createdAt')
        .where('template_id', '=', id)
        .where('version', '=', version)
        .executeTakeFirst();
    },
    async publish(id, version, at) {
      const values = { published: version, updated_at: at };
      await db.updateTable('own_templates').set(values).where('id', '=', id).execute();
    },
    remove: (accountId, name, at) =>
      db.transaction().execute(async (trx) => {
        const ofName = trx.deleteFrom('own_templates').where('account_id', '=', accountId).where('name', '=', name);
        const removed = await ofName.returning('latest').executeTakeFirst();
        if (removed === undefined) return false;
        // It had no version.
        if (removed.latest === 0) return true;
        await trx
          .insertInto('removed_templates')
          .values({ account_id: accountId, name, latest: removed.latest, removed_at: at })
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'name']).doUpdateSet({ latest: removed.latest, removed_at: at }),
          )
          .execute();
        const ofAccount = trx.selectFrom('removed_templates').select('name').where('account_id', '=', accountId);
        await trx
          .deleteFrom('removed_templates')
          .where('account_id', '=', accountId)
          .where('name', 'not in', ofAccount.orderBy('removed_at', 'desc').limit(mostRemoved))
          .execute();
        return true;
      }),
    async files(id) {
      const query = db.selectFrom('own_template_files').select(['name', 'hash', 'kind', 'size']);
      return query.where('template_id', '=', id).where('current', '=', 1).orderBy('name').execute();
    },
    async bytesOfAccount(accountId) {
      const { rows } = await sql<{ plan: PlanName; bytes: number }>`select plan,
        coalesce((select sum(octet_length(source) + octet_length(about) + octet_length(files) + 100) from own_template_versions
          join own_templates on own_templates.id = template_id where own_templates.account_id = accounts.id), 0)
        + coalesce((select sum(size) * 4 / 3 from own_template_files
          join own_templates on own_templates.id = template_id where own_templates.account_id = accounts.id), 0) as bytes
        from accounts where id = ${accountId}`.execute(db);
      const [{ plan, bytes } = { plan: defaultPlan, bytes: 0 }] = rows;
      return { plan, bytes: Number(bytes) };
    },
    async fileBytes(id) {
      const query = db.selectFrom('own_template_files').select((eb) => eb.fn.sum<number>('size').as('bytes'));
      return Number((await query.where('template_id', '=', id).executeTakeFirst())?.bytes ?? 0);
    },
    putFile: (id, { bytes, ...file }, at) =>
      db.transaction().execute(async (trx) => {
        const replaced = await replace(trx, id, file.name);
        const values = { ...file, template_id: id, data: bytes.toString('base64'), current: 1, created_at: at };
        await trx
          .insertInto('own_template_files')
          .values(values)
          .onConflict((conflict) => conflict.columns(['template_id', 'name', 'hash']).doUpdateSet({ current: 1 }))
          .execute();
        await dropUnused(trx, id, file.name, replaced);
      }),
    removeFile: (id, name) =>
      db.transaction().execute(async (trx) => {
        const removed = await replace(trx, id, name);
        await dropUnused(trx, id, name, removed);
        return removed.length > 0;
      }),
    async readFile(hash) {
      const query = db.selectFrom('own_template_files').select('data').where('hash', '=', hash).limit(1);
      const row = await query.executeTakeFirst();
      return row && Buffer.from(row.data, 'base64');
    },
  };
}
