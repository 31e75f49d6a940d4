// @ts-check
// The browser of last resort: a headless Chromium that comes inside an npm package, for users who may not
// install packages. Only its files are used, not the package's code: it unpacks into /tmp and starts without a sandbox.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { npmBrowserDir } from './find-browser.js';
import { run } from './machine.js';
import { fetchPinned, pinned } from './pinned.js';

const wanted = '@sparticuz/chromium';

/** The package holds a program for 64-bit Intel Linux with glibc, and for nothing else. */
export const npmHasBrowser = () => process.platform === 'linux' && process.arch === 'x64';

/** @param {import('./machine.js').Context} context */
export async function fetchBrowser({ projectDir, say }) {
  const final = npmBrowserDir(projectDir);
  const folder = `${final}.new`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  say(`Fetching a browser from npm: ${wanted}@${pinned[wanted]?.version} (70 MB, once) …`);
  await fetchPinned(folder, wanted);
  const packed = join(folder, 'package', 'bin');

  say('Unpacking the browser (210 MB) …');
  const browser = join(folder, 'chromium');
  await unpack(join(packed, 'chromium.br'), browser);
  // NSS and expat, which a bare machine lacks; and SwiftShader, which draws WebGL where there is no GPU.
  for (const archive of ['al2023.tar', 'swiftshader.tar']) {
    await unpack(join(packed, `${archive}.br`), join(folder, archive));
    await run('tar', ['-xf', join(folder, archive), '-C', folder, '--no-same-owner']);
    await rm(join(folder, archive));
  }
  await rm(join(folder, 'package'), { recursive: true });
  await run(browser, ['--version'], { env: { LD_LIBRARY_PATH: join(folder, 'lib') } });

  // Renamed when it is whole: a set-up that is cut short leaves no half of a browser.
  await rm(final, { recursive: true, force: true });
  await rename(folder, final);
}

/** @param {string} from @param {string} to */
const unpack = (from, to) =>
  pipeline(
    createReadStream(from),
    createBrotliDecompress({ chunkSize: 2 ** 20 }),
    createWriteStream(to, { mode: 0o755 }),
  );
