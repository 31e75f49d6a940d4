// A picture as models take it: at most 1568 px a side and 700 KB of base64. A tall page is cut into tiles of equal height.
import sharp, { type Sharp } from 'sharp';
import { Deadline } from '../kernel/deadline.ts';
import { invalidParameter } from '../kernel/errors.ts';
import { formats } from '../kernel/formats.ts';
import { outputSize, type ResizedPicture, type Size, scaled } from '../render/resize.ts';
import { createResizeSlots } from '../render/resize-slots.ts';

/** Models scale larger pictures down. */
const longestSide = 1568;
/** Of base64, which has four characters for three bytes. */
const mostBytes = (700_000 / 4) * 3;
/** Tried in this order. Below the last one text is hard to read, so the picture is made smaller instead. */
const lowestQuality = 40;
const qualities = [80, lowestQuality];
/** Each smaller one has at most 0.72 of the pixels: the last one has less than 3 %, which fits whatever it shows. */
const mostTries = 14;
const smallerBy = 0.85;
const patienceMs = 20_000;

const inSlot = createResizeSlots(2);

export type ModelPicture = Size & {
  readonly bytes: Buffer;
  readonly type: string;
  /** Of the whole picture. */
  readonly full: Size;
  readonly tiles: number;
};

/** How many tiles a picture has, and which part of it each one shows. */
export function tilesOf({ width, height }: Size): { count: number; region(tile: number): Region } {
  const scale = Math.min(1, longestSide / width);
  const count = Math.max(1, Math.ceil((height * scale) / longestSide));
  const each = Math.ceil(height / count);
  return {
    count,
    region: (tile) => {
      const top = (tile - 1) * each;
      return { left: 0, top, width, height: Math.min(each, height - top) };
    },
  };
}

type Region = Size & { readonly left: number; readonly top: number };

/** `tile` counts from 1. The picture is read when there is a slot. */
export async function modelPicture(
  read: () => Promise<Buffer>,
  tile: number,
  accountId: string,
  signal: AbortSignal,
): Promise<ModelPicture> {
  const deadline = new Deadline(patienceMs, 'The picture');
  const cancel = () => deadline.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await inSlot(accountId, deadline, async () => encodeTile(await read(), tile, deadline));
  } finally {
    signal.removeEventListener('abort', cancel);
    deadline.done();
  }
}

async function encodeTile(bytes: Buffer, tile: number, deadline: Deadline): Promise<ModelPicture> {
  const { width, height, format } = await sharp(bytes, { limitInputPixels: false }).metadata();
  const full = { width, height };
  const { count, region } = tilesOf(full);
  if (tile > count)
    throw invalidParameter('tile', `tile must be a whole number from 1 to ${count}; this picture has no more tiles.`);
  const isSmall = count === 1 && Math.max(width, height) <= longestSide && bytes.length <= mostBytes;
  if (isSmall && (format === 'webp' || format === 'jpeg'))
    return { ...full, bytes, type: `image/${format}`, full, tiles: 1 };
  return { ...(await fitting(bytes, region(tile), deadline)), type: formats.webp.mediaType, full, tiles: count };
}

/** The largest picture of this region that fits. It is decoded once, however often it is encoded. */
async function fitting(bytes: Buffer, region: Region, deadline: Deadline): Promise<ResizedPicture> {
  const image = sharp(bytes, { limitInputPixels: false }).extract(region);
  const first = outputSize(region, { width: longestSide, height: longestSide, fit: 'inside' });
  const { data, info } = await inTime(image.resize({ ...first, fit: 'fill' }), deadline)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  let size: Size = { width, height };
  for (let tries = 1; ; tries++) {
    deadline.throwIfOver();
    const smaller = sharp(data, { raw: { width, height, channels } }).resize({ ...size, fit: 'fill' });
    const quality = qualities[tries - 1] ?? lowestQuality;
    const made = await formats.webp.encodePage(inTime(smaller, deadline), quality).toBuffer();
    if (made.length <= mostBytes || tries === mostTries) return { ...size, bytes: made };
    // The bytes grow with the number of pixels.
    if (tries >= qualities.length) size = scaled(size, Math.min(smallerBy, Math.sqrt(mostBytes / made.length)));
  }
}

const inTime = (image: Sharp, deadline: Deadline): Sharp =>
  image.timeout({ seconds: Math.max(1, Math.ceil(deadline.remaining() / 1000)) });
