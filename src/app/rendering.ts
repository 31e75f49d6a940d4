// What a render passes through in a process with an API: the storage, the browsers and cards of this process or of the cluster,
// validation, and the renderer.
import type { Config } from '../config.ts';
import { createPace } from '../jobs/pace.ts';
import type { Log } from '../kernel/log.ts';
import type { Verdict } from '../kernel/verdict.ts';
import type { Executor } from '../render/executor.ts';
import { createRenderer } from '../render/render.ts';
import { createValidator } from '../render/validate.ts';
import { createOwnTemplates } from '../templates/own-templates.ts';
import { createExecutors } from './executors.ts';
import { createRemoteCards } from './remote-cards.ts';
import { createRenderers, type NameServers, openEgress } from './renderers.ts';
import { openStorage } from './storage.ts';

export async function openRendering(
  config: Config,
  log: Log,
  names: NameServers,
  captured: (verdict: Verdict) => void,
) {
  const starting = config.role === 'all' ? createRenderers(config, log, names) : undefined;
  const storage = await openStorage(config, log).catch(async (error) => {
    await starting?.then(({ stop }) => stop()).catch(() => {});
    throw error;
  });
  const { store, serviceSecret, cluster, cache, limits, quota, journal } = storage;
  const renderers = await starting;
  const egress = renderers?.egress ?? openEgress(config, log, names);
  const readTemplateFile = async (hash: string): Promise<Buffer> => {
    const bytes = await store.ownTemplates.readFile(hash);
    if (bytes === undefined) throw new Error('A file is not stored.');
    return bytes;
  };
  if (renderers) renderers.templateFiles.read = readTemplateFile;
  const local = renderers && { ...renderers, resolve: egress.resolve };
  const executors = await createExecutors(config, cluster, local, readTemplateFile);
  const { shared } = executors;
  const { load } = executors.executor;
  const pace = createPace();
  const executor: Executor = {
    load,
    async execute(task, applicant, ...how) {
      const end = pace.begin(applicant.background === true);
      return executors.executor.execute(task, applicant, ...how).finally(end);
    },
  };
  const cards = renderers?.cards ?? (await createRemoteCards(config, { egress, render: executors.paint, log }));
  const ownTemplates = createOwnTemplates({ store: store.ownTemplates, cards, plans: config.planLimits });
  const slots = () => cluster?.stats.pages.slots ?? config.rendersAtOnce;
  // Pages that only wait hold no slot. In a cluster only the number of pages under way is known.
  const pagesBusy = () => (cluster === undefined ? executors.pagesWorking() : load('pages').running);
  const renderer = createRenderer({
    cache,
    limits,
    quota,
    executor,
    isIdle: () => load('pages').waiting === 0 && pagesBusy() < slots(),
    ...(shared && { shared }),
    captured,
    record: journal.write,
    ...(cluster && { broadcast: (news) => cluster.broadcast('outages:messages', JSON.stringify(news)) }),
  });
  await cluster?.onMessage('outages:messages', (news) => renderer.onOutageMessage(JSON.parse(news)));
  const validate = createValidator({ plans: config.planLimits, egress, cards, ownTemplates, secret: serviceSecret });

  return {
    storage,
    egress,
    /** Not on an api node. */
    renderers,
    cards,
    ownTemplates,
    renderer,
    validate,
    slots,
    load,
    pagesWorking: executors.pagesWorking,
    /** How many jobs may run at once now. */
    jobCapacity(): number {
      // In a cluster the admission puts jobs behind requests; what waits there may be jobs, or renders of a machine that died.
      if (cluster !== undefined) return cluster.up && cluster.stats.renderers > 0 ? Math.max(1, slots() - 1) : 0;
      return load('pages').waiting === 0 ? pace.capacity(slots()) : 0;
    },
    /** Resolves when the renders that this process took from the queue have ended. */
    drain: executors.stop,
    async stop(): Promise<void> {
      await (renderers?.stop() ?? Promise.all([egress.stop(), cards.stop()]));
    },
  };
}
