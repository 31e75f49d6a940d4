// Three api nodes and three render nodes, each a process of its own, as one service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasCommand } from '../harness/needs.ts';
import { startNginx } from '../harness/nginx.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';
import { httpClient } from '../mcp/clients.ts';
import { type Node, shot, startTopology, type Topology } from './topology.ts';

let site: Site;
let cluster: Topology;
let closedEarly = 0;
beforeAll(async () => {
  [site, cluster] = await Promise.all([
    startSite({
      '/': colourPage('#336699'),
      '/waits': () => {},
      '/never': (request) => void request.on('close', () => closedEarly++),
    }),
    startTopology(
      { apis: 3, renderers: 3 },
      { PLAN_LIMITS: '{"free":{"rendersPerMinute":4},"business":{"rendersPerMinute":10000}}' },
    ),
  ]);
});
afterAll(() => Promise.all([cluster.remove(), site.close()]));

let pages = 0;
/** A page nobody has asked for yet. */
const newPage = () => {
  const path = `/page-${++pages}`;
  site.set(path, colourPage('#225588', `Page ${pages}`));
  return { path, url: site.url + path };
};
const statusOf = async (node: Node, key: string, parameters: Record<string, string | number>) => {
  const response = await shot(node, key, parameters);
  await response.arrayBuffer();
  return response.status;
};

it('1,000 identical requests on three nodes are one render, and all but one of them hits', async () => {
  const { key } = await cluster.customer('business');
  const page = newPage();
  const ask = async (i: number): Promise<string> => {
    const response = await shot(cluster.apis[i % 3] as Node, key, { url: page.url });
    const bytes = await response.arrayBuffer();
    // On a machine busy with other things the database may be out of breath: a client then comes back, as it is told.
    if (response.headers.has('retry-after')) {
      await new Promise((done) => setTimeout(done, 1000 * Number(response.headers.get('retry-after'))));
      return ask(i);
    }
    return `${response.status} ${response.headers.get('x-cache')} ${bytes.byteLength}`;
  };
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, i) => ask(i)));
  expect(site.hits(page.path)).toBe(1);
  const kinds = Object.groupBy(answers, (answer) => answer);
  expect(Object.keys(kinds)).toHaveLength(2);
  expect(Object.entries(kinds).find(([kind]) => kind.includes('MISS'))?.[1]).toHaveLength(1);
});

it.skipIf(!hasCommand('/usr/sbin/nginx'))(
  'an agent is served by any node, call by call: the tiles of a page are those of one render',
  async () => {
    const { key } = await cluster.customer('business');
    site.set('/tall', '<!doctype html><body style="margin:0"><div style="height:4000px;background:tomato">');
    const nginx = await startNginx(cluster.apis.map(({ url }) => url));
    const agent = await httpClient(`${nginx.url}/mcp`, { 'x-api-key': key });
    for (const tile of [1, 2, 3]) {
      const given = { url: `${site.url}/tall`, fullPage: true, tile };
      const result = await agent.callTool({ name: 'screenshot', arguments: given });
      expect(result.structuredContent).toMatchObject({ tile, tiles: 3, height: 4000 });
    }
    expect(site.hits('/tall')).toBe(1);
    await agent.close();
    await nginx.remove();
  },
);

it('a result is a HIT on every node, and so is the link to it', async () => {
  const { key } = await cluster.customer('pro');
  const page = newPage();
  const first = await shot(cluster.apis[0] as Node, key, { url: page.url, response: 'json' });
  const { imageUrl } = (await first.json()) as { imageUrl: string };
  for (const node of cluster.apis) {
    const response = await shot(node, key, { url: page.url });
    expect([response.status, response.headers.get('x-cache')]).toEqual([200, 'HIT']);
    const link = new URL(imageUrl);
    expect((await fetch(node.url + link.pathname + link.search)).status).toBe(200);
  }
  expect(site.hits(page.path)).toBe(1);
});

