// A picture of the page made slowly and by other means than Tintype's, to compare with.
//
// A viewport is taken when the network is idle, 1.5 s later, when two pictures 300 ms apart are equal (or after 5 s).
//
// A full page is what a reader sees who scrolls through it: the page is scrolled slowly to its end and back, then in steps of
// half a window; of each step the middle half of the window is kept, where everything that appears by scrolling has
// appeared. The bands, one below the other, are the picture. So sections of 100vh keep their height, `once: false` reveals
// are shown, and the zoom of a phone is the browser's own. Below the first band, what is fixed to the window is hidden
// (unless it fills it: a backdrop) and what sticks lies at its own place, so that neither is repeated; the part of fixed
// elements that reaches below the first band is added from the first window.
import type { Browser, CDPSession, Page } from 'playwright-core';
import sharp, { type Region } from 'sharp';
import { sleep } from '../../src/kernel/deadline.ts';
import { decode, difference, type Raw } from './compare.ts';
import { fixedBoxes, pageFacts, prepareBand, scrollPage } from './in-page.ts';
import { comparedHeight, type Mode } from './modes.ts';
import { watchNetwork } from './network.ts';

/** Part of the key under which references are kept: raise it when they are made in another way. */
export const referenceVersion = { viewport: 1, full: 2, phone: 2 };

export type Reference = {
  readonly png: Buffer /** Share of the picture that was still moving. */;
  readonly moving: number;
};

type Sitting = {
  readonly page: Page;
  readonly session: CDPSession;
  readonly idle: (maxMs: number) => Promise<void>;
  readonly mode: Mode;
};

export async function takeReference(browser: Browser, url: string, mode: Mode): Promise<Reference> {
  const context = await browser.newContext({
    viewport: { width: mode.width, height: mode.height },
    deviceScaleFactor: mode.scale,
    isMobile: mode.phone,
    hasTouch: mode.phone,
    userAgent: mode.phone
      ? 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
      : `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version().split('.')[0]}.0.0.0 Safari/537.36`,
  });
  try {
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
    const idle = watchNetwork(page);
    const session = await context.newCDPSession(page);
    await page.goto(url, { waitUntil: 'load', timeout: 20_000 }).catch(() => {});
    const sitting = { page, session, idle, mode };
    await idle(8000);
    await sleep(1500);
    return mode.fullPage ? await whole(sitting) : await atRest(sitting, 5000);
  } finally {
    await context.close();
  }
}

async function capture({ session }: Sitting): Promise<Buffer> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
  return Buffer.from(data, 'base64');
}

/** The picture when two in a row are equal, or the last one and how much of it still moves. */
async function atRest(sitting: Sitting, maxMs: number): Promise<Reference> {
  const { width, height } = sitting.mode;
  const end = Date.now() + maxMs;
  let last = await capture(sitting);
  for (;;) {
    await sleep(300);
    const next = await capture(sitting);
    if (next.equals(last)) return { png: next, moving: 0 };
    if (Date.now() > end) {
      const [a, b] = await Promise.all([last, next].map((png) => decode(png, width, comparedHeight)));
      return { png: next, moving: a && b ? difference(a, b, height).share : 0 };
    }
    last = next;
  }
}

async function whole(sitting: Sitting): Promise<Reference> {
  const { page, idle, mode } = sitting;
  const inner = await slowly(sitting);
  await idle(5000);
  if (inner > 0) {
    const height = Math.min(mode.height + inner, comparedHeight);
    await page.setViewportSize({ width: mode.width, height });
    await sleep(500);
    return atRest(sitting, 3000);
  }
  return bands(sitting);
}

/** Through the page and back, in steps of half a window; answers how far an inner scroller goes, where the document has none. */
async function slowly({ page, idle, mode }: Sitting): Promise<number> {
  const start = await page.evaluate(pageFacts);
  const limit = comparedHeight / start.zoom + start.window;
  for (let y = 0; y < limit; y += start.window / 2) {
    const { end } = await page.evaluate(scrollPage, y);
    await sleep(200);
    await idle(1500);
    if (end) break;
  }
  await sleep(700);
  await idle(3000);
  await page.evaluate(scrollPage, 0);
  await sleep(500);
  const facts = await page.evaluate(pageFacts);
  return facts.height <= mode.height + 10 ? facts.inner : 0;
}

