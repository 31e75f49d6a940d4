// A browser that a test drives by itself, beside those of the service.
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../setup/find-browser.js';

const projectDir = join(import.meta.dirname, '..', '..');

export async function launchBrowser(): Promise<Browser> {
  const found = await findBrowser({ browserPath: undefined, projectDir });
  if (found === undefined) throw new Error('No browser was found for the tests.');
  return chromium.launch({
    executablePath: found.path,
    // It shows only our own pages; as root Chromium starts no other way.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
}
