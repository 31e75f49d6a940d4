// Draws one SVG: reads it from stdin and writes a PNG to stdout. It is a process of its own, because an SVG can need any
// amount of work (nested filters, a thousand uses of a thousand uses), and native code can only be stopped by a kill.
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

/** The length of the longer side: no card shows a larger drawing, and filters cost time for each pixel. */
const side = 1024;
const pixelLimit = 16_000_000;

const bytes = await buffer(process.stdin);
// One thread, because the render has one slot.
sharp.concurrency(1);
const { width = side, height = side } = await sharp(bytes, { limitInputPixels: false }).metadata();
const density = Math.min(7200, Math.max(1, (72 * side) / Math.max(width, height)));
const png = await sharp(bytes, { density, limitInputPixels: pixelLimit })
  .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
  .png({ compressionLevel: 1 })
  .toBuffer();
process.stdout.end(png);
