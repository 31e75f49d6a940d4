// Thumbnails of results for lists: made on the first request, a few at a time; the latest are kept in memory. That of a
// PDF is its first page.
import sharp, { type Sharp } from 'sharp';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { Deadline } from '../../kernel/deadline.ts';
import { formats } from '../../kernel/formats.ts';
import { createSemaphore } from '../../kernel/semaphore.ts';
import { drawFirstPage } from './pdf-preview.ts';

export type Thumbnails = {
  /** Undefined if the bytes cannot be drawn. */
  of(hash: string, type: string, read: () => Promise<Buffer>): Promise<Buffer | undefined>;
};

const keep = 300;
const width = 640;
// Only the top of a long page is shown.
const maxHeight = 480;
const atOnce = 2;

/** Larger than a picture's: it has text to be read, and the playground shows all of it. */
const pdfPage = { width: 800, mostHeight: 1200 };
/** Of the time until a PDF is drawn, its turn included: PDFs of one account must not keep those of another waiting. */
const longestMs = 15_000;

export function createThumbnails(): Thumbnails {
  const made = new BoundedMap<string, Promise<Buffer | undefined>>(keep);
  const pictures = createSemaphore(atOnce);
  // One by one, because each may take a core for seconds.
  const pdfs = createSemaphore(1);

  async function make(type: string, read: () => Promise<Buffer>): Promise<Buffer | undefined> {
    const isPdf = type === formats.pdf.mediaType;
    if (!isPdf && !type.startsWith('image/')) return undefined;
    const deadline = new Deadline(longestMs, 'The thumbnail');
    const release = await (isPdf ? pdfs : pictures).acquire(isPdf ? deadline : undefined);
    try {
      const bytes = await read();
      const picture = isPdf ? await firstPageOf(bytes, deadline) : await topOf(bytes);
      return await picture?.webp({ quality: 78, effort: 2 }).toBuffer();
    } finally {
      deadline.done();
      release();
    }
  }

  return {
    of(hash, type, read) {
      const kept = made.get(hash);
      if (kept !== undefined) return kept;
      const picture = make(type, read);
      made.set(hash, picture);
      picture.catch(() => made.delete(hash));
      return picture;
    },
  };
}

async function topOf(bytes: Buffer): Promise<Sharp> {
  const image = sharp(bytes, { limitInputPixels: false });
  const { width: w, height: h } = await image.metadata();
  const rows = Math.min(h, Math.ceil((maxHeight / width) * w));
  return image.extract({ left: 0, top: 0, width: w, height: rows }).resize({ width, withoutEnlargement: true });
}

async function firstPageOf(pdf: Buffer, deadline: Deadline): Promise<Sharp | undefined> {
  const drawn = await drawFirstPage({ pdf, ...pdfPage }, deadline);
  return drawn && sharp(drawn.pixels, { raw: { width: drawn.width, height: drawn.height, channels: 4 } });
}
