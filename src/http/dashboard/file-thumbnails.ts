// Thumbnails of the images that are uploaded with templates: two at a time, and one of an account.
import sharp from 'sharp';
import { createAccountSlots } from '../../kernel/account-slots.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { Deadline } from '../../kernel/deadline.ts';

const thumbnailSide = 160;
const thumbnailsKept = 200;
const mostWaiting = 32;

/** The whole image, small. */
export function createFileThumbnails() {
  const kept = new BoundedMap<string, Buffer>(thumbnailsKept);
  const inSlot = createAccountSlots(1, {
    ofAll: 2,
    most: mostWaiting,
    message: 'Too many thumbnails of this account are being made.',
  });

  async function make(hash: string, read: () => Promise<Buffer>): Promise<Buffer> {
    const size = { width: thumbnailSide, height: thumbnailSide, fit: 'inside', withoutEnlargement: true } as const;
    const picture = await sharp(await read())
      .resize(size)
      .webp({ quality: 78 })
      .toBuffer();
    kept.set(hash, picture);
    return picture;
  }

  return async (accountId: string, hash: string, read: () => Promise<Buffer>, deadline: Deadline): Promise<Buffer> =>
    kept.get(hash) ??
    // Another request of the account may have made it meanwhile.
    inSlot(accountId, deadline, async () => kept.get(hash) ?? make(hash, read));
}
