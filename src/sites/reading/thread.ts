// The thread that reads pages, one at a time.
import { parentPort } from 'node:worker_threads';
import { readPage } from './read-page.ts';
import type { ReadTask } from './reader.ts';
import { readSitemap } from './sitemap.ts';

parentPort?.on('message', ({ as, bytes, type, url, names }: ReadTask) => {
  const answer = as === 'sitemap' ? readSitemap(bytes, type) : readPage(bytes, type, url, names);
  parentPort?.postMessage(answer);
});