it('cards are painted by the render nodes too', async () => {
  const { key } = await cluster.customer('pro');
  const response = await fetch(`${cluster.apis[2]?.url}/v1/og?template=default&title=Hello`, {
    headers: { 'x-api-key': key },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  const unknown = await fetch(`${cluster.apis[1]?.url}/v1/og?template=nope`, { headers: { 'x-api-key': key } });
  expect(unknown.status).toBe(400);
});

it('a revoked key and a changed plan count on the very next request, on every node', async () => {
  const { key, keyId, accountId } = await cluster.customer('free');
  const dark = { url: `${site.url}/`, darkMode: 'true' };
  const all = (parameters: Record<string, string>) =>
    Promise.all(cluster.apis.map((node) => statusOf(node, key, parameters)));
  expect(await all(dark)).toEqual([403, 403, 403]);
  await cluster.store.accounts.setPlan(accountId, 'starter');
  expect(await all(dark)).toEqual([200, 200, 200]);
  await cluster.store.keys.revoke(keyId);
  expect(await all({ url: `${site.url}/` })).toEqual([401, 401, 401]);
});

it('the renders a minute of an account are counted across nodes, and only renders', async () => {
  const { key } = await cluster.customer('free');
  const page = newPage();
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) statuses.push(await statusOf(cluster.apis[i % 3] as Node, key, { url: newPage().url }));
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  const refused = await shot(cluster.apis[0] as Node, key, { url: page.url });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
});

it('a render ends when its last client goes, on the render node too', async () => {
  const { key } = await cluster.customer('business');
  const clients = cluster.apis.map(() => new AbortController());
  const asked = clients.map(({ signal }, i) =>
    shot(cluster.apis[i] as Node, key, { url: `${site.url}/never` }, { signal }).catch(() => {}),
  );
  await expect.poll(() => site.hits('/never')).toBe(1);
  clients[0]?.abort();
  clients[1]?.abort();
  await new Promise((done) => setTimeout(done, 500));
  expect(closedEarly).toBe(0);
  clients[2]?.abort();
  await expect.poll(() => closedEarly).toBe(1);
  await Promise.all(asked);
});

it('pages that only wait give their slots to others: twice as many as there are slots are begun', async () => {
  const { key } = await cluster.customer('business');
  // Shorter than the time a page may hold a slot while it works: who had to wait for that would never be asked for.
  const asked = Array.from({ length: 12 }, (_, i) =>
    statusOf(cluster.apis[i % 3] as Node, key, { url: `${site.url}/waits`, width: 400 + i, timeout: 4500 }),
  );
  expect(new Set(await Promise.all(asked))).toEqual(new Set([504]));
  expect(site.hits('/waits')).toBe(12);
});

it('a time-out says in which step the render node was', async () => {
  const { key } = await cluster.customer('business');
  const response = await shot(cluster.apis[0] as Node, key, { url: `${site.url}/never`, timeout: 5000 });
  expect(response.status).toBe(504);
  expect(((await response.json()) as { error: string }).error).toMatch(/within 5000 ms.*"load"/);
});

describe('degradation', () => {
  let key: string;
  let known: string;
  beforeAll(async () => {
    ({ key } = await cluster.customer('business'));
    known = newPage().url;
    for (const node of cluster.apis) await statusOf(node, key, { url: known });
  });
  const everyNode = (url: () => string) =>
    Promise.all(
      cluster.apis.map(async (node) => {
        const response = await shot(node, key, { url: url() });
        await response.arrayBuffer();
        return [response.status, response.headers.get('x-cache'), response.headers.get('retry-after') !== null];
      }),
    );
  const recovers = () =>
    expect
      .poll(async () => (await everyNode(() => newPage().url)).map(([status]) => status), { timeout: 30_000 })
      .toEqual([200, 200, 200]);

  it('without Redis renders are 503 with Retry-After, hits are served, and it recovers by itself', async () => {
    await cluster.redis.stop();
    expect(await everyNode(() => newPage().url)).toEqual(Array(3).fill([503, null, true]));
    const asked = performance.now();
    expect(await everyNode(() => known)).toEqual(Array(3).fill([200, 'HIT', false]));
    expect(performance.now() - asked).toBeLessThan(2000);
    expect((await fetch(`${cluster.apis[0]?.url}/readyz`)).status).toBe(200);
    await cluster.redis.start();
    await recovers();
  });

  it('without the bucket results are made and served uncached, and cached again when it is back', async () => {
    await cluster.s3.stop();
    const page = newPage();
    const response = await shot(cluster.apis[0] as Node, key, { url: page.url, response: 'json' });
    expect(await response.json()).toMatchObject({
      imageUrl: null,
      warnings: [expect.stringContaining('could not be stored')],
    });
    expect(await everyNode(() => known)).toEqual(Array(3).fill([200, 'HIT', false])); // from memory
    await cluster.s3.start();
    await expect
      .poll(async () => (await shot(cluster.apis[0] as Node, key, { url: page.url })).headers.get('x-cache'), {
        timeout: 15_000,
      })
      .toBe('HIT');
  });

  it('without PostgreSQL everything is 503, never 401 and never 200, and it recovers by itself', async () => {
    await cluster.postgres.stop();
    for (const [status, , retry] of await everyNode(() => known)) expect([status, retry]).toEqual([503, true]);
    expect((await fetch(`${cluster.apis[0]?.url}/readyz`)).status).toBe(503);
    await cluster.postgres.start();
    await recovers();
  });
});

it('a render node speaks of its health and of nothing else', async () => {
  const [node] = cluster.renderers;
  expect((await fetch(`${node?.url}/readyz`)).status).toBe(200);
  expect(await (await fetch(`${node?.url}/metrics`)).text()).toContain('\ntintype_render_nodes 3\n');
  for (const path of ['/', '/v1/screenshot', '/docs', '/api/session'])
    expect([path, (await fetch(node?.url + path)).status]).toEqual([path, 404]);
});

it('no key is in Redis, nor in the logs of any node', async () => {
  const { key } = await cluster.customer('business');
  await statusOf(cluster.apis[0] as Node, key, { url: newPage().url });
  const written = [...cluster.apis, ...cluster.renderers].map((node) => node.output()).join('');
  expect(written).not.toMatch(/sk_live_[A-Za-z0-9]/);
  expect(cluster.redis.contents()).not.toMatch(/sk_live_/);
});
