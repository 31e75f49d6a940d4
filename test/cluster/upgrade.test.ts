// During a rolling upgrade nodes of two versions share a Redis. test/fixtures/queue-entries.json has entries of the queue
// as an api node of an earlier version wrote them, one of each kind. They are never changed to suit the code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCluster } from '../../src/cluster/cluster.ts';
import { space } from '../../src/cluster/link.ts';
import { createLog } from '../../src/kernel/log.ts';
import { unpack } from '../../src/kernel/payload.ts';
import { type ServerProcess, startServerProcess } from '../harness/server-process.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';
import { type Node, startTopology, type Topology } from './topology.ts';

type Kind = 'screenshot' | 'content' | 'og';
type Entry = { applicant: object; job: { kind: Kind; request: Record<string, unknown> } };

const stored: Record<Kind, Entry> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/queue-entries.json'), 'utf8'),
);
const kinds = Object.keys(stored) as Kind[];
const laneOf = (kind: Kind) => (kind === 'og' ? 'cards' : 'pages');

let site: Site;
let cluster: Topology;
beforeAll(async () => {
  [site, cluster] = await Promise.all([
    startSite({ '/': colourPage('#336699', 'Hello') }),
    startTopology({ apis: 1, renderers: 0 }),
  ]);
});
afterAll(() => Promise.all([cluster.remove(), site.close()]));

it('a render node renders what an api node of an earlier version has put into the queue', async () => {
  // Apart from the api node of the other test.
  const url = `${cluster.redis.url}/1`;
  const redis = new Redis(url);
  let renderer: ServerProcess | undefined;
  try {
    renderer = await startServerProcess({ ROLE: 'render', REDIS_URL: url, RENDERS_AT_ONCE: '2' });
    for (const kind of kinds) {
      const { job, ...entry } = stored[kind];
      const request = kind === 'og' ? job.request : { ...job.request, url: `${site.url}/` };
      const endsAt = Date.now() + 30_000;
      const id = `${kind}.0123456789ab`;
      // Its leader is on a machine that does not listen, so that the result is stored.
      await redis.hset(`${space}:flight:${kind}`, { id, owner: 'elsewhere/1', endsAt, account: 'a', weight: 1 });
      await redis.set(`${space}:render:${id}`, JSON.stringify({ ...entry, job: { ...job, request } }));
      await redis.zadd(`${space}:admission:${laneOf(kind)}:queue`, 1, id);
      await redis.lpush(`${space}:admission:${laneOf(kind)}:bell`, 1);
      await expect.poll(() => redis.exists(`${space}:payload:${id}`)).toBe(1);
      const payload = await redis.getBuffer(`${space}:payload:${id}`);
      const { head, bytes } = unpack(payload as Buffer);
      expect(head).toEqual({
        id,
        began: true,
        phases: expect.any(Object),
        made: expect.objectContaining({ type: expect.any(String), warnings: expect.any(Array) }),
      });
      expect(bytes.length, kind).toBeGreaterThan(0);
    }
  } finally {
    await renderer?.clean();
    redis.disconnect();
  }
});

/** The names of all fields, with the types of their values. */
const shapeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]))
    : typeof value;

it('an api node puts into the queue what a render node of an earlier version reads', async () => {
  const { key } = await cluster.customer('business');
  const [api] = cluster.apis as [Node];
  const redis = new Redis(cluster.redis.url);
  // A render node that takes nothing from the queue.
  const capacity = { pages: { slots: 4, places: 8 }, cards: { slots: 4, places: 8 } };
  const idle = await openCluster({ url: cluster.redis.url, capacity, queueMax: 0, log: createLog('silent') });
  const client = new AbortController();
  const ask = (path: string) =>
    fetch(`${api.url}/v1/${path}`, { headers: { 'x-api-key': key }, signal: client.signal }).catch(() => {});
  const page = encodeURIComponent(`${site.url}/`);
  const paths = {
    screenshot: `screenshot?url=${page}`,
    content: `content?url=${page}`,
    og: 'og?template=default&title=Hello',
  };
  try {
    const asked = kinds.map((kind) => ask(paths[kind]));
    const written = async (): Promise<Entry[]> => {
      const renders = await Promise.all((await redis.keys(`${space}:render:*`)).map((key) => redis.get(key)));
      return renders.filter((render) => render !== null).map((render) => JSON.parse(render));
    };
    await expect.poll(async () => (await written()).length).toBe(kinds.length);
    const entries = await written();
    for (const kind of kinds)
      expect(shapeOf(entries.find(({ job }) => job?.kind === kind))).toMatchObject(shapeOf(stored[kind]) as object);
    client.abort();
    await Promise.all(asked);
  } finally {
    await idle.stop();
    redis.disconnect();
  }
});
