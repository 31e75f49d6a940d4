// The capturer in a process of its own, without HTTP and cache. Its argument switches the guesses of
// src/capture/speculation.ts: `true` or `false`.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../../setup/find-browser.js';
import { createCapturer } from '../../src/capture/capture.ts';
import { effectiveRequest } from '../../src/capture/capture-request.ts';
import { screenshotParameters } from '../../src/capture/parameters.ts';
import { createEgress } from '../../src/egress/egress.ts';
import { Deadline } from '../../src/kernel/deadline.ts';
import { createLog } from '../../src/kernel/log.ts';
import { parse } from '../../src/kernel/parameters.ts';
import { answer, type ShotWish } from './answer.js';

const browser = await findBrowser({ projectDir: join(import.meta.dirname, '../..') });
if (!browser) throw new Error('There is no browser on this machine.');
const log = createLog('warn');
const egress = createEgress({ allowPrivate: ['127.0.0.0/8'], log });
const capturer = await createCapturer({ egress, browser, concurrency: 2, log, folder: tmpdir() });
// The browsers end with their pipes when this process does.
answer(capture);

async function capture(wish: ShotWish): Promise<Buffer> {
  const words = new Map(Object.entries(wish).map(([name, value]) => [name, String(value)]));
  const deadline = new Deadline(30_000);
  try {
    return (await capturer.capture(effectiveRequest(parse(words, screenshotParameters)), deadline)).bytes;
  } finally {
    deadline.done();
  }
}
