// Headless Chromium at its best: one warm page with the fonts loaded, into which the card is written.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser } from '../../setup/find-browser.js';
import { answer, type ShotWish } from '../sides/answer.js';
import { card, titleOf, toHtml } from './card.js';

const place = await findBrowser({ projectDir: join(import.meta.dirname, '../..') });
if (!place) throw new Error('There is no browser on this machine.');
const { resolve } = createRequire(import.meta.url);
const face = async (file: string, family: string) =>
  `@font-face{font-family:"${family}";font-weight:100 900;src:url(data:font/woff2;base64,${(await readFile(resolve(file))).toString('base64')})}`;
const css = [
  await face('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2', 'Inter'),
  await face('@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2', 'Source Serif'),
].join('');

const browser = await chromium.launch({ executablePath: place.path, args: ['--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.setContent(`<style>${css}body{margin:0}</style><body>${toHtml(card('Warm'))}</body>`);
await page.evaluate('document.fonts.ready');
const session = await page.context().newCDPSession(page);

let round = 0;
answer(async ({ format }: ShotWish) => {
  await page.evaluate(`document.body.innerHTML = ${JSON.stringify(toHtml(card(titleOf(round++))))}`);
  const { data } = await session.send('Page.captureScreenshot', {
    format: format === 'jpg' ? 'jpeg' : (format as 'png' | 'webp'),
    ...(format !== 'png' && { quality: 80 }),
    optimizeForSpeed: false,
  });
  return Buffer.from(data, 'base64');
});
process.on('disconnect', () => void browser.close());
