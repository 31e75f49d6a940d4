// The spec suite's service, when the suite runs on a cluster (the project cluster-spec of vitest.config.ts). A service without
// special settings is the shared one: three api and three render processes, asked in turn. With special settings it is
// an api and a render node in this process, on a database and a Redis of their own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { Resolver } from '../../src/egress/egress-types.ts';
import { createLog } from '../../src/kernel/log.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';

/** Where the shared cluster is; from test/cluster/spec-setup.ts. */
export type ClusterPlace = {
  readonly apis: readonly string[];
  /** Everything that each process has written so far, as a JSON array of texts. */
  readonly outputUrl: string;
  readonly databaseUrl: string;
  /** Empty ones, of which a service takes the first that is left. */
  readonly spare: readonly { databaseUrl: string; redisUrl: string }[];
};

/** What startService needs of a running Tintype. */
export type Place = {
  readonly url: string;
  /** The node that is asked next. */
  next(): string;
  readonly store: Store;
  readonly dataDir: string;
  logLines(): string[];
  printed(): string[];
  /** Resolves when what was done is in the log. */
  quiet(): Promise<void>;
  metrics(): Promise<string>;
  stop(): Promise<void>;
};

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** A Tintype in this process writes its line when the answer is out. */
export const quietHere = (): Promise<void> => pause(50);

let taken = 0;

export const startOnCluster = (
  cluster: ClusterPlace,
  env: Record<string, string>,
  resolver?: Resolver,
): Promise<Place> =>
  resolver === undefined && Object.keys(env).length === 0 ? shared(cluster) : pair(cluster, env, resolver);

async function shared({ apis, outputUrl, databaseUrl }: ClusterPlace): Promise<Place> {
  const store = await openStore({ dataDir: '/nonexistent', databaseUrl, log: createLog('silent') });
  let asked = 0;
  let outputs: string[] = [];
  const read = async () => {
    outputs = (await (await fetch(outputUrl)).json()) as string[];
  };
  const linesOf = (texts: readonly string[]) => texts.flatMap((text) => text.split('\n').filter(Boolean));
  const all = () => Promise.all(apis.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  await read();
  const before = outputs.map((text) => text.length);
  const figuresBefore = sum(await all());
  return {
    url: apis[0] ?? '',
    next: () => apis[asked++ % apis.length] ?? '',
    store,
    dataDir: '/nonexistent',
    logLines: () =>
      linesOf(outputs.map((text, i) => text.slice(before[i])))
        .filter((line) => line.startsWith('{'))
        .sort((a, b) => timeOf(a) - timeOf(b)),
    printed: () => linesOf(outputs).filter((line) => !line.startsWith('{')),
    async quiet() {
      await pause(300);
      await read();
    },
    async metrics() {
      const now = sum(await all());
      return [...now].map(([name, value]) => `\n${name} ${value - (figuresBefore.get(name) ?? 0)}`).join('');
    },
    stop: () => store.close(),
  };
}

const timeOf = (line: string): number => Date.parse(JSON.parse(line).time);

/** The figures of several nodes, added up. */
function sum(texts: readonly string[]): Map<string, number> {
  const figures = new Map<string, number>();
  for (const line of texts.join('\n').split('\n')) {
    const match = /^([a-z_]+(?:\{.*\})?) (\S+)$/.exec(line);
    if (match?.[1]) figures.set(match[1], (figures.get(match[1]) ?? 0) + Number(match[2]));
  }
  return figures;
}

async function pair({ spare }: ClusterPlace, env: Record<string, string>, resolver?: Resolver): Promise<Place> {
  const place = spare[taken++];
  if (place === undefined)
    throw new Error('More services with settings of their own than spec-setup.ts made room for.');
  const dataDir = await mkdtemp(join(tmpdir(), 'tintype-pair-'));
  const logLines: string[] = [];
  const printed: string[] = [];
  const outside = {
    log: createLog('debug', (line) => void logLines.push(line)),
    print: (line: string) => void printed.push(line),
    ...(resolver && { resolver }),
  };
  const common = {
    PORT: '0',
    DATA_DIR: dataDir,
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    REDIS_URL: place.redisUrl,
    ...env,
  };
  const [api, renderer] = await Promise.all([
    start(loadConfig({ ...common, ROLE: 'api', DATABASE_URL: place.databaseUrl }), outside),
    start(loadConfig({ ...common, ROLE: 'render' }), outside),
  ]);
  return {
    url: api.url,
    next: () => api.url,
    store: api.store,
    dataDir,
    logLines: () => logLines,
    printed: () => printed,
    quiet: quietHere,
    metrics: async () => (await fetch(`${api.url}/metrics`)).text(),
    async stop() {
      await emptyCache(api.store);
      await Promise.all([api.stop(), renderer.stop()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The next file of tests gets this database, too, and its cache may be small. */
async function emptyCache({ cache }: Store): Promise<void> {
  for (const { accountId } of await cache.accounts())
    for (;;) {
      const entries = await cache.ofAccount(accountId, 200);
      if (entries.length === 0) break;
      await cache.remove(entries.map(({ key }) => key));
    }
}
