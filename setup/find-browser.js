// Finds the browser on this machine. (A first version by the lead; the set-up's author replaces it.)
import { accessSync, constants } from 'node:fs';

const places = [
  ['/usr/lib/chromium/chromium-headless-shell', 'headless-shell'],
  ['/usr/lib/chromium/chromium', 'chromium'],
  ['/opt/google/chrome/chrome', 'chrome'],
];

/** @param {{ browserPath?: string, projectDir: string }} where */
export async function findBrowser({ browserPath }) {
  const found = browserPath ? [[browserPath, 'chromium']] : places;
  for (const [path, kind] of found) {
    try {
      accessSync(path, constants.X_OK);
      return { path, kind, env: {}, source: browserPath ? 'BROWSER_PATH' : 'system' };
    } catch {}
  }
  return undefined;
}
