// Nodes that are killed or restarted under load, behind a real nginx with the configuration we ship.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type ReverseProxy, startNginx } from '../harness/nginx.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';
import { type Node, shot, startTopology, type Topology } from './topology.ts';

let site: Site;
let cluster: Topology;
let proxy: ReverseProxy;
let key: string;
beforeAll(async () => {
  [site, cluster] = await Promise.all([
    startSite({
      '/': colourPage('#336699'),
      '/slow': (_request, response) => void setTimeout(() => response.end(colourPage('#224466')), 1500),
    }),
    startTopology({ apis: 3, renderers: 3 }, { PLAN_LIMITS: '{"business":{"rendersPerMinute":10000}}' }),
  ]);
  proxy = await startNginx(cluster.apis.map(({ url }) => url));
  ({ key } = await cluster.customer('business'));
});
afterAll(() => Promise.all([proxy.remove(), cluster.remove(), site.close()]));

let asked = 0;
let running: { stop(): Promise<{ statuses: Record<string, number>; slowestMs: number; count: number }> } | undefined;
afterEach(async () => void (await running?.stop()));

/** Clients that ask one thing after the other, each a different one: renders all of them, and a hit now and then. */
function load(clients: number) {
  let over = false;
  let slowestMs = 0;
  const statuses: Record<string, number> = {};
  async function client(): Promise<void> {
    while (!over) {
      const before = performance.now();
      const width = 300 + (++asked % 900);
      const path = asked % 5 === 0 ? '/slow' : '/';
      const status = await shot(proxy, key, { url: site.url + path, width, height: 200 + asked }).then(
        async (response) => {
          const bytes = await response.arrayBuffer();
          return response.status === 200 && bytes.byteLength > 100 ? '200' : `${response.status} ${Buffer.from(bytes)}`;
        },
        (error) => `failed: ${error.cause ?? error}`,
      );
      slowestMs = Math.max(slowestMs, performance.now() - before);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }
  const all = Promise.all(Array.from({ length: clients }, client));
  running = {
    async stop() {
      over = true;
      await all;
      running = undefined;
      return { statuses, slowestMs, count: Object.values(statuses).reduce((sum, each) => sum + each, 0) };
    },
  };
  return running;
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const without = (nodes: Node[], gone: Node) => void nodes.splice(nodes.indexOf(gone), 1);

async function kill(nodes: Node[], node: Node): Promise<void> {
  node.signal('SIGKILL', 'process');
  await node.exited;
  without(nodes, node);
  await node.clean();
}

it('a render node that dies loses no render: another takes it over in about four seconds', async () => {
  // Alone on the node that is killed: the others are filled first.
  const page = `${site.url}/held`;
  const [first] = cluster.renderers as [Node];
  let takenAt = 0;
  let begunAt = 0;
  site.set('/held', (_request, response) => {
    if (begunAt === 0) {
      begunAt = performance.now();
      return; // never answers the first one
    }
    takenAt = performance.now();
    response.end(colourPage('#663399'));
  });
  const answer = shot(proxy, key, { url: page });
  await expect.poll(() => begunAt).toBeGreaterThan(0);
  const busy = await busiest();
  const killedAt = performance.now();
  await kill(cluster.renderers, busy ?? first);
  expect((await answer).status).toBe(200);
  const tookMs = Math.round(takenAt - killedAt);
  console.log(`taken over after ${tookMs} ms`);
  expect(tookMs).toBeLessThan(9000);
  await cluster.addRenderer();
});

/** The render node that has a render under way. */
async function busiest(): Promise<Node | undefined> {
  for (const node of cluster.renderers) {
    const text = await (await fetch(`${node.url}/metrics`)).text();
    if (/\ntintype_node_pages_open [1-9]/.test(text)) return node;
  }
  return undefined;
}

it('kill -9 of render nodes under load: no request fails', async () => {
  const clients = load(6);
  await pause(2000);
  await kill(cluster.renderers, cluster.renderers[0] as Node);
  await pause(3000);
  await kill(cluster.renderers, cluster.renderers[0] as Node);
  // Past the moment at which the last one's renders are taken over by the one that is left.
  await pause(6000);
  const { statuses, slowestMs, count } = await clients.stop();
  // Without a load they start sooner; that nodes start under one is for the rolling restart.
  await Promise.all([cluster.addRenderer(), cluster.addRenderer()]);
  console.log(`${count} requests, the slowest ${Math.round(slowestMs)} ms`);
  expect(Object.keys(statuses)).toEqual(['200']);
});

it('kill -9 of an api node under load: no request fails, the proxy asks the next one', async () => {
  const clients = load(6);
  await pause(2000);
  const gone = cluster.apis[0] as Node;
  await kill(cluster.apis, gone);
  await pause(3000);
  await cluster.addApi(gone.port);
  await pause(1000);
  const { statuses, slowestMs, count } = await clients.stop();
  console.log(`${count} requests, the slowest ${Math.round(slowestMs)} ms`);
  expect(Object.keys(statuses)).toEqual(['200']);
});

it('a rolling restart of every node under load: no request fails', { timeout: 240_000 }, async () => {
  const clients = load(4);
  await pause(1000);
  async function end(nodes: Node[], old: Node): Promise<void> {
    old.signal('SIGTERM', 'process');
    expect(await old.exited, old.output().slice(-2000)).toBe(0);
    without(nodes, old);
    await old.clean();
  }
  const old = cluster.apis.map((api, i) => [api, cluster.renderers[i] as Node] as const);
  for (const [api, renderer] of old) {
    await Promise.all([
      end(cluster.apis, api).then(() => cluster.addApi(api.port)),
      cluster.addRenderer().then(() => end(cluster.renderers, renderer)),
    ]);
  }
  const { statuses, count } = await clients.stop();
  console.log(`${count} requests`);
  expect(Object.keys(statuses)).toEqual(['200']);
});
