// What a person writes with playwright-core: one warm browser, a new context for every picture.
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser } from '../../setup/find-browser.js';
import { answer, readiness, type ShotWish } from './answer.js';

const place = await findBrowser({ projectDir: join(import.meta.dirname, '../..') });
if (!place) throw new Error('There is no browser on this machine.');
const browser = await chromium.launch({ executablePath: place.path, args: ['--disable-gpu'] });
answer(capture);

async function capture({ url, format, fullPage = false }: ShotWish): Promise<Buffer> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'load' });
    await page.evaluate(readiness(fullPage || format === 'pdf'));
    if (format === 'pdf') return await page.pdf({ format: 'A4', printBackground: true });
    if (format === 'webp') throw new Error('playwright makes no webp');
    return await page.screenshot(
      format === 'jpg' ? { type: 'jpeg', quality: 80, fullPage } : { type: 'png', fullPage },
    );
  } finally {
    // Who waits for the picture does not wait for this.
    void context.close();
  }
}
