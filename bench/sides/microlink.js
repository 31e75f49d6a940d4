// microlink's browserless, as its README uses it: one browser, a context for every picture. Run from the folder where it is installed.
import createBrowserless from 'browserless';
import puppeteer from 'puppeteer-core';
import { answer } from './answer.js';

const browserless = createBrowserless({
  puppeteer,
  executablePath: process.env.BENCH_BROWSER,
  args: ['--no-sandbox', '--disable-gpu', '--headless', '--hide-scrollbars', '--disable-dev-shm-usage'],
  defaultDevice: undefined,
  timeout: 30_000,
});

answer(async ({ url, format, fullPage = false }) => {
  const context = await browserless.createContext();
  const common = {
    viewport: { width: 1280, height: 800, deviceScaleFactor: 1 },
    waitUntil: 'load',
    adblock: false,
    animations: true,
  };
  try {
    if (format === 'pdf') return await context.pdf(url, { ...common, format: 'A4', printBackground: true, margin: 0 });
    return await context.screenshot(url, {
      ...common,
      type: format === 'jpg' ? 'jpeg' : format,
      ...(format !== 'png' && { quality: 80 }),
      fullPage,
    });
  } finally {
    void context.destroyContext();
  }
});
