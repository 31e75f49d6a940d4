// What a person writes with playwright-core: one warm browser, a new context for every picture.
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser } from '../../setup/find-browser.js';
import { answer, type ShotWish } from './answer.js';

const place = await findBrowser({ projectDir: join(import.meta.dirname, '../..') });
if (!place) throw new Error('There is no browser on this machine.');
const browser = await chromium.launch({ executablePath: place.path, args: ['--disable-gpu'] });
answer(capture);

async function capture({ url, format, fullPage = false, patient = false }: ShotWish): Promise<Buffer> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'load' });
    if (patient) await page.evaluate(scrollThrough(fullPage || format === 'pdf'));
    if (format === 'pdf') return await page.pdf({ format: 'A4', printBackground: true });
    return await page.screenshot(
      format === 'jpg' ? { type: 'jpeg', quality: 80, fullPage } : { type: 'png', fullPage },
    );
  } finally {
    // Who waits for the picture does not wait for this.
    void context.close();
  }
}

/** What such a person adds when pictures are missing: to the bottom by 0.6 windows, back, and wait for fonts and pictures. */
const scrollThrough = (isWhole: boolean) => `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await document.fonts.ready;
  const bottom = ${isWhole} ? document.documentElement.scrollHeight - innerHeight : 0;
  for (let y = 0; y < bottom; ) {
    y = Math.min(y + innerHeight * 0.6, bottom);
    scrollTo({ top: y, behavior: 'instant' });
    await frame();
  }
  scrollTo({ top: 0, behavior: 'instant' });
  const isSeen = (image) => ${isWhole} || image.getBoundingClientRect().top < innerHeight;
  await Promise.all([...document.images].filter((image) => !image.complete && isSeen(image)).map((image) =>
    new Promise((resolve) => { image.onload = image.onerror = resolve; })));
})()`;
