// The machine's name service as the way out uses it, against a name server of the test's own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { systemResolver } from '../../src/egress/dns.ts';
import type { Resolver } from '../../src/egress/egress-types.ts';
import { createNameCache } from '../../src/egress/name-cache.ts';
import { startNameServer, type Zone } from './name-server.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});
const never = new AbortController().signal;

async function resolverFor(zone: Zone, hosts = ''): Promise<{ resolver: Resolver; asked: string[] }> {
  const server = await startNameServer(zone);
  const folder = mkdtempSync(join(tmpdir(), 'tintype-names-'));
  undo.push(server.stop, () => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'hosts'), hosts);
  const resolver = systemResolver({ servers: [server.address], hostsFile: join(folder, 'hosts') });
  return { resolver, asked: server.asked };
}

it('gives every address of a name, IPv4 and IPv6', async () => {
  const { resolver } = await resolverFor(() => ['93.184.216.34', '93.184.216.35', '2606:4700::1111']);
  expect((await resolver('all.test')).sort()).toEqual(['2606:4700::1111', '93.184.216.34', '93.184.216.35']);
});

it('gives one family where the other has none', async () => {
  const { resolver } = await resolverFor((name) => (name === 'six.test' ? ['2606:4700::1'] : ['93.184.216.34']));
  expect(await resolver('six.test')).toEqual(['2606:4700::1']);
  expect(await resolver('four.test')).toEqual(['93.184.216.34']);
});

it('does not wait for a name server that drops questions for the other family', async () => {
  const { resolver } = await resolverFor((_, type) => (type === 'A' ? ['93.184.216.34'] : 'silence'));
  const started = performance.now();
  expect(await resolver('four.test')).toEqual(['93.184.216.34']);
  expect(performance.now() - started).toBeLessThan(4000);
});

it('reads the hosts file before it asks', async () => {
  const hosts = '# names\n10.0.0.7 app.example staging.example # both\n::1 app.example\nnonsense here\n';
  const { resolver, asked } = await resolverFor(() => ['93.184.216.34'], hosts);
  expect(await resolver('app.example')).toEqual(['10.0.0.7', '::1']);
  expect(await resolver('staging.example')).toEqual(['10.0.0.7']);
  expect(await resolver('api.localhost')).toEqual(['127.0.0.1']);
  expect(asked).toEqual([]);
});

it('tells a name that is not there from a name server that does not answer', async () => {
  const { resolver } = await resolverFor((name) => (name === 'gone.test' ? 'NXDOMAIN' : 'silence'));
  const names = createNameCache(resolver, 1000);
  const [gone, silent] = await Promise.all([names.lookup('gone.test', never), names.lookup('silent.test', never)]);
  expect(gone).toEqual({ failure: 'the host name was not found' });
  expect(silent).toEqual({ failure: 'the name server did not answer' });
});

it('asks once for questions of the same moment, and again after a failure', async () => {
  let there = false;
  const { resolver, asked } = await resolverFor(() => (there ? ['93.184.216.34'] : 'NXDOMAIN'));
  const names = createNameCache(resolver, 60_000);
  const first = await Promise.all(Array.from({ length: 20 }, () => names.lookup('new.test', never)));
  expect(first[19]).toHaveProperty('failure');
  expect(asked.sort()).toEqual(['new.test A', 'new.test AAAA']);
  there = true;
  expect(await names.lookup('new.test', never)).toEqual({ addresses: ['93.184.216.34'] });
  there = false;
  expect(await names.lookup('new.test', never)).toEqual({ addresses: ['93.184.216.34'] });
});

it('lets one waiter go when its render is over, and answers the others', async () => {
  let answer: (addresses: string[]) => void = () => {};
  const names = createNameCache(() => new Promise((resolve) => (answer = resolve)), 60_000);
  const over = new AbortController();
  const first = names.lookup('slow.test', over.signal);
  const second = names.lookup('slow.test', never);
  over.abort(new Error('over'));
  await expect(first).rejects.toThrow('over');
  answer(['93.184.216.34']);
  expect(await second).toEqual({ addresses: ['93.184.216.34'] });
});
