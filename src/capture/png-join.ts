// Joins the pieces of a tall png while the browser still draws the next one. The rows of a png are one zlib stream, so they are
// inflated and deflated again, a part at a time: neither pixels nor pieces are in memory as a whole.
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { createDeflate, createInflate } from 'node:zlib';
import sharp from 'sharp';
import { colorTypes, pngChunk, pngOf, pngSignature } from '../kernel/png.ts';
import { pictureSize } from './image.ts';

/** Level 1 makes photographs a third smaller than libvips does without filters, in as much time, and text a quarter larger. */
const level = 1;
const chunkSize = 256 * 1024;

export class PngJoin {
  readonly #kind: 'opaque' | 'transparent';
  readonly #signal: AbortSignal;
  readonly #deflate = createDeflate({ level, chunkSize });
  readonly #written: Buffer[] = [];
  readonly #ended: Promise<void>;
  #width = 0;
  #height = 0;
  #writing: Promise<void> = Promise.resolve();

  /** Stops when the signal aborts. */
  constructor(transparent: boolean, signal: AbortSignal) {
    this.#kind = transparent ? 'transparent' : 'opaque';
    this.#signal = signal;
    this.#deflate.on('data', (data: Buffer) => this.#written.push(...pngChunk('IDAT', data)));
    this.#ended = finished(this.#deflate, { signal });
    this.#ended.catch(() => {});
  }

  /** Adds a png below the others. Resolves when the one before is written: at most two pieces are held. */
  async add(piece: Buffer): Promise<void> {
    await this.#writing;
    this.#writing = this.#write(piece);
    this.#writing.catch(() => {});
  }

  async finish(): Promise<Buffer> {
    await this.#writing;
    this.#deflate.end();
    await this.#ended;
    return pngOf({ width: this.#width, height: this.#height, colors: this.#kind }, this.#written);
  }

  stop(): void {
    this.#deflate.destroy();
  }

  async #write(piece: Buffer): Promise<void> {
    const header = headerOf(piece);
    this.#width ||= header.width;
    const isAlike = header.width === this.#width && header.shape === `8 ${colorTypes[this.#kind]} 0 0 0`;
    const rows = isAlike ? piece : await this.#alike(piece, header);
    const pixelBytes = this.#kind === 'opaque' ? 3 : 4;
    const rowBytes = 1 + this.#width * pixelBytes;
    const inflate = createInflate({ chunkSize: Math.max(chunkSize, rowBytes) });
    inflate.end(imageData(rows));
    let bytes = 0;
    for await (const data of inflate as AsyncIterable<Buffer>) {
      // The whole first row is in the first chunk, which is at least as long.
      if (bytes === 0) detachRow(data.subarray(0, rowBytes), pixelBytes);
      bytes += data.length;
      this.#signal.throwIfAborted();
      if (!this.#deflate.write(data)) await once(this.#deflate, 'drain', { signal: this.#signal });
    }
    if (bytes !== header.height * rowBytes) throw new Error('A piece of the picture has missing rows.');
    this.#height += header.height;
  }

  /** The same pixels with the width of the first piece, and with alpha where that is wanted. */
  #alike(piece: Buffer, { width, height }: Header): Promise<Buffer> {
    const common = Math.min(width, this.#width);
    const cut = sharp(piece, { limitInputPixels: false })
      .extract({ left: 0, top: 0, width: common, height })
      .extend({ right: this.#width - common, background: this.#kind === 'opaque' ? '#fff' : '#0000' })
      .toColourspace('srgb');
    return (this.#kind === 'opaque' ? cut.removeAlpha() : cut.ensureAlpha())
      .png({ compressionLevel: level })
      .toBuffer();
  }
}

type Header = ReturnType<typeof headerOf>;

/** `shape` is the bit depth, the color type, and the methods of compression, filters and interlacing. */
const headerOf = (png: Buffer) => ({
  ...pictureSize(png),
  shape: png.subarray(24, 29).join(' '),
});

function imageData(png: Buffer): Buffer {
  const data: Buffer[] = [];
  for (let at = pngSignature.length; at + 12 <= png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, end));
    at = end + 4;
  }
  return Buffer.concat(data);
}

/**
 * Filters this row without the one above. At the top of a picture that counts as zero, so Up is the same as None there and
 * Paeth the same as Sub; only Average is undone.
 */
function detachRow(row: Buffer, pixelBytes: number): void {
  const filter = row[0];
  if (filter === 3)
    for (let i = 1 + pixelBytes; i < row.length; i++) row[i] = (row[i] ?? 0) + ((row[i - pixelBytes] ?? 0) >> 1);
  row[0] = filter === 1 || filter === 4 ? 1 : 0;
}
