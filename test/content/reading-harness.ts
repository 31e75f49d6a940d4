// Pages of a site on loopback, read by the real capturer.

import { effectiveRequest } from '../../src/capture/capture-request.ts';
import { screenshotParameters } from '../../src/capture/parameters.ts';
import type { PageText, ReadAnswer, ReadOptions } from '../../src/content/content-types.ts';
import { maxLinks } from '../../src/content/content-types.ts';
import { contentParameters } from '../../src/content/parameters.ts';
import { readScript } from '../../src/content/reader-script.ts';
import { Deadline } from '../../src/kernel/deadline.ts';
import { parse } from '../../src/kernel/parameters.ts';
import { type CaptureHarness, openCaptureHarness } from '../capture/capture-harness.ts';

export type ReadingHarness = CaptureHarness & {
  /** What the script gives for a page at this address. */
  answer(url: string, options?: Partial<ReadOptions>): Promise<ReadAnswer>;
  /** The text of a page, which is given as HTML or by its address. */
  read(page: string, options?: Partial<ReadOptions>): Promise<PageText>;
};

export async function openReadingHarness(): Promise<ReadingHarness> {
  // No name has an address: a page of a test may name other hosts, and reaches none.
  const harness = await openCaptureHarness({ resolver: async () => [] });

  async function answer(url: string, options: Partial<ReadOptions> = {}): Promise<ReadAnswer> {
    const words = new Map(Object.entries({ url, fullPage: 'true', timeout: '60000' }));
    const deadline = new Deadline(60_000);
    const all: ReadOptions = { format: 'markdown', maxChars: contentParameters.maxChars.default, maxLinks, ...options };
    try {
      const request = effectiveRequest(parse(words, screenshotParameters));
      const { value } = await harness.capturer.evaluate<ReadAnswer>(
        request,
        { expression: await readScript(all), selector: all.selector },
        deadline,
      );
      return value;
    } finally {
      deadline.done();
    }
  }

  async function read(page: string, options?: Partial<ReadOptions>): Promise<PageText> {
    const value = await answer(/^https?:/.test(page) ? page : harness.site.page(page), options);
    if ('missing' in value) throw new Error(`The element is ${value.missing}.`);
    return value;
  }

  return { ...harness, answer, read };
}