/** The window at rest and where it is: some pages scroll on by themselves, to the next section. */
async function inPlace(sitting: Sitting, maxMs: number) {
  for (let turn = 1; ; turn++) {
    const before = await sitting.page.evaluate(pageFacts);
    const shot = await atRest(sitting, maxMs);
    const facts = await sitting.page.evaluate(pageFacts);
    if (Math.abs(facts.top - before.top) < 1 || turn === 3) return { shot, facts };
  }
}

async function bands(sitting: Sitting): Promise<Reference> {
  const { page, idle, mode } = sitting;
  const pieces: { input: Buffer; top: number; left: number }[] = [];
  const fixed: typeof pieces = [];
  let previous: { png: Buffer; above: number } | undefined;
  let done = 0;
  let moving = 0;
  for (let step = 0; ; step++) {
    const { window: tall } = await page.evaluate(pageFacts);
    const { end } = await page.evaluate(scrollPage, (step * tall) / 2);
    await sleep(250);
    await idle(2000);
    if (step > 0) await page.evaluate(prepareBand);
    const { shot, facts } = await inPlace(sitting, step === 0 ? 3000 : 1200);
    // Rows of the picture, in CSS pixels of the screen.
    const above = Math.round(facts.top * facts.zoom);
    const from = Math.max(0, done - above);
    const last = end || (step + 1) * (tall / 2) * facts.zoom > comparedHeight;
    const to = last
      ? Math.min(mode.height, Math.round(facts.height * facts.zoom) - above)
      : Math.round(mode.height * 0.75);
    // A page that snaps to its sections has gone further than asked: the window before shows the rows between.
    if (above > done && previous && previous.above + mode.height >= above) {
      const between = [done - previous.above, above - previous.above] as const;
      pieces.push({ input: await rows(previous.png, mode, ...between), top: done, left: 0 });
      done = above;
    }
    if (to > from) {
      pieces.push({ input: await rows(shot.png, mode, from, to), top: done, left: 0 });
      if (step === 0) fixed.push(...(await fixedBelow(sitting, shot.png, to)));
      moving += shot.moving * (to - from);
      done = above + to;
      previous = { png: shot.png, above };
    }
    if (last) break;
  }
  const canvas = { width: mode.width, height: Math.max(1, done), channels: 3, background: '#fff' } as const;
  const png = await sharp({ create: canvas, limitInputPixels: false })
    .composite([...pieces, ...fixed.filter(({ top }) => top < done)])
    .png({ compressionLevel: 3 })
    .toBuffer();
  return { png, moving: moving / Math.max(1, done) };
}

/** Parts of fixed elements that lie below a row of the first window. */
async function fixedBelow({ page, mode }: Sitting, png: Buffer, row: number) {
  const raw = await decode(png, mode.width, mode.height);
  const parts = (await page.evaluate(fixedBoxes)).map((box) => {
    const left = Math.max(0, Math.floor(box.x));
    const top = Math.max(row, Math.floor(box.y));
    const width = Math.min(raw.width, Math.ceil(box.x + box.width)) - left;
    const height = Math.min(raw.height, Math.ceil(box.y + box.height)) - top;
    return { left, top, width, height };
  });
  return Promise.all(
    parts
      .filter(({ width, height }) => width > 0 && height > 0)
      .map(async (part) => ({ input: await cut(raw, part), top: part.top, left: part.left })),
  );
}

async function rows(png: Buffer, mode: Mode, from: number, to: number): Promise<Buffer> {
  const raw = await decode(png, mode.width, mode.height);
  const height = Math.min(to, raw.height) - from;
  return cut(raw, { left: 0, top: from, width: raw.width, height });
}

const cut = (raw: Raw, part: Region): Promise<Buffer> =>
  sharp(raw.data, { raw: { width: raw.width, height: raw.height, channels: 3 } })
    .extract(part)
    .png({ compressionLevel: 1 })
    .toBuffer();
