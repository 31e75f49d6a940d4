// kill -9 between an attempt and the note of it: the delivery goes out again, with the same id.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createLog } from '../../src/kernel/log.ts';
import { type OpenStore, openStore } from '../../src/store/open.ts';
import { createWebhookSecrets } from '../../src/webhooks/secrets.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';
import { type Receiver, startReceiver, verify } from './receiver.ts';

const eventually = <T>(look: () => T | false | Promise<T | false>) =>
  vi.waitUntil(look, { timeout: 30_000, interval: 10 });

let first: ServerProcess;
let second: ServerProcess | undefined;
let store: OpenStore;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver({
    '/hook': (_, response) => {
      // The first one never gets its answer: the sender is dead.
      if (second === undefined) first.signal('SIGKILL', 'group');
      else response.end();
    },
  });
  first = await startServerProcess();
  store = await openStore({ dataDir: first.dataDir, log: createLog('silent') });
});
afterAll(async () => {
  await second?.clean();
  await store?.close();
  await first?.clean();
  await receiver?.close();
});

it('a delivery whose sender was killed is sent by the next one, with the same id and a valid signature', async () => {
  const account = await store.accounts.create({ email: 'who@example.test', plan: 'pro' });
  const url = `${receiver.url}/hook`;
  const delivery = { accountId: account.id, type: 'job.done', subjectId: 'job_1', url, body: '{"type":"job.done"}' };
  const id = await store.webhooks.add({ ...delivery, type: 'job.done', at: Date.now() });
  await first.exited;
  expect((await store.webhooks.find(account.id, id ?? ''))?.isSending).toBe(true);

  second = await startServerProcess({ DATA_DIR: first.dataDir });
  const done = await eventually(async () => {
    const found = await store.webhooks.find(account.id, id ?? '');
    return found?.state === 'delivered' && found;
  });
  expect(done.tries.map(({ status }) => status)).toEqual([200]);
  expect(receiver.received.map((request) => request.id)).toEqual([id, id]);
  const service = await store.values.get('service_secret');
  const { secret } = await createWebhookSecrets(store.webhooks.secrets, service ?? '').of(account.id);
  for (const request of receiver.received) expect(verify(secret, request)).toEqual({ type: 'job.done' });
});
