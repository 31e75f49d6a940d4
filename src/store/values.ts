// Named values of the service: its secret, the setup token.
import type { Database } from './database.ts';
import type { Store } from './store.ts';

export function valuesIn({ db }: Database): Store['values'] {
  const get = async (name: string) =>
    (await db.selectFrom('service_values').select('value').where('name', '=', name).executeTakeFirst())?.value;
  const insert = (name: string, value: string) => db.insertInto('service_values').values({ name, value });
  return {
    get,
    async set(name, value) {
      await insert(name, value)
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    },
    async setIfAbsent(name, value) {
      await insert(name, value)
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      return (await get(name)) ?? value;
    },
  };
}
