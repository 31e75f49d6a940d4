// Tells when a page has no request under way.
import type { Page } from 'playwright-core';
import { sleep } from '../../src/kernel/deadline.ts';

const quietMs = 500;

/** Waits until nothing has been under way for half a second, or until the time is up. */
export function watchNetwork(page: Page): (maxMs: number) => Promise<void> {
  const pending = new Set<unknown>();
  let last = Date.now();
  const ended = (request: unknown) => {
    pending.delete(request);
    last = Date.now();
  };
  page.on('request', (request) => {
    pending.add(request);
    last = Date.now();
  });
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async (maxMs) => {
    const end = Date.now() + maxMs;
    while (Date.now() < end && (pending.size > 0 || Date.now() - last < quietMs)) await sleep(50);
  };
}
