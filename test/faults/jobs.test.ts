// Jobs that were accepted survive the end of the process, whatever it was doing.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { type ServerProcess, startServerProcess, tintype } from '../harness/server-process.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

type Job = { id: string; status: string; endedAt: number | null; result?: { width: number } };

const undo: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const each of undo.reverse()) await each();
});

it('jobs end once and are reported, although the process is killed while they run', async () => {
  const receiver: Receiver = await startReceiver();
  undo.push(() => receiver.close());
  let server: ServerProcess = await startServerProcess();
  undo.push(() => server.clean());
  const { dataDir } = server;
  const beside = { DATA_DIR: dataDir };
  const password = ['--password', 'a long pass phrase'];
  await tintype(['account', 'create', 'who@example.test', '--plan', 'business', ...password], beside);
  const made = await tintype(['key', 'create', 'who@example.test', '--name', 'test'], beside);
  const headers = { 'x-api-key': made.trim().split('\n').at(-1) ?? '', 'content-type': 'application/json' };
  const requests = Array.from({ length: 6 }, (_, at) => ({
    kind: 'screenshot',
    request: { html: `<h1>Page ${at}</h1>`, width: 100 + at, height: 100, delay: 300, timeout: 60_000 },
  }));
  const ids: string[] = [];
  for (const job of requests) {
    const body = JSON.stringify({ ...job, webhook: receiver.url });
    const response = await fetch(`${server.url}/v1/jobs`, { method: 'POST', headers, body });
    ids.push(((await response.json()) as Job).id);
  }
  const read = async (): Promise<Job[]> => {
    const response = await fetch(`${server.url}/v1/jobs?limit=100`, { headers });
    return ((await response.json()) as { jobs: Job[] }).jobs.reverse();
  };
  const ended = (jobs: readonly Job[]) => jobs.filter(({ endedAt }) => endedAt !== null);
  const known = new Map<string, string>();
  for (const wanted of [2, ids.length]) {
    for (;;) {
      const jobs = await read();
      for (const job of ended(jobs)) {
        // What a job has ended with stays as it is.
        expect(known.get(job.id) ?? JSON.stringify(job)).toBe(JSON.stringify(job));
        known.set(job.id, JSON.stringify(job));
      }
      if (ended(jobs).length >= wanted) break;
      await sleep(20);
    }
    if (wanted === ids.length) break;
    server.signal('SIGKILL', 'group');
    await server.exited;
    // On the same address: links and status addresses contain it.
    server = await startServerProcess({ DATA_DIR: dataDir, PORT: new URL(server.url).port });
  }
  const jobs = await read();
  expect(jobs.map(({ id }) => id)).toEqual(ids);
  expect(jobs.map(({ status, result }) => [status, result?.width])).toEqual(ids.map((_, at) => ['done', 100 + at]));
  const reported = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).data.id));
  await expect.poll(() => reported().size, { timeout: 30_000 }).toBe(ids.length);
  // Every job has one webhook-id, however often it was sent.
  const pairs = new Set(
    receiver.received.map(({ body, headers: sent }) => `${JSON.parse(body).data.id} ${sent['webhook-id']}`),
  );
  expect(pairs.size).toBe(ids.length);
}, 120_000);
