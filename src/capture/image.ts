// Turns the browser's pictures into the bytes of an image.
import { availableParallelism } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import type { Deadline } from '../kernel/deadline.ts';
import { formats } from '../kernel/formats.ts';
import { createNativeSlots } from '../kernel/native-slots.ts';
import type { CaptureRequest } from './capture-request.ts';
import type { Screenshot } from './screenshot.ts';

/** The same pixels as an ordinary png in 0.62 of the time, and 1.5 times the size. */
export const fastPng = { format: 'png', optimizeForSpeed: true } as const;

export type Encoding = typeof fastPng | { format: 'jpeg'; quality: number; optimizeForSpeed: true };

/** What to ask the browser for: jpg directly, every other format as a fast png. */
export const browserEncoding = ({ format, quality }: CaptureRequest): Encoding =>
  formats[format].browserFormat === 'jpeg' ? { format: 'jpeg', quality, optimizeForSpeed: true } : fastPng;

const unstoppable = createNativeSlots(availableParallelism());

/** Encodes within the deadline. Encoders that cannot be stopped wait for each other, so that abandoned ones do not pile up. */
export const encodeInTime = (screenshot: Screenshot, request: CaptureRequest, deadline: Deadline): Promise<Buffer> => {
  const run = () => encode(screenshot, request, deadline.remaining());
  return formats[request.format].stoppable ? deadline.race(run()) : unstoppable(deadline, run);
};

/** Gives up after `ms`, the end of the deadline, if the encoder can be stopped. */
export async function encode(screenshot: Screenshot, request: CaptureRequest, ms: number): Promise<Buffer> {
  const { format, quality, omitBackground } = request;
  const [only, ...more] = screenshot.pieces;
  const joined = only === undefined || more.length > 0;
  const { browserFormat, encodePage } = formats[format];
  if (!joined && browserFormat !== undefined) return only;
  if (encodePage === undefined) throw new Error(`${format} is not a format of pictures.`);
  const image = (joined ? join(screenshot, omitBackground) : open(only)).timeout({ seconds: Math.ceil(ms / 1000) });
  return encodePage(image, quality, joined).toBuffer();
}

/** Stacks the pieces. sharp's `join` is fast but makes all pieces as tall as the tallest, so uneven ones are composited. */
function join({ pieces, width, height }: Screenshot, transparent: boolean): Sharp {
  const withAlpha = (image: Sharp) => (transparent ? image : image.removeAlpha());
  const heights = pieces.map((piece) => pictureSize(piece).height);
  const isEven = heights.every(
    (rows, i) => rows === heights[0] || (i === heights.length - 1 && rows < (heights[0] ?? 0)),
  );
  if (isEven)
    return withAlpha(
      sharp([...pieces], { join: { across: 1 }, limitInputPixels: false }).extract({ left: 0, top: 0, width, height }),
    );
  let top = 0;
  const placed = pieces.map((input, i) => {
    const at = { input, left: 0, top, limitInputPixels: false };
    top += heights[i] ?? 0;
    return at;
  });
  const ground = transparent
    ? ({ channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } as const)
    : ({ channels: 3, background: 'white' } as const);
  return withAlpha(sharp({ create: { width, height, ...ground }, limitInputPixels: false }).composite(placed));
}

/** Crops a picture that is larger than wanted, and keeps its format. */
export async function cropped(
  bytes: Buffer,
  wanted: { width: number; height: number },
  { quality }: CaptureRequest,
): Promise<Buffer> {
  const picture = pictureSize(bytes);
  const width = Math.min(picture.width, wanted.width);
  const height = Math.min(picture.height, wanted.height);
  if (width === picture.width && height === picture.height) return bytes;
  const cut = open(bytes).extract({ left: 0, top: 0, width, height });
  return formats[isPng(bytes) ? 'png' : 'jpg'].encodePage(cut, quality).toBuffer();
}

const isPng = (bytes: Buffer): boolean => bytes.readUInt32BE(0) === 0x89504e47;

const open = (bytes: Buffer): Sharp => sharp(bytes, { limitInputPixels: false });

/** The size of a picture, read from its header: the protocol does not report it. */
export function pictureSize(bytes: Buffer): { width: number; height: number } {
  if (isPng(bytes)) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  // JPEG: segments until the start of frame, which has the height and then the width.
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  throw new Error('The browser returned something that is not a picture.');
}

/**
 * A picture of one color is a very small file, so only small files are decoded. A grid of samples takes a twentieth of the
 * time of all pixels; if the samples agree, all pixels of a small picture are compared.
 */
export async function isOneColor(bytes: Buffer): Promise<boolean> {
  const { width, height } = pictureSize(bytes);
  if (bytes.length > 4096 + (width * height) / 50) return false;
  const samples = open(bytes).resize(96, 96, { fit: 'fill', kernel: 'nearest', fastShrinkOnLoad: false });
  if (!(await isFlat(samples))) return false;
  return width * height > 8e6 || isFlat(open(bytes));
}

/** Compares the alpha channel too: black text on a transparent page is black everywhere. */
async function isFlat(image: Sharp): Promise<boolean> {
  const bytes = await image.ensureAlpha().raw().toBuffer();
  // Whole pixels are compared four times as fast as their bytes, and most are the same.
  const pixels = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const first = pixels[0];
  for (let i = 1; i < pixels.length; i++) if (pixels[i] !== first && !isNear(bytes, 4 * i)) return false;
  return true;
}

/** A jpg of one color is off by one here and there. */
function isNear(bytes: Buffer, at: number): boolean {
  for (let i = 0; i < 4; i++) if (Math.abs((bytes[at + i] ?? 0) - (bytes[i] ?? 0)) > 2) return false;
  return true;
}
