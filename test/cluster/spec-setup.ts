// Starts the cluster on which the spec suite runs: once, for all of its files.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import type { ClusterPlace } from '../harness/cluster-service.ts';
import { freePort } from '../harness/ports.ts';
import { startTopology } from './topology.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster?: ClusterPlace;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const first = await freePort();
  // Links are made of the first node's address; any node serves them.
  const cluster = await startTopology({ apis: 0, renderers: 3 }, { BASE_URL: `http://127.0.0.1:${first}` });
  await Promise.all([cluster.addApi(first), cluster.addApi(), cluster.addApi()]);
  const nodes = [...cluster.apis, ...cluster.renderers];
  const output = createServer((_request, response) => {
    response.end(JSON.stringify(nodes.map((node) => node.output())));
  });
  await new Promise<void>((done) => output.listen(0, '127.0.0.1', done));
  const spare = await Promise.all(
    Array.from({ length: 6 }, async (_, i) => ({
      databaseUrl: await cluster.postgres.createDatabase(),
      redisUrl: `${cluster.redis.url}/${i + 1}`,
    })),
  );
  project.provide('cluster', {
    apis: cluster.apis.map(({ url }) => url).sort((a) => (a.endsWith(`:${first}`) ? -1 : 1)),
    outputUrl: `http://127.0.0.1:${(output.address() as AddressInfo).port}/`,
    databaseUrl: cluster.databaseUrl,
    spare,
  });
  return async () => {
    output.close();
    await cluster.remove();
  };
}
