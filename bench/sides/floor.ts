// The floor: the same browser with the same flags, driven by bare calls of the protocol in contexts made in advance.
// No guard, no proxy, no HTTP, no cache, no facts about the page; the same waits before the picture.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { findBrowser } from '../../setup/find-browser.js';
import { type Browser, launchBrowser } from '../../src/capture/browser.ts';
import type { CdpSession } from '../../src/capture/cdp.ts';
import { createLog } from '../../src/kernel/log.ts';
import { answer, readiness, type ShotWish } from './answer.js';

type Ready = { session: CdpSession; contextId: string };

const slots = Number(process.argv[2] ?? 2);
const place = await findBrowser({ projectDir: join(import.meta.dirname, '../..') });
if (!place) throw new Error('There is no browser on this machine.');
const browser: Browser = await launchBrowser(
  place,
  tmpdir(),
  createLog('warn'),
  process.argv[3] === 'default flags' ? defaultFlags : undefined,
);
process.on('exit', () => process.kill(-browser.pid, 'SIGKILL'));

const ready: Promise<Ready>[] = Array.from({ length: slots }, makeReady);
answer(capture);

/** What anybody passes who controls a headless browser. */
function defaultFlags(profile: string, sandbox: boolean): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    ...(sandbox ? [] : ['--no-sandbox']),
    '--hide-scrollbars',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--no-first-run',
    '--disable-background-networking',
  ];
}

async function makeReady(): Promise<Ready> {
  const { browserContextId } = await browser.session.send('Target.createBrowserContext', {
    // The flags let nothing out but through a context's own proxy: this one has none.
    proxyServer: 'direct://',
    disposeOnDetach: true,
  });
  const { targetId } = await browser.session.send('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
    width: 1280,
    height: 800,
  });
  const session = await browser.connection.attach(targetId);
  await Promise.all([session.send('Page.enable'), setViewport(session, { width: 1280, height: 800, deviceScale: 1 })]);
  return { session, contextId: browserContextId };
}

const setViewport = (session: CdpSession, size: { width: number; height: number; deviceScale: number }) =>
  session.send('Emulation.setDeviceMetricsOverride', {
    width: size.width,
    height: size.height,
    deviceScaleFactor: size.deviceScale,
    mobile: false,
  });

async function capture(wish: ShotWish): Promise<Buffer> {
  const { session, contextId } = await (ready.shift() ?? makeReady());
  try {
    const { width = 1280, height = 800, deviceScale = 1 } = wish;
    if (width !== 1280 || height !== 800 || deviceScale !== 1)
      await setViewport(session, { width, height, deviceScale });
    const whole = wish.fullPage === true || wish.format === 'pdf';
    // Asked as soon as the document is there, so that no round trip lies between its load and its picture.
    const settled = new Promise<number>((resolve, reject) =>
      session.on('Page.frameNavigated', ({ frame }) => {
        if (frame.parentId !== undefined) return;
        session
          .send('Runtime.evaluate', { expression: readiness(whole), awaitPromise: true, returnByValue: true })
          .then(({ result }) => resolve(result.value), reject);
      }),
    );
    await session.send('Page.navigate', { url: wish.url });
    const tall = await settled;
    if (wish.format === 'text') return Buffer.from(await evaluate(session, 'document.body.innerText'));
    if (wish.format === 'pdf')
      return bytesOf(
        await session.send('Page.printToPDF', {
          printBackground: true,
          paperWidth: 8.27,
          paperHeight: 11.69,
          generateTaggedPDF: true,
          generateDocumentOutline: true,
        }),
      );
    const element = wish.selector && (await evaluate(session, boxOf(wish.selector)));
    const bytes = bytesOf(
      await session.send('Page.captureScreenshot', {
        ...(wish.format === 'jpg' ? { format: 'jpeg', quality: 80 } : { format: 'png' }),
        optimizeForSpeed: true,
        ...(wish.fullPage && {
          captureBeyondViewport: true,
          clip: { x: 0, y: 0, width, height: tall, scale: 1 },
        }),
        ...(element && { clip: { ...element, scale: 1 } }),
      }),
    );
    // Sharp is faster at webp than the browser.
    return wish.format === 'webp' ? await sharp(bytes).webp({ quality: 80, effort: 2 }).toBuffer() : bytes;
  } finally {
    session.end();
    browser.session.send('Target.disposeBrowserContext', { browserContextId: contextId });
    ready.push(makeReady());
  }
}

const evaluate = async (session: CdpSession, expression: string) =>
  (await session.send('Runtime.evaluate', { expression, returnByValue: true })).result.value;

const boxOf = (selector: string) => `(({ x, y, width, height }) => ({ x, y, width, height }))(
  document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`;

const bytesOf = ({ data }: { data: string | Buffer }): Buffer =>
  typeof data === 'string' ? Buffer.from(data, 'base64') : data;
