// Runs inside a network namespace of its own (unshare -n): a machine with nothing but loopback, on which the test puts
// a public address with the fixture site and canaries on every kind of address that is not public. Prints one line of JSON.
import { createHash, X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../../../setup/find-browser.js';
import { createCapturer } from '../../../src/capture/capture.ts';
import { effectiveRequest } from '../../../src/capture/capture-request.ts';
import type { Capturer } from '../../../src/capture/capture-types.ts';
import { screenshotParameters } from '../../../src/capture/parameters.ts';
import { createEgress } from '../../../src/egress/egress.ts';
import type { Egress, Outlet } from '../../../src/egress/egress-types.ts';
import { Deadline } from '../../../src/kernel/deadline.ts';
import { Problem } from '../../../src/kernel/errors.ts';
import { createLog } from '../../../src/kernel/log.ts';
import { parse } from '../../../src/kernel/parameters.ts';
import { decode } from '../../harness/picture.ts';
import { wrapBrowser } from './browser-wrapper.ts';
import { nameServers, privateAddresses, startCanaries } from './canaries.ts';
import { setUpNetwork } from './network.ts';
import { pages, parameters } from './pages.ts';
import type { Outcome, Report } from './report.ts';
import { publicAddress, siteNames, startSite } from './site.ts';

setUpNetwork([...privateAddresses, ...nameServers()], publicAddress);
const log = createLog('error', (line) => process.stderr.write(line));
const canaries = await startCanaries();
const deaf = await canaries.prove();

// A name that changes its answer: the first is public, every later one is not.
const asked = new Map<string, number>();
const changing: Record<string, string> = {
  'rebind.fixture.test': '127.0.0.1',
  'rebind-keepalive.fixture.test': '10.0.0.1',
};
const resolver = async (host: string): Promise<string[]> => {
  const times = (asked.get(host) ?? 0) + 1;
  asked.set(host, times);
  if (host === 'spoofed.fixture.test') return ['10.0.0.1'];
  if (times > 1 && changing[host] !== undefined) return [changing[host]];
  return siteNames.includes(host) ? [publicAddress] : [];
};

// The outlet of a render is known by the render's signal.
const outlets = new Map<AbortSignal, Outlet>();
const ports = new Set<number>();
const guard = createEgress({ allowPrivate: [], resolver, log });
const egress: Egress = {
  ...guard,
  async createOutlet() {
    const outlet = await guard.createOutlet();
    ports.add(outlet.port);
    const open: Outlet['open'] = (budget, signal) => {
      outlets.set(signal, outlet);
      outlet.open(budget, signal);
    };
    return Object.create(outlet, { open: { value: open } });
  },
};

const site = await startSite(() => [...ports]);
const folder = mkdtempSync(join(tmpdir(), 'tintype-vectors-'));
chmodSync(folder, 0o777);
const found = await findBrowser({ projectDir: join(import.meta.dirname, '../../..') });
if (found === undefined) throw new Error('No browser was found.');
const spki = new X509Certificate(site.certificate).publicKey.export({ type: 'spki', format: 'der' });
const trust = `--ignore-certificate-errors-spki-list=${createHash('sha256').update(spki).digest('base64')}`;

async function withBrowser<T>(name: string, drop: string[], use: (capturer: Capturer) => Promise<T>): Promise<T> {
  const path = wrapBrowser(found?.path ?? '', join(folder, name), [trust], drop);
  const capturer = await createCapturer({ egress, browser: { ...found, path }, concurrency: 3, log, folder });
  try {
    return await use(capturer);
  } finally {
    await capturer.stop();
  }
}

async function visit(capturer: Capturer, url: string, more: Record<string, string> = {}) {
  const query = new Map(Object.entries({ url, width: '400', height: '300', delay: '700', ...more }));
  const deadline = new Deadline(30_000);
  let outcome: string;
  let bytes: Buffer | undefined;
  try {
    ({ bytes } = await capturer.capture(effectiveRequest(parse(query, screenshotParameters)), deadline));
    outcome = 'picture';
  } catch (error) {
    outcome = error instanceof Problem ? `${error.code}: ${error.message}` : String(error);
  }
  const outlet = outlets.get(deadline.signal);
  const refused = [...new Set(outlet?.refusals.map((refusal) => refusal.host))];
  deadline.cancel();
  return { outcome, bytes, refused };
}

type Vector = { name: string; url: string; more?: Record<string, string> };

const listed: { url: string; layer: string; why: string }[] = JSON.parse(
  readFileSync(new URL('../ssrf-urls.json', import.meta.url), 'utf8'),
);
const fromList: Vector[] = listed
  .filter((entry) => entry.layer === 'egress')
  .map(({ url, why }): Vector => {
    const { hostname, pathname, searchParams } = new URL(url);
    const css = searchParams.get('customCSS');
    if (css !== null) return { name: why, url: 'http://public.fixture.test/custom-css', more: { customCSS: css } };
    if (hostname.startsWith('rebind')) return { name: why, url, more: { delay: '4200' } };
    return { name: why, url: pages[pathname]?.secure ? url.replace('http:', 'https:') : url };
  });
const ours: Vector[] = Object.entries(pages)
  .filter(
    ([path]) =>
      path !== '/rebind' && path !== '/custom-css' && !listed.some(({ url }) => URL.parse(url)?.pathname === path),
  )
  .map(([path, { secure }]) => ({
    name: path.slice(1),
    url: `${secure ? 'https' : 'http'}://public.fixture.test${path}`,
    more: parameters[path],
  }));
const innocents = [
  'http://public.fixture.test/innocent',
  'https://public.fixture.test/innocent',
  'http://public.fixture.test:8080/innocent',
  'http://public.fixture.test/innocent-socket',
  'https://public.fixture.test/innocent-socket',
  `http://${publicAddress}/innocent`,
  'http://other.fixture.test./innocent',
  'http://public.fixture.test/redirect?code=302&to=%2Finnocent',
  'https://public.fixture.test:8443/innocent',
];

const report = await withBrowser('browser', [], async (capturer): Promise<Report> => {
  const vectors: Outcome[] = [];
  const queue = [
    ...fromList.map((vector) => ({ ...vector, listed: true })),
    ...ours.map((vector) => ({ ...vector, listed: false })),
  ];
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { outcome, refused } = await visit(capturer, next.url, next.more);
        vectors.push({ name: next.name, url: next.url, listed: next.listed, outcome, refused });
      }
    }),
  );
  const captured = [];
  for (const url of innocents) {
    const { bytes, outcome } = await visit(capturer, url, { delay: '200' });
    const picture = bytes && (await decode(bytes));
    captured.push({ url, ok: picture?.at(300, 200) === '#00aa00' && picture.at(50, 50) === '#0000ff', outcome });
  }
  return {
    browser: capturer.health().browser,
    canaries: canaries.count,
    deaf,
    vectors,
    innocents: captured,
    contacts: [...canaries.contacts],
    hosts: [...new Set(site.seen.map(({ host }) => host))],
    control: 0,
  };
});

// The other control: without its two flags the same page does reach the canaries, so that silence above means something.
canaries.contacts.length = 0;
await withBrowser('unguarded', ['--force-webrtc-ip', '--webrtc-ip'], (capturer) =>
  visit(capturer, 'http://public.fixture.test/webrtc', { delay: '1500' }),
);
process.stdout.write(`${JSON.stringify({ ...report, control: canaries.contacts.length })}\n`);

site.stop();
canaries.stop();
await guard.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
