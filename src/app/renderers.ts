// What renders: the browsers, the card engine, and the egress guard that both go through.
import { findBrowser } from '../../setup/find-browser.js';
import { createCapturer } from '../capture/capture.ts';
import { createCleaner } from '../capture/clean/cleaner.ts';
import { createCardMaker } from '../cards/cards.ts';
import type { Config } from '../config.ts';
import { createEgress } from '../egress/egress.ts';
import type { Egress, Resolver, TextRecordResolver } from '../egress/egress-types.ts';
import type { Log } from '../kernel/log.ts';
import { listsDir, projectDir } from '../kernel/project-paths.ts';

export type Renderers = Awaited<ReturnType<typeof createRenderers>>;

/** Name servers that tests replace. */
export type NameServers = { readonly resolver?: Resolver; readonly textRecords?: TextRecordResolver };

/** The files of accounts' own templates. `read` is set when the database, or the cluster, is open. */
type TemplateFiles = { read: (hash: string) => Promise<Buffer> };

export async function createRenderers(config: Config, log: Log, names: NameServers = {}) {
  const templateFiles: TemplateFiles = { read: () => Promise.reject(new Error('Nothing is open yet.')) };
  const egress = openEgress(config, log, names);
  const [{ capturer, cleaner }, cards] = await Promise.all([
    openCapturer(config, egress, log),
    createCardMaker({
      egress,
      templatesDir: config.templatesDir,
      watches: true,
      readFile: (hash) => templateFiles.read(hash),
      log,
    }),
  ]);
  return {
    egress,
    capturer,
    cleaner,
    cards,
    templateFiles,
    async stop() {
      await Promise.all([capturer.stop(), cards.stop()]);
      await egress.stop();
    },
  };
}

export function openEgress(config: Config, log: Log, { resolver, textRecords }: NameServers = {}): Egress {
  const egress = createEgress({ allowPrivate: config.allowPrivateTargets, resolver, textRecords, log });
  for (const url of [config.redisUrl, config.databaseUrl, config.s3Endpoint]) protectLoopback(egress, url);
  return egress;
}

export async function openCapturer(config: Config, egress: Egress, log: Log) {
  const browser = await findBrowser({ browserPath: config.browserPath, projectDir });
  if (browser === undefined)
    throw new Error(
      config.browserPath === undefined
        ? 'No browser was found. Run `npm run setup`, or set BROWSER_PATH.'
        : `BROWSER_PATH must be an executable Chromium that is not a snap; it is "${config.browserPath}".`,
    );
  const cleaner = createCleaner({ dir: listsDir, log });
  const place = { ...browser, sandbox: config.browserSandbox };
  const { rendersAtOnce: concurrency, pagesAtOnce: pages } = config;
  const capturer = await createCapturer({ egress, browser: place, cleaner, concurrency, pages, log });
  return { capturer, cleaner };
}

/** Our own servers may not be captured, even where loopback addresses may. */
function protectLoopback(egress: Egress, url: string | undefined): void {
  if (url === undefined) return;
  const { hostname, port, protocol } = new URL(url);
  const usual: Record<string, number> = { 'redis:': 6379, 'rediss:': 6379, 'http:': 80, 'https:': 443 };
  if (/^(localhost|127\..*|\[::1\])$/.test(hostname)) egress.protectPort(Number(port) || (usual[protocol] ?? 5432));
}
