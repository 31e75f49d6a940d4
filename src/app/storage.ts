// What outlives a request: the database, the cluster's Redis, the stored results, and what is counted for accounts.
import { randomBytes } from 'node:crypto';
import { createMemoryLimits, type Limits } from '../access/limits.ts';
import { createQuota, type Quota } from '../access/quota.ts';
import { createRedisLimits } from '../access/redis-limits.ts';
import { type Cache, createCache } from '../cache/cache.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Config } from '../config.ts';
import { createJournal, type Journal } from '../http/journal.ts';
import type { Log } from '../kernel/log.ts';
import { storageOf } from '../kernel/plans.ts';
import type { OpenStore } from '../store/open.ts';
import { serviceSecretName } from '../store/service-secret.ts';
import { clusterOf } from './executors.ts';
import { openOwnStore } from './own-store.ts';
import { openFiles } from './result-files.ts';

export type Storage = {
  readonly store: OpenStore;
  /** Signs links to stored results, and encrypts what accounts entrust to the service. */
  readonly serviceSecret: string;
  /** If REDIS_URL is set. */
  readonly cluster: Cluster | undefined;
  readonly cache: Cache;
  readonly limits: Limits;
  readonly quota: Quota;
  readonly journal: Journal;
  /** Writes what waits to be written, and closes everything. */
  close(): Promise<void>;
};

export async function openStorage(config: Config, log: Log): Promise<Storage> {
  const store = await openOwnStore({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, log });
  const serviceSecret = await store.values.setIfAbsent(serviceSecretName, randomBytes(32).toString('hex'));
  const cluster = await clusterOf(config, log);
  const files = await openFiles(config);
  const cache = await createCache({
    index: store.cache,
    files,
    peers: cluster && {
      isTurn: cluster.isTurn,
      exclusively: cluster.exclusively,
      broadcast: (message) => cluster.broadcast('cache:messages', JSON.stringify(message)),
      removals: cluster.removals,
    },
    maxBytes: config.cacheMaxBytes,
    mostOfAccount: storageOf(config.planLimits, 'cache'),
    memoryBytes: config.cacheMemoryBytes,
    log,
  });
  await cluster?.onMessage('cache:messages', (text) => cache.onMessage(JSON.parse(text)));
  const journal = createJournal(store.usage, config.planLimits, log);
  return {
    store,
    serviceSecret,
    cluster,
    cache,
    limits: cluster === undefined ? createMemoryLimits() : createRedisLimits(cluster.run),
    quota: createQuota(store, log),
    journal,
    async close() {
      await Promise.all([cache.stop(), journal.stop()]);
      await Promise.all([store.close(), cluster?.stop(), files.stop?.()]);
    },
  };
}
