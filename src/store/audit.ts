// What administrators did.
import type { Database } from './database.ts';
import { randomText } from './identifiers.ts';
import type { Store } from './store.ts';

export function auditIn({ db }: Database): Store['audit'] {
  return {
    async add({ actorId, ...action }) {
      await db
        .insertInto('admin_actions')
        .values({ id: randomText(16), actor_id: actorId, ...action })
        .execute();
    },
    async list(count, before) {
      let query = db.selectFrom('admin_actions').selectAll();
      if (before !== undefined)
        query = query.where((eb) => eb(eb.refTuple('at', 'id'), '<', eb.tuple(before.at, before.id)));
      const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(count).execute();
      return rows.map(({ actor_id, ...row }) => ({ ...row, actorId: actor_id }));
    },
    async prune(before) {
      await db.deleteFrom('admin_actions').where('at', '<', before).execute();
    },
  };
}
