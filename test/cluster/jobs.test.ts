// Jobs in a cluster: every api node runs them, and those of a node that is killed are taken over by another.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTopology, type Topology } from './topology.ts';

type Batch = { status: string; counts: Record<string, number>; jobs: { id: string; status: string }[] };

let cluster: Topology;
let key = '';
let accountId = '';
beforeAll(async () => {
  cluster = await startTopology({ apis: 2, renderers: 2 }, { PLAN_LIMITS: '{"business":{"rendersPerMinute":10000}}' });
  ({ key, accountId } = await cluster.customer('business'));
});
afterAll(() => cluster.remove());

it('all jobs end once, although an api node and a render node are killed while they run', async () => {
  const [first, second] = cluster.apis;
  const [node] = cluster.renderers;
  if (first === undefined || second === undefined || node === undefined) throw new Error('no cluster');
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const request = (at: number) => ({
    html: `<h1>Page ${at}</h1>`,
    width: 100 + at,
    height: 100,
    delay: 200,
    timeout: 60_000,
  });
  const requests = Array.from({ length: 30 }, (_, at) => ({ kind: 'screenshot', request: request(at) }));
  // Links and secrets: one of them has a login, which is encrypted in the database.
  const secret = { url: 'http://127.0.0.1:65000/', basicAuth: { username: 'me', password: 'canary-4713' } };
  const body = JSON.stringify({
    requests: [...requests, { kind: 'og', request: { template: 'quote', title: 'A card' } }],
  });
  const response = await fetch(`${first.url}/v1/batches`, { method: 'POST', headers, body });
  expect(response.status).toBe(202);
  const { id } = (await response.json()) as { id: string };
  const login = await fetch(`${first.url}/v1/jobs`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ kind: 'screenshot', request: secret }),
  });
  expect(login.status).toBe(202);
  const rows = JSON.stringify(await cluster.store.db.selectFrom('jobs').selectAll().execute());
  expect(rows).not.toContain('canary-4713');

  const read = async () => (await (await fetch(`${second.url}/v1/batches/${id}`, { headers })).json()) as Batch;
  await expect.poll(async () => (await read()).counts.done, { timeout: 60_000 }).toBeGreaterThan(3);
  first.signal('SIGKILL', 'group');
  cluster.apis.splice(0, 1);
  await expect.poll(async () => (await read()).counts.done, { timeout: 60_000 }).toBeGreaterThan(8);
  node.signal('SIGKILL', 'group');
  cluster.renderers.splice(0, 1);
  await expect.poll(async () => (await read()).status, { timeout: 90_000 }).toBe('done');
  expect((await read()).counts).toEqual({ queued: 0, running: 0, done: 31, failed: 0, canceled: 0 });
  await expect.poll(() => cluster.store.jobs.load(accountId), { timeout: 60_000 }).toEqual({ queued: 0, running: 0 });
  await Promise.all([first.clean(), node.clean()]);
}, 240_000);
