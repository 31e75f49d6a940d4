// Several api nodes on one database: each delivery is sent by one of them, and an account's limit holds for all together.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { databaseFile } from '../../src/store/open.ts';
import { databases } from '../harness/databases.ts';
import { startReceiver } from './receiver.ts';
import { openSender } from './sender-harness.ts';

afterAll(() => Promise.all(databases.map((kind) => kind.end())));

it.each(databases)('three senders on $name send 60 webhooks once each, at most 8 at once', async (kind) => {
  let underWay = 0;
  let most = 0;
  const receiver = await startReceiver({
    '/': async (_, response) => {
      most = Math.max(most, ++underWay);
      await sleep(5);
      underWay--;
      response.end();
    },
  });
  const first = await openSender({ kind });
  const others = [await first.another(), await first.another()];
  try {
    const { port } = new URL(receiver.url);
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, i) => first.deliver(`http://127.0.0.${1 + (i % 4)}:${port}/`)),
    );
    const waking = setInterval(() => {
      for (const { sender } of others) sender.wake();
    }, 5);
    await vi.waitUntil(() => receiver.received.length >= 60, { timeout: 40_000 });
    clearInterval(waking);
    for (const id of ids) expect((await first.tried(id, 1)).state).toBe('delivered');
    expect(receiver.received.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(most).toBeLessThanOrEqual(8);
  } finally {
    for (const each of [...others, first]) await each.close();
    await receiver.close();
  }
});

it('a database that is away delays webhooks and loses none', async () => {
  const receiver = await startReceiver();
  const sender = await openSender();
  try {
    const { deliver, tried, now, dataDir } = sender;
    await tried(await deliver(receiver.url), 1);
    const at = now() + 1;
    const ids = await Promise.all(Array.from({ length: 3 }, () => deliver(receiver.url, { at })));
    const other = new DatabaseSync(join(dataDir, databaseFile));
    other.exec('begin exclusive');
    sender.ahead = 1;
    // Longer than a query waits for a lock.
    await sleep(2500);
    expect(receiver.received).toHaveLength(1);
    other.exec('commit');
    other.close();
    for (const id of ids) expect((await tried(id, 1)).state).toBe('delivered');
  } finally {
    await sender.close();
    await receiver.close();
  }
});
