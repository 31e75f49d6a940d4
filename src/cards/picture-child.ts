// Decodes one image: reads it from stdin and writes a small PNG to stdout. It is a process of its own, because an image can
// need any amount of work (an SVG's nested filters, an AVIF of 50 million pixels in two kilobytes), and native code can
// only be stopped by a kill. Arguments: `svg` or `pixels`, and the longest side that is wanted.
import { buffer } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';
import { sleep } from '../kernel/deadline.ts';
import { decodeSmall } from './decode-small.ts';
import { endFirstWithoutMemory } from './end-first.ts';
import { withSize } from './svg-size.ts';

/** The length of a drawing's longer side: no card shows a larger one, and filters cost time for each pixel. */
const drawingSide = 1024;
const drawingPixels = 16_000_000;
/** A photograph of 24 million pixels takes half of it; an SVG of 300 bytes can ask for more than the machine has. */
const mostMemory = 1024 ** 3;
/** Of a processor, so that a busy machine refuses no photograph. */
const mostMs = 5000;

endFirstWithoutMemory();
void endIfTooMuch();

const [kind, side = ''] = process.argv.slice(2);
const bytes = await buffer(process.stdin);
// One thread, because the render has one slot.
sharp.concurrency(1);
const png = kind === 'svg' ? await draw() : decodeSmall(bytes, Number(side));
process.stdout.end(await png.toBuffer(), () => process.exit());

async function draw(): Promise<Sharp> {
  const svg = await withSize(bytes);
  const { width = drawingSide, height = drawingSide } = await sharp(svg, { limitInputPixels: false }).metadata();
  const density = Math.min(7200, Math.max(1, (72 * drawingSide) / Math.max(width, height)));
  return sharp(svg, { density, limitInputPixels: drawingPixels })
    .resize({ width: drawingSide, height: drawingSide, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 1 });
}

/** By a kill: an exit would wait for the native code. */
async function endIfTooMuch(): Promise<void> {
  for (;;) {
    const { user, system } = process.cpuUsage();
    if (process.memoryUsage.rss() > mostMemory || user + system > mostMs * 1000) process.kill(process.pid, 'SIGKILL');
    await sleep(20);
  }
}
