// A capturer with a real browser and a site on loopback, as a test needs them together.
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { findBrowser } from '../../setup/find-browser.js';
import type { BrowserPlace } from '../../src/capture/browser.ts';
import { createCapturer } from '../../src/capture/capture.ts';
import { effectiveRequest } from '../../src/capture/capture-request.ts';
import type { Captured, Capturer } from '../../src/capture/capture-types.ts';
import type { Cleaner } from '../../src/capture/clean/clean-types.ts';
import { screenshotParameters } from '../../src/capture/parameters.ts';
import { createEgress } from '../../src/egress/egress.ts';
import type { Resolver } from '../../src/egress/egress-types.ts';
import { Deadline } from '../../src/kernel/deadline.ts';
import { createLog } from '../../src/kernel/log.ts';
import { parse } from '../../src/kernel/parameters.ts';
import type { Turn } from '../../src/kernel/turn.ts';
import { openSite, type Site } from './site.ts';

export async function findPlace(): Promise<BrowserPlace> {
  const projectDir = join(import.meta.dirname, '../..');
  const place = await findBrowser({ browserPath: process.env.BROWSER_PATH, projectDir });
  if (place === undefined) throw new Error('These tests need a browser: npm run setup');
  return place;
}

export type CaptureHarness = {
  readonly site: Site;
  readonly capturer: Capturer;
  readonly folder: string;
  /** Log lines so far. */
  readonly said: string[];
  /** A capture as the query would ask for it. */
  capture(
    url: string,
    query?: Record<string, string | number | boolean>,
    deadline?: Deadline,
    turn?: Turn,
  ): Promise<Captured>;
  /** Names of what browsers have left in the temporary folder. */
  leftovers(): Promise<string[]>;
  close(): Promise<void>;
};

export async function openCaptureHarness(
  options: {
    concurrency?: number;
    browserPath?: string;
    cleaner?: Cleaner;
    rotateAfter?: number;
    pages?: number;
    resolver?: Resolver;
  } = {},
): Promise<CaptureHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'tintype-capture-'));
  // The browser runs as another user where we are root, and must reach its profile in there.
  await chmod(folder, 0o711);
  const said: string[] = [];
  const log = createLog('info', (line) => said.push(line));
  const site = await openSite();
  const egress = createEgress({
    allowPrivate: ['127.0.0.0/8'],
    log,
    ...(options.resolver && { resolver: options.resolver }),
  });
  const capturer = await createCapturer({
    egress,
    browser: { ...(await findPlace()), ...(options.browserPath && { path: options.browserPath }) },
    concurrency: options.concurrency ?? 2,
    log,
    folder,
    ...(options.cleaner && { cleaner: options.cleaner }),
    ...(options.pages && { pages: options.pages }),
    ...(options.rotateAfter && { rotateAfter: options.rotateAfter }),
  });
  return {
    site,
    capturer,
    folder,
    said,
    async capture(url, query = {}, deadline, turn) {
      const words = new Map(Object.entries({ url, ...query }).map(([name, value]) => [name, String(value)]));
      const request = effectiveRequest(parse(words, screenshotParameters));
      const own = deadline ?? new Deadline(request.timeout);
      try {
        return await capturer.capture(request, own, turn);
      } finally {
        own.done();
      }
    },
    leftovers: () => readdir(folder),
    async close() {
      await capturer.stop();
      await egress.stop();
      await site.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Pixels = {
  readonly width: number;
  readonly height: number;
  /** The colour of a pixel as #rrggbb. */
  at(x: number, y: number): string;
  /** How many of the rows at this x have the colour. */
  count(colour: string): number;
};

/** The picture's pixels, decoded. */
export async function pixels(bytes: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(bytes, { limitInputPixels: false })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) =>
    `#${data.toString('hex', (y * info.width + x) * 3, (y * info.width + x) * 3 + 3)}`;
  return {
    width: info.width,
    height: info.height,
    at,
    count(colour) {
      const wanted = Buffer.from(colour.slice(1), 'hex');
      let found = 0;
      for (let i = 0; i < data.length; i += 3)
        if (data[i] === wanted[0] && data[i + 1] === wanted[1] && data[i + 2] === wanted[2]) found++;
      return found;
    },
  };
}
