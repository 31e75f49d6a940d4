// Tintype's capture code, of this checkout or of another one.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FoundBrowser } from '../../setup/find-browser.js';
import type { Captured } from '../../src/capture/capture-types.ts';

export type Ours = {
  capture(url: string, query: Readonly<Record<string, string>>): Promise<Captured>;
  close(): Promise<void>;
};

export async function openOurs(repo: string, browser: FoundBrowser, concurrency: number): Promise<Ours> {
  const from = (path: string) => import(pathToFileURL(resolve(repo, path)).href);
  const { createCapturer }: typeof import('../../src/capture/capture.ts') = await from('src/capture/capture.ts');
  const { screenshotParameters }: typeof import('../../src/capture/parameters.ts') =
    await from('src/capture/parameters.ts');
  const { effectiveRequest }: typeof import('../../src/capture/capture-request.ts') = await from(
    'src/capture/capture-request.ts',
  );
  const { createEgress }: typeof import('../../src/egress/egress.ts') = await from('src/egress/egress.ts');
  const { Deadline }: typeof import('../../src/kernel/deadline.ts') = await from('src/kernel/deadline.ts');
  const { createLog }: typeof import('../../src/kernel/log.ts') = await from('src/kernel/log.ts');
  const { parse }: typeof import('../../src/kernel/parameters.ts') = await from('src/kernel/parameters.ts');

  const folder = await mkdtemp(join(tmpdir(), 'tintype-fidelity-profile-'));
  // The browser runs as another user where we are root, and must reach its profile in there.
  await chmod(folder, 0o711);
  const log = createLog('error', () => {});
  // No page reaches the network: a name that is not of this machine has no address, and is told at once.
  const egress = createEgress({ allowPrivate: ['127.0.0.0/8'], log, resolver: async () => [] });
  const capturer = await createCapturer({ egress, browser, concurrency, log, folder });
  return {
    async capture(url, query) {
      const request = effectiveRequest(parse(new Map(Object.entries({ ...query, url })), screenshotParameters));
      const deadline = new Deadline(request.timeout);
      try {
        return await capturer.capture(request, deadline);
      } finally {
        deadline.done();
      }
    },
    async close() {
      await capturer.stop();
      await egress.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
