// The real service, a site to capture and a real browser, for the tests of the dashboard.
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Running } from '../../src/app/running.ts';
import { start } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/kernel/log.ts';
import { launchBrowser } from '../harness/driven-browser.ts';
import { freePort } from '../harness/ports.ts';
import { openSite, type Site } from './site.ts';

const projectDir = join(import.meta.dirname, '..', '..');
const webDir = join(projectDir, 'web');

export type Visitor = { readonly context: BrowserContext; readonly page: Page; readonly faults: string[] };

export type WebHarness = {
  readonly app: Running;
  readonly url: string;
  /** The address of a page on the site, on a public-looking name. */
  target(path?: string): string;
  /** The link the first start printed. */
  readonly setupLink: string;
  /** Every line of the log so far. */
  readonly logged: readonly string[];
  /** A browser of its own, signed in to nothing; what a page must never do is gathered in `faults`. */
  visitor(options?: { dark?: boolean; width?: number; height?: number }): Promise<Visitor>;
  /** A call to the JSON API as the page's own script would make it. */
  call(context: BrowserContext, method: string, path: string, body?: unknown): Promise<{ status: number; body: never }>;
  restart(settings?: Record<string, string>): Promise<void>;
  close(): Promise<void>;
};

export const password = 'correct horse battery';

export async function openWebHarness(settings: Record<string, string> = {}): Promise<WebHarness> {
  await checkPagesAreBuilt();
  const dataDir = await mkdtemp(join(tmpdir(), 'tintype-web-'));
  const site: Site = await openSite();
  const printed: string[] = [];
  const logged: string[] = [];
  // At its most talkative, so that what must never be in a log is looked for in all of it.
  const log = createLog('debug', (line) => void logged.push(line));
  const run = (port: string, more: Record<string, string> = {}) =>
    start(
      loadConfig({
        PORT: port,
        DATA_DIR: dataDir,
        ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
        SHUTDOWN_SECONDS: '3',
        ...settings,
        ...more,
      }),
      // Every name is the site, so that captures have addresses a person would recognise.
      { resolver: async () => ['127.0.0.1'], print: (line) => printed.push(line), log },
    );
  // It is restarted on the same one.
  const port = String(await freePort());
  let app = await run(port);
  let browser: Promise<Browser> | undefined;
  const harness: WebHarness = {
    get app() {
      return app;
    },
    url: app.url,
    target: (path = '/') => `http://halden.example.com:${site.port}${path}`,
    setupLink: /http\S+\/setup\?token=\S+/.exec(printed.join('\n'))?.[0] ?? '',
    logged,
    async visitor({ dark = false, width = 1280, height = 900 } = {}) {
      browser ??= launchBrowser();
      const context = await (await browser).newContext({
        baseURL: app.url,
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(30_000);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const page = await context.newPage();
      return { context, page, faults: watchFaults(page, app.url) };
    },
    async call(context, method, path, body) {
      const response = await context.request.fetch(path, {
        method,
        headers: { 'sec-fetch-site': 'same-origin' },
        ...(body !== undefined && { data: body as object }),
      });
      const type = response.headers()['content-type'] ?? '';
      const text = await response.text();
      // Of a stream of JSON lines the last one is the answer.
      const json = type.includes('ndjson') ? text.trim().split('\n').at(-1) : type.includes('json') ? text : undefined;
      return { status: response.status(), body: (json === undefined ? text : JSON.parse(json)) as never };
    },
    async restart(more = {}) {
      await app.stop();
      app = await run(port, more);
    },
    async close() {
      await (await browser)?.close();
      await app.stop();
      await site.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return harness;
}

/** What no page of ours may do: throw, break its own policy, or ask anybody else for anything. */
function watchFaults(page: Page, url: string): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`threw: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    // The browser reports every 4xx by itself; the pages answer for those in their own words.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) faults.push(`console: ${text}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) faults.push(`asked ${request.url()}`);
  });
  return faults;
}

/** A test must not judge yesterday's pages. */
async function checkPagesAreBuilt(): Promise<void> {
  const built = join(webDir, 'dist', 'index.html');
  const sources = (await readdir(webDir, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && !entry.parentPath.startsWith(join(webDir, 'dist')),
  );
  const newest = Math.max(...sources.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
  if (!existsSync(built) || statSync(built).mtimeMs < newest)
    throw new Error('The pages of the dashboard are older than their sources. Run `npm run setup`.');
}
