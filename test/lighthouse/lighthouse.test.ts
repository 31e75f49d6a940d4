// npm run test:lighthouse: Lighthouse, mobile, on the pages that people meet first and on those with the most in them. It is
// installed into a temporary folder, and uses the browser of the project. It throttles as it does for everybody, so that its
// scores for speed need a quiet machine.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBrowser } from '../../setup/find-browser.js';
import { createKey } from '../../src/access/keys.ts';
import { seedUsage } from '../web/seed.ts';
import { openWebHarness, password, type WebHarness } from '../web/web-harness.ts';

const run = promisify(execFile);
const lowest = 95;
const metrics = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
];

let folder: string;
let harness: WebHarness;
let cookie: string;
let browserPath: string;
let accountId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-lighthouse-'));
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const npm = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', [...npm, 'lighthouse@13.5.0'], { cwd: folder });
  const projectDir = join(import.meta.dirname, '..', '..');
  browserPath = (await findBrowser({ browserPath: undefined, projectDir }))?.path ?? '';
  harness = await openWebHarness();
  const { context } = await harness.visitor();
  const token = new URL(harness.setupLink).searchParams.get('token');
  await harness.call(context, 'POST', '/api/setup', { token, name: 'Studio', email: 'studio@example.com', password });
  const account = await harness.app.store.accounts.byEmail('studio@example.com');
  accountId = account?.id ?? '';
  // 14 times a month of about 3,600 requests.
  await seedUsage(harness.app.store, accountId, 30, 14);
  cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
}, 600_000);
afterAll(async () => {
  await harness?.close();
  await rm(folder, { recursive: true, force: true });
});

async function createKeys(): Promise<void> {
  for (let each = 3; each < 1000; each++)
    await createKey(harness.app.store, { accountId, name: `Key ${each}`, limit: 2000 });
}

const pages: readonly { path: string; signedIn?: true; prepare?: () => Promise<void> }[] = [
  { path: '/' },
  { path: '/docs' },
  { path: '/docs/screenshots' },
  { path: '/docs/og-templates' },
  { path: '/docs/api' },
  { path: '/docs/api/screenshot' },
  { path: '/playground', signedIn: true },
  { path: '/usage', signedIn: true },
  { path: '/keys', signedIn: true, prepare: createKeys },
];

it.each(pages)(
  '$path has at least 95 in every category',
  { timeout: 300_000, retry: 1 },
  async ({ path, signedIn, prepare }) => {
    await prepare?.();
    const scores = await scoresOf(path, signedIn === true);
    console.log(path, JSON.stringify(scores));
    for (const [category, score] of Object.entries(scores.categories))
      expect([category, score, scores.failed]).toEqual([category, Math.max(score, lowest), scores.failed]);
  },
);

type Report = {
  environment: { benchmarkIndex: number };
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
};
type Audit = { score: number | null; displayValue?: string; metricSavings?: Record<string, number> };

async function scoresOf(path: string, signedIn: boolean) {
  const output = join(folder, 'report.json');
  const headers = join(folder, 'headers.json');
  await writeFile(headers, JSON.stringify(signedIn ? { Cookie: cookie } : {}));
  const script = join(folder, 'node_modules/lighthouse/cli/index.js');
  // Its defaults: a phone on slow 4G whose processor is four times slower than this machine's.
  const options = ['--output=json', `--output-path=${output}`, `--extra-headers=${headers}`, '--quiet'];
  const chrome = '--chrome-flags=--headless --no-sandbox --disable-gpu';
  await run(process.execPath, [script, harness.url + path, ...options, chrome], {
    env: { ...process.env, CHROME_PATH: browserPath },
  });
  const { categories, audits, environment } = JSON.parse(await readFile(output, 'utf8')) as Report;
  const all = Object.entries(audits);
  return {
    // Of a quiet machine it is above 1300: a slower one is slowed down too much (docs/throttling.md of Lighthouse).
    benchmarkIndex: environment.benchmarkIndex,
    categories: Object.fromEntries(
      Object.entries(categories).map(([name, { score }]) => [name, Math.round(score * 100)]),
    ),
    metrics: metrics.map((id) => `${id} ${audits[id]?.displayValue}`),
    failed: Object.values(categories)
      .flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0))
      .filter(({ id }) => (audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => `${id} ${audits[id]?.displayValue ?? ''}`),
    /** Milliseconds that a change would save, as Lighthouse estimates them. */
    savings: all
      .filter(([, { metricSavings = {} }]) => Object.values(metricSavings).some((ms) => ms > 0))
      .map(([id, { metricSavings }]) => [id, metricSavings]),
  };
}
