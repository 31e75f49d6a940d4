// Pages behind a login on a cluster: the render nodes get the secrets, and Redis never sees one.
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Site, startSite } from '../harness/site.ts';
import { type Node, startTopology, type Topology } from './topology.ts';

const canary = () => `canary${randomBytes(12).toString('hex')}`;
const secrets = { header: canary(), password: canary(), cookie: canary() };
const authorization = `Basic ${Buffer.from(`ada:${secrets.password}`).toString('base64')}`;
const login = {
  headers: { 'X-Token': secrets.header },
  cookies: [{ name: 'session', value: secrets.cookie }],
  basicAuth: { username: 'ada', password: secrets.password },
};

let site: Site;
let cluster: Topology;
let client: Redis;
let monitor: Redis;
let key: string;
let heard = '';
let slow = false;
beforeAll(async () => {
  [site, cluster] = await Promise.all([
    startSite({
      '/': ({ headers }, response) => {
        const isIn =
          headers['x-token'] === secrets.header &&
          headers.authorization === authorization &&
          headers.cookie === `session=${secrets.cookie}`;
        setTimeout(() => response.end(`<title>${isIn ? 'in' : 'out'}</title>x`), slow ? 1500 : 0);
      },
    }),
    startTopology({ apis: 2, renderers: 1 }),
  ]);
  ({ key } = await cluster.customer('business'));
  client = new Redis(cluster.redis.url);
  monitor = await client.monitor();
  monitor.on('monitor', (_time, args: string[]) => {
    heard += `${args.join(' ')}\n`;
  });
});
afterAll(async () => {
  for (const connection of [client, monitor]) connection.disconnect();
  await Promise.all([cluster.remove(), site.close()]);
});

const capture = async (node: Node | undefined, path: string) => {
  const response = await fetch(`${node?.url}/v1/screenshot`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${site.url}${path}`, response: 'json', ...login }),
  });
  return ((await response.json()) as { page?: { title: string } }).page?.title;
};

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

it('a render node gets the headers, cookies and the password', async () => {
  expect(await capture(cluster.apis[0], '/?a')).toBe('in');
});

it('a render node that has just joined gets them', async () => {
  const old = cluster.renderers[0] as Node;
  const joined = await cluster.addRenderer();
  old.signal('SIGSTOP');
  try {
    expect(await capture(cluster.apis[1], '/?b')).toBe('in');
    expect(joined.output()).not.toContain(secrets.header);
  } finally {
    old.signal('SIGCONT');
  }
});

it('another render node gets them when the one that had the render dies', async () => {
  slow = true;
  const result = capture(cluster.apis[0], '/?c');
  await expect.poll(() => site.hits('/')).toBe(3);
  // Whichever has it: the other one takes over, or goes on.
  cluster.renderers.shift()?.signal('SIGKILL', 'group');
  expect(await result).toBe('in');
  slow = false;
});

it('the leader of a render dies: a follower that wants the same gives them instead', async () => {
  const [renderer] = cluster.renderers;
  renderer?.signal('SIGSTOP');
  const leader = cluster.apis[0] as Node;
  const lost = capture(leader, '/?d').catch(() => 'lost');
  await pause(500);
  const result = capture(cluster.apis[1], '/?d');
  await pause(500);
  leader.signal('SIGKILL', 'group');
  renderer?.signal('SIGCONT');
  expect(await lost).toBe('lost');
  expect(await result).toBe('in');
});

it('no secret was in a command or a value of Redis, or in the log of a node', async () => {
  expect(heard).toContain('secrets?');
  const base64 = Object.values(secrets).map((secret) => Buffer.from(secret).toString('base64').slice(4, 24));
  const all = [...Object.values(secrets), ...base64, authorization.slice(6, 40)];
  const places = {
    commands: heard,
    values: cluster.redis.contents(),
    logs: [...cluster.apis, ...cluster.renderers].map((node) => node.output()).join(''),
  };
  for (const [place, text] of Object.entries(places))
    for (const secret of all) expect(text.includes(secret), place).toBe(false);
});
