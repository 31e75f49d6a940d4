// tintype export and import as an operator uses them, with a service before and one after.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ServerProcess, startServerProcess, tintype } from '../harness/server-process.ts';
import { startReceiver } from '../webhooks/receiver.ts';

type Job = { id: string; status: string; result?: { width: number } };

let folder: string;
const undo: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-transfer-'));
});
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServerProcess(env);
  undo.push(() => server.clean());
  return server;
}

async function createKey(env: Record<string, string>): Promise<string> {
  await tintype(['account', 'create', 'who@example.test', '--plan', 'business'], env);
  return (await tintype(['key', 'create', 'who@example.test'], env)).trim().split('\n').at(-1) ?? '';
}

it('jobs that wait run after an export and an import into an empty folder', async () => {
  const receiver = await startReceiver();
  undo.push(() => receiver.close());
  const [before, after] = [{ DATA_DIR: join(folder, 'before') }, { DATA_DIR: join(folder, 'after') }];
  // It accepts jobs, and cannot run them.
  const first = await start({ ...before, BROWSER_PATH: '/bin/false' });
  const headers = { 'x-api-key': await createKey(before), 'content-type': 'application/json' };
  const submit = async (url: string, path: string, body: object, key: string) => {
    const more = { ...headers, 'idempotency-key': key };
    const response = await fetch(url + path, { method: 'POST', headers: more, body: JSON.stringify(body) });
    const answer = (await response.json()) as Job;
    expect(answer).toMatchObject({ id: expect.any(String) });
    return answer;
  };
  const job = (width: number) => ({
    kind: 'screenshot',
    request: { html: '<h1>Sent</h1>', width, height: 100, timeout: 60_000 },
  });
  const alone = await submit(first.url, '/v1/jobs', job(101), 'alone');
  const batch = await submit(
    first.url,
    '/v1/batches',
    { requests: [job(102), job(103)], webhook: receiver.url },
    'together',
  );
  first.signal('SIGTERM');
  expect(await first.exited).toBe(0);

  const file = join(folder, 'tintype.jsonl');
  await tintype(['export', file], before);
  expect(await tintype(['import', file], after)).toMatch(/^jobs 3$/m);

  const second = await start(after);
  const read = async () => {
    const response = await fetch(`${second.url}/v1/jobs?limit=100`, { headers });
    return ((await response.json()) as { jobs: Job[] }).jobs.map(({ status, result }) => [status, result?.width]);
  };
  await expect
    .poll(async () => (await read()).sort(), { timeout: 60_000 })
    .toEqual([101, 102, 103].map((width) => ['done', width]));
  await expect.poll(() => receiver.received.map(({ body }) => JSON.parse(body).data.id)).toEqual([batch.id]);
  // Sent again by a client that has seen no answer: it is the same job.
  expect((await submit(second.url, '/v1/jobs', job(101), 'alone')).id).toBe(alone.id);
}, 120_000);
