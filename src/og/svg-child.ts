// Draws one SVG: its bytes come on stdin, a PNG goes to stdout. A process of its own, because a drawing can ask for any
// amount of work (filters in filters, a thousand uses of a thousand uses) and native code cannot be stopped, only killed.
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

/** What the longer side is drawn with: no card shows a drawing larger, and filters cost by the pixel. */
const side = 1024;
const pixelLimit = 16_000_000;

const bytes = await buffer(process.stdin);
// One picture at a time, by one thread: whoever waits for it has its slot.
sharp.concurrency(1);
const { width = side, height = side } = await sharp(bytes, { limitInputPixels: false }).metadata();
const density = Math.min(7200, Math.max(1, (72 * side) / Math.max(width, height)));
const png = await sharp(bytes, { density, limitInputPixels: pixelLimit })
  .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
  .png({ compressionLevel: 1 })
  .toBuffer();
process.stdout.end(png);
