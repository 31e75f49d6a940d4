// Another process revokes a key while the server answers many requests at once: the very next request is refused.
import { expect, it } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import { createLog } from '../../src/kernel/log.ts';
import { openStore } from '../../src/store/open.ts';
import { get } from '../harness/http-client.ts';
import { startServerProcess } from '../harness/server-process.ts';

it('a key that another process revokes is refused on the next request, however busy the server is', async () => {
  const server = await startServerProcess();
  const store = await openStore({ dataDir: server.dataDir, log: createLog('silent') });
  try {
    const account = await store.accounts.create({ email: 'busy@example.test', name: '', plan: 'business' });
    const newKey = () => createKey(store, { accountId: account.id, name: 'a key', limit: 1000 });
    const ask = async (key: string) =>
      (await get(`${server.url}/v1/og?template=default&width=100&height=100`, { 'x-api-key': key })).status;
    const busy = (await newKey()).secret;
    expect(await ask(busy)).toBe(200);
    let ended = false;
    const crowd = Array.from({ length: 16 }, async () => {
      while (!ended) expect(await ask(busy)).toBe(200);
    });
    for (let i = 0; i < 40; i++) {
      const { key, secret } = await newKey();
      expect(await ask(secret)).toBe(200);
      await store.keys.revoke(key.id);
      expect(await ask(secret)).toBe(401);
    }
    ended = true;
    await Promise.all(crowd);
  } finally {
    await store.close();
    await server.clean();
  }
});
