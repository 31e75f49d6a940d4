// The cluster's interface: what changes when there are many machines. It needs one REDIS_URL.
import type { Capacity, Lane } from '../kernel/lanes.ts';
import type { Log } from '../kernel/log.ts';
import { createClusterAdmission } from './cluster-admission.ts';
import { openLink, space } from './link.ts';
import { joinCluster } from './membership.ts';
import { createRemoteExecutor } from './remote-executor.ts';
import { startRenderNode } from './render-node.ts';
import type { TaskSecrets } from './secret-exchange.ts';
import { createSharedFiles } from './shared-files.ts';
import { createSharedFlights } from './shared-flights.ts';
import { createSharedRemovals } from './shared-removals.ts';

export type Cluster = Awaited<ReturnType<typeof openCluster>>;

type ClusterOptions = {
  readonly url: string;
  /** What this machine renders at once; undefined if it renders nothing. */
  readonly capacity?: Record<Lane, Capacity> | undefined;
  readonly queueMax: number;
  readonly log: Log;
};

const aloneMs = 30_000;

export async function openCluster({ url, capacity, queueMax, log }: ClusterOptions) {
  const link = await openLink(url, log);
  const membership = await joinCluster(link, log, capacity);
  const admissions = { pages: createClusterAdmission(link, 'pages'), cards: createClusterAdmission(link, 'cards') };

  return {
    run: link.run,
    get stats() {
      return membership.stats;
    },
    get up() {
      return link.up;
    },
    files: createSharedFiles(link),
    removals: createSharedRemovals(link),
    remoteExecutor: <Task, Output>(lane: Lane, taskSecrets: TaskSecrets<Task>) =>
      createRemoteExecutor<Task, Output>({
        link,
        membership,
        taskSecrets,
        lane,
        admission: admissions[lane],
        queueMax,
      }),
    sharedFlights: <T>(
      parts: Pick<Parameters<typeof createSharedFlights<T>>[0], 'toParts' | 'fromParts' | 'abandoned'>,
    ) => createSharedFlights<T>({ link, membership, log, ...parts }),
    startRenderNode: <Task, Output extends { readonly bytes: Buffer }>(
      parts: Pick<Parameters<typeof startRenderNode<Task, Output>>[0], 'execute' | 'admissions' | 'taskSecrets'>,
    ) =>
      startRenderNode<Task, Output>({
        link,
        membership,
        clusterAdmissions: admissions,
        log,
        ...parts,
      }),
    /** True for one machine of the cluster, once in this time: that machine does the periodic work. */
    isTurn: async (name: string, everyMs: number): Promise<boolean> =>
      (await link
        .call((redis) => redis.set(`${space}:turn:${name}`, membership.id, 'PX', everyMs, 'NX'))
        .catch(() => null)) === 'OK',
    /**
     * Does the work unless another machine is doing it; then false. A machine that dies meanwhile blocks the others for
     * half a minute.
     */
    async exclusively(name: string, work: () => Promise<void>): Promise<boolean> {
      const key = `${space}:alone:${name}`;
      const mine = await link.call((redis) => redis.set(key, membership.id, 'PX', aloneMs, 'NX')).catch(() => null);
      if (mine !== 'OK') return false;
      // The work may take longer: a bucket takes minutes to remove thousands of files.
      const hold = () => void link.run(holdAloneScript, name, membership.id, aloneMs).catch(() => {});
      const holding = setInterval(hold, aloneMs / 6).unref();
      try {
        await work();
      } finally {
        clearInterval(holding);
        await link.run(leaveAloneScript, name, membership.id).catch(() => {});
      }
      return true;
    },
    onMessage: membership.onMessage,
    broadcast: (channel: string, text: string) => void membership.broadcast(channel, text).catch(() => {}),
    async stop() {
      await membership.stop();
      await link.stop();
    },
  };
}

// alone:<name>: the machine that does the work. After an outage of Redis it may be another one by now.
const holdAloneScript = {
  name: 'tintypeHoldAlone',
  lua: `
local key = P .. 'alone:' .. ARGV[2]
if redis.call('GET', key) == ARGV[3] then redis.call('PEXPIRE', key, ARGV[4]) end
`,
};

const leaveAloneScript = {
  name: 'tintypeLeaveAlone',
  lua: `
local key = P .. 'alone:' .. ARGV[2]
if redis.call('GET', key) == ARGV[3] then redis.call('DEL', key) end
`,
};
