// Pngs that are joined without decoding their pixels have the pixels that libvips gives them.
import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { PngJoin } from '../../src/capture/png-join.ts';

const none = new AbortController().signal;

async function joined(pieces: readonly Buffer[], transparent = false): Promise<Buffer> {
  const join = new PngJoin(transparent, none);
  for (const piece of pieces) await join.add(piece);
  return join.finish();
}

const pixelsOf = (png: Buffer, channels: 3 | 4) => {
  const image = sharp(png, { limitInputPixels: false });
  return (channels === 3 ? image.removeAlpha() : image.ensureAlpha()).raw().toBuffer();
};

type Picture = { width: number; height: number; channels: 3 | 4; pixels: Buffer };

/** Noise with runs in it, so that there is something to compress. */
const picture = (width: number, height: number, channels: 3 | 4): Picture => {
  const pixels = randomBytes(width * height * channels);
  pixels.fill(77, Math.floor(pixels.length / 3), Math.floor(pixels.length / 2));
  return { width, height, channels, pixels };
};

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  bytes.writeUInt32BE(data.length);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}

/** A png whose rows all have one filter (https://www.w3.org/TR/png-3/#9Filters), in IDAT chunks of 1000 bytes. */
function encoded({ width, height, channels, pixels }: Picture, filter: number): Buffer {
  const stride = width * channels;
  const rows = Buffer.alloc(height * (stride + 1));
  for (let y = 0; y < height; y++) {
    rows[y * (stride + 1)] = filter;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < channels ? 0 : (pixels[at - channels] ?? 0);
      const above = y === 0 ? 0 : (pixels[at - stride] ?? 0);
      const corner = y === 0 || x < channels ? 0 : (pixels[at - stride - channels] ?? 0);
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0;
      rows[y * (stride + 1) + 1 + x] = (pixels[at] ?? 0) - guess;
    }
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, channels === 3 ? 2 : 6, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const data = deflateSync(rows, { level: 1 });
  const idat: Buffer[] = [];
  for (let at = 0; at < data.length; at += 1000) idat.push(chunk('IDAT', data.subarray(at, at + 1000)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), ...idat, chunk('IEND', Buffer.alloc(0))]);
}

function paeth(a: number, b: number, c: number): number {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - c - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

describe('a joined png', () => {
  const filters = ['None', 'Sub', 'Up', 'Average', 'Paeth'];
  it.each(filters.flatMap((name, filter) => [3, 4].map((channels) => [name, channels as 3 | 4, filter] as const)))(
    'has the pixels of its pieces: filter %s, %i channels',
    async (_name, channels, filter) => {
      for (const { width, heights } of [
        { width: 1, heights: [1, 1, 1] },
        { width: 37, heights: [50, 1, 120, 7] },
        // A row is longer than what is inflated at once.
        { width: 100_000, heights: [2, 1] },
      ]) {
        const pictures = heights.map((height) => picture(width, height, channels));
        const png = await joined(
          pictures.map((each) => encoded(each, filter)),
          channels === 4,
        );
        const { info, data } = await sharp(png, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true });
        expect([info.width, info.height, info.channels]).toEqual([width, heights.reduce((a, b) => a + b), channels]);
        expect(data.equals(Buffer.concat(pictures.map(({ pixels }) => pixels)))).toBe(true);
      }
    },
  );

  it.each([true, false])(
    'of pieces with and without alpha is what it should be; transparent: %s',
    async (transparent) => {
      const pieces = ([3, 4, 3] as const).map((channels) => encoded(picture(20, 30, channels), 2));
      const png = await joined(pieces, transparent);
      const channels = transparent ? 4 : 3;
      expect((await sharp(png).metadata()).hasAlpha).toBe(transparent);
      const parts = await Promise.all(pieces.map((piece) => pixelsOf(piece, channels)));
      expect((await pixelsOf(png, channels)).equals(Buffer.concat(parts))).toBe(true);
    },
  );

  it('is as wide as its first piece', async () => {
    const pieces = [20, 21, 19].map((width) => encoded(picture(width, 10, 3), 2));
    const png = await joined(pieces);
    expect(await sharp(png).metadata()).toMatchObject({ width: 20, height: 30 });
    const wider = await sharp(pieces[1]).extract({ left: 0, top: 0, width: 20, height: 10 }).raw().toBuffer();
    const pixels = await pixelsOf(png, 3);
    expect(pixels.subarray(600, 1200).equals(wider)).toBe(true);
    expect(pixels.toString('hex', 1200 + 19 * 3, 1200 + 20 * 3)).toBe('ffffff');
  });

  it('reads pieces that are interlaced, grey or of a palette', async () => {
    const { pixels } = picture(40, 40, 3);
    const noise = () => sharp(pixels, { raw: { width: 40, height: 40, channels: 3 } });
    const pieces = await Promise.all([
      noise().png({ progressive: true }).toBuffer(),
      noise().greyscale().png().toBuffer(),
      noise().png({ palette: true }).toBuffer(),
    ]);
    const parts = await Promise.all(pieces.map((piece) => sharp(piece).toColourspace('srgb').raw().toBuffer()));
    expect((await pixelsOf(await joined(pieces), 3)).equals(Buffer.concat(parts))).toBe(true);
  });

  it('is an error if a piece is broken', async () => {
    const good = encoded(picture(50, 50, 3), 2);
    const broken = Buffer.from(good).fill(0xff, 200, 400);
    await expect(joined([good, broken, good])).rejects.toThrow();
    const short = Buffer.from(good);
    short.writeUInt32BE(60, 20);
    await expect(joined([good, short])).rejects.toThrow('missing rows');
  });

  it('is given up when its time is over', async () => {
    const over = new AbortController();
    const join = new PngJoin(false, over.signal);
    await join.add(encoded(picture(1000, 1000, 3), 2));
    over.abort(new Error('over'));
    await expect(join.finish()).rejects.toThrow();
    join.stop();
  });
});
