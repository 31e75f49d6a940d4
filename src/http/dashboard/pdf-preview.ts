// The first page of a PDF as pixels.
import { Worker } from 'node:worker_threads';
import type { Deadline } from '../../kernel/deadline.ts';

export type PdfToDraw = { readonly pdf: Uint8Array; readonly width: number; readonly mostHeight: number };
export type DrawnPage = { readonly pixels: Uint8Array; readonly width: number; readonly height: number };

/** An ordinary page takes a quarter of a second, most of it for the start of the thread. */
const longestMs = 5000;

/**
 * Undefined if PDFium cannot draw the page, or takes too long for it. Each PDF has a new thread, so that it finds nothing
 * of another account's in memory.
 */
export async function drawFirstPage(toDraw: PdfToDraw, deadline: Deadline): Promise<DrawnPage | undefined> {
  const thread = new Worker(new URL('./pdf-thread.ts', import.meta.url), { workerData: toDraw });
  const { promise, resolve } = Promise.withResolvers<DrawnPage | undefined>();
  // The listener for errors stays: without one, an error of the thread would end the process.
  thread
    .once('message', resolve)
    .on('error', () => resolve(undefined))
    .once('exit', () => resolve(undefined));
  try {
    return (await deadline.within(longestMs, promise)) ? await promise : undefined;
  } finally {
    await thread.terminate();
  }
}
