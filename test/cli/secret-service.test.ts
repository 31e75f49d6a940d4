// A new secret of the service, as an operator changes it: stop, rotate, start.
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, it } from 'vitest';
import { createLog } from '../../src/kernel/log.ts';
import { openStore } from '../../src/store/open.ts';
import { createWebhookSecrets } from '../../src/webhooks/secrets.ts';
import { startServerProcess, tintype } from '../harness/server-process.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

it('jobs that wait run after the change, and their webhooks are signed with the secret that the customer has', async () => {
  const receiver = await startReceiver();
  undo.push(() => receiver.close());
  // It accepts jobs, and cannot run them.
  const first = await startServerProcess({ BROWSER_PATH: '/bin/false' });
  undo.push(() => first.clean());
  const beside = { DATA_DIR: first.dataDir };
  await tintype(['account', 'create', 'who@example.test', '--plan', 'business'], beside);
  const key = (await tintype(['key', 'create', 'who@example.test'], beside)).trim().split('\n').at(-1) ?? '';
  const submit = async (url: string) => {
    const response = await fetch(`${url}/v1/jobs`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': 'once' },
      body: JSON.stringify({
        kind: 'screenshot',
        request: { html: '<h1>Sent</h1>', width: 101, height: 100, timeout: 60_000 },
        webhook: receiver.url,
      }),
    });
    return ((await response.json()) as { id: string }).id;
  };
  const id = await submit(first.url);
  expect(id).toMatch(/^job_/);
  await expect(tintype(['secret', 'rotate'], beside)).rejects.toThrow('Another Tintype server uses the data folder');
  const secretOfCustomer = async () => {
    const store = await openStore({ dataDir: first.dataDir, log: createLog('silent') });
    const account = await store.accounts.byEmail('who@example.test');
    const secrets = createWebhookSecrets(store.webhooks.secrets, (await store.values.get('service_secret')) ?? '');
    return secrets.of(account?.id ?? '').finally(() => store.close());
  };
  const { secret } = await secretOfCustomer();
  first.signal('SIGTERM');
  expect(await first.exited).toBe(0);

  expect(await tintype(['secret', 'rotate'], beside)).toContain('webhook secrets (1), requests of jobs (1)');

  const second = await startServerProcess(beside);
  undo.push(() => second.clean());
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(1);
  const { body, headers } = receiver.received[0] ?? { body: '', headers: {} };
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    type: 'job.done',
    data: { id, status: 'done', result: { width: 101 } },
  });
  // Sent again by a client that has seen no answer: it is the same job.
  expect(await submit(second.url)).toBe(id);
}, 120_000);
