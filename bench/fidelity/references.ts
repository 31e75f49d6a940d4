// References, kept in the temporary folder: by page, mode, browser and the way in which they are made.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import type { FoundBrowser } from '../../setup/find-browser.js';
import { decode, difference } from './compare.ts';
import type { SitePage } from './install.ts';
import type { Mode } from './modes.ts';
import { type Reference, referenceVersion, takeReference } from './reference.ts';

export type References = {
  of(page: SitePage, url: string, mode: Mode): Promise<Reference & { readonly fresh: boolean }>;
  close(): Promise<void>;
};

// What makes pixels comparable with Tintype's: the same drawing of text and colors, and no network but loopback.
const flags = [
  '--hide-scrollbars',
  '--mute-audio',
  '--force-color-profile=srgb',
  '--disable-gpu',
  '--disable-checker-imaging',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--blink-settings=imageAnimationPolicy=2',
  '--disable-dev-shm-usage',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

export async function openReferences(folder: string, place: FoundBrowser, latency: number): Promise<References> {
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath: place.path,
    // A signal ends the run: without its browser it would go on to fail at every page.
    handleSIGTERM: false,
    handleSIGINT: false,
    args: flags,
    env: { ...process.env, ...place.env } as Record<string, string>,
  });
  return {
    async of(page, url, mode) {
      const content = await readFile(join(page.root, page.path)).catch(() => Buffer.from(page.path));
      const key = createHash('sha256')
        .update([page.name, mode.name, referenceVersion[mode.name], browser.version(), latency].join('\0'))
        .update(content)
        .digest('hex')
        .slice(0, 24);
      const picture = join(folder, `${key}.png`);
      try {
        const { moving } = JSON.parse(await readFile(`${picture}.json`, 'utf8')) as { moving: number };
        return { png: await readFile(picture), moving, fresh: false };
      } catch {}
      const made = await make(browser, url, mode);
      await save(picture, made.png);
      await save(`${picture}.json`, JSON.stringify({ name: page.name, mode: mode.name, moving: made.moving }));
      return { ...made, fresh: true };
    },
    close: () => browser.close(),
  };
}

/** A viewport is loaded twice: a page that is another one each time has no reference. */
async function make(browser: Browser, url: string, mode: Mode): Promise<Reference> {
  const first = await takeReference(browser, url, mode);
  if (mode.fullPage) return first;
  const second = await takeReference(browser, url, mode);
  const [a, b] = await Promise.all([first, second].map(({ png }) => decode(png, mode.width, mode.height)));
  const between = a && b ? difference(a, b, mode.height).share : 0;
  return { png: second.png, moving: Math.max(first.moving, second.moving, between) };
}

async function save(path: string, content: Buffer | string): Promise<void> {
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
}
