// A capturer with the real browser and a cleaner, before a site on loopback that answers for every name.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { findBrowser } from '../../setup/find-browser.js';
import { createCapturer } from '../../src/capture/capture.ts';
import { effectiveRequest } from '../../src/capture/capture-request.ts';
import type { Captured } from '../../src/capture/capture-types.ts';
import { createCleaner } from '../../src/capture/clean/cleaner.ts';
import { readListState } from '../../src/capture/clean/list-state.ts';
import { screenshotParameters } from '../../src/capture/parameters.ts';
import { createEgress } from '../../src/egress/egress.ts';
import { Deadline } from '../../src/kernel/deadline.ts';
import { createLog } from '../../src/kernel/log.ts';
import { parse } from '../../src/kernel/parameters.ts';
import { type FixtureSite, startFixtureSite } from './fixture-site.ts';

const projectDir = join(import.meta.dirname, '..', '..');
const fetchedLists = join(projectDir, '.tintype', 'lists');
const noLists = join(tmpdir(), 'tintype-no-lists');

/** Where the lists come from in these tests: always the built-in one, and the fetched ones where the set-up got them. */
export const listSources: readonly { source: string; dir: string }[] = [
  { source: 'built-in', dir: noLists },
  ...(readListState(fetchedLists).source === 'fetched' ? [{ source: 'fetched', dir: fetchedLists }] : []),
];

export type Query = Record<string, string | number | boolean>;
export type CleanHarness = {
  readonly site: FixtureSite;
  capture(url: string, query?: Query): Promise<Captured>;
  stop(): Promise<void>;
};

export async function openCleanHarness(dir: string): Promise<CleanHarness> {
  const log = createLog('silent');
  const site = await startFixtureSite();
  const egress = createEgress({ allowPrivate: ['127.0.0.0/8'], resolver: async () => ['127.0.0.1'], log });
  const browser = await findBrowser({ projectDir });
  if (!browser) throw new Error('These tests need a browser: npm run setup');
  const folder = await mkdtemp(join(tmpdir(), 'tintype-clean-'));
  // The browser runs as another user where we are root, and must reach its profile in there.
  await chmod(folder, 0o711);
  const cleaner = createCleaner({ dir, log });
  const capturer = await createCapturer({ egress, browser, cleaner, concurrency: 3, log, folder });
  return {
    site,
    async capture(url, query = {}) {
      const words = new Map(Object.entries({ url, ...query }).map(([name, value]) => [name, String(value)]));
      const deadline = new Deadline(60_000);
      try {
        return await capturer.capture(effectiveRequest(parse(words, screenshotParameters)), deadline);
      } finally {
        deadline.done();
      }
    },
    async stop() {
      await capturer.stop();
      await egress.stop();
      await site.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Pixels = { readonly data: Buffer; readonly width: number; readonly height: number };

export async function decode(bytes: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** How many pixels have exactly this colour (#rrggbb). */
export function countOf({ data }: Pixels, colour: string): number {
  const [red, green, blue] = Buffer.from(colour.slice(1), 'hex');
  let found = 0;
  for (let i = 0; i < data.length; i += 3)
    if (data[i] === red && data[i + 1] === green && data[i + 2] === blue) found++;
  return found;
}

/** How many pixels differ; all of them if the sizes do. */
export function difference(a: Pixels, b: Pixels): number {
  if (a.width !== b.width || a.height !== b.height) return Math.max(a.width * a.height, b.width * b.height);
  let found = 0;
  for (let i = 0; i < a.data.length; i += 3)
    if (a.data[i] !== b.data[i] || a.data[i + 1] !== b.data[i + 1] || a.data[i + 2] !== b.data[i + 2]) found++;
  return found;
}

/** The page under every banner (test/fixtures/site.html): its bands, whole, at full height. */
const bands = { '#1d3557': 95_000, '#2a9d8f': 315_000, '#e9c46a': 588_800, '#6a4c93': 250_000 };
export const isWhole = (pixels: Pixels): boolean =>
  pixels.height === 2000 && Object.entries(bands).every(([colour, least]) => countOf(pixels, colour) >= least);

/** Runs the tasks a few at a time: on two cores more would only wait for each other. */
export async function fewAtATime<T, R>(items: readonly T[], task: (item: T) => Promise<R>, width = 3): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await task(next[1]);
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}
