// Thumbnails of results for lists: made on the first request, two at a time; the latest are kept in memory.
import sharp from 'sharp';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { createSemaphore } from '../../kernel/semaphore.ts';

export type Thumbnails = { of(hash: string, read: () => Promise<Buffer>): Promise<Buffer> };

const keep = 300;
const width = 640;
// Only the top of a long page is shown.
const maxHeight = 480;
const atOnce = 2;

export function createThumbnails(): Thumbnails {
  const made = new BoundedMap<string, Promise<Buffer>>(keep);
  const semaphore = createSemaphore(atOnce);

  async function make(read: () => Promise<Buffer>): Promise<Buffer> {
    const release = await semaphore.acquire();
    try {
      return await shrink(await read());
    } finally {
      release();
    }
  }

  return {
    of(hash, read) {
      const kept = made.get(hash);
      if (kept !== undefined) return kept;
      const picture = make(read);
      made.set(hash, picture);
      picture.catch(() => made.delete(hash));
      return picture;
    },
  };
}

async function shrink(bytes: Buffer): Promise<Buffer> {
  const image = sharp(bytes, { limitInputPixels: false });
  const { width: w, height: h } = await image.metadata();
  const rows = Math.min(h, Math.ceil((maxHeight / width) * w));
  return image
    .extract({ left: 0, top: 0, width: w, height: rows })
    .resize({ width, withoutEnlargement: true })
    .webp({ quality: 78, effort: 2 })
    .toBuffer();
}
