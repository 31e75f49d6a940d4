// The images of a card: fetched through egress, then decoded and re-encoded, so that the engine reads only what we
// wrote.
import sharp from 'sharp';
import type { Egress } from '../egress/egress-types.ts';
import type { Deadline } from '../kernel/deadline.ts';
import { invalidParameter, Problem } from '../kernel/errors.ts';
import type { Picture } from './card-types.ts';
import { decodeSmall, pixelLimit } from './decode-small.ts';
import { decodeApart } from './picture-process.ts';
import { named } from './variables.ts';

const mostRedirects = 5;
const imageBytes = 10_000_000;
/** Of all images of a card: a template may show fifty. */
const cardBytes = 50_000_000;
/** No card shows an image larger than this. */
const sideLimit = 2048;
/** An image of so many pixels is decoded in some tens of milliseconds, half a second at worst. */
const quickPixels = sideLimit ** 2;
/**
 * Of all images of a card. They are copied to the process that paints, which blocks this thread: 27 MB of noise for 25 to 70
 * ms, 400 MB for 330.
 */
const cardPixels = 2 * sideLimit ** 2;
/** An image must leave time to paint. */
const fetchMs = 8000;

const formatsExpected = 'a png, jpg, webp, avif, gif or svg image';

/** What each of so many images of a card may have: bytes as a file, and pixels a side once it is decoded. */
export const shareOf = (count: number): ImageShare => ({
  bytes: Math.min(imageBytes, Math.floor(cardBytes / count)),
  side: Math.min(sideLimit, Math.floor(Math.sqrt(cardPixels / count))),
});

type ImageShare = { readonly bytes: number; readonly side: number };

/** The bytes of the image that a variable names. */
export async function fetchImage(
  name: string,
  url: string,
  { bytes }: Pick<ImageShare, 'bytes'>,
  egress: Egress,
  deadline: Deadline,
): Promise<Buffer> {
  const patience = new AbortController();
  const signal = AbortSignal.any([deadline.signal, patience.signal]);
  const fetching = egress.fetchImage(url, { bytes, redirects: mostRedirects, parameter: name }, signal);
  fetching.catch(() => {});
  try {
    if (await deadline.within(fetchMs, fetching)) return (await fetching).bytes;
    throw invalidParameter(name, `${name} could not be fetched within ${fetchMs / 1000} seconds.`);
  } catch (error) {
    deadline.signal.throwIfAborted();
    throw named(name, error);
  } finally {
    patience.abort();
  }
}

/**
 * The image as a file that is quick to decode. One that may cost seconds of a processor or hundreds of megabytes becomes a
 * small PNG in a process of its own.
 */
export async function quickImage(
  name: string,
  bytes: Buffer,
  deadline: Deadline,
  { side }: Pick<ImageShare, 'side'> = shareOf(1),
  accountId?: string,
): Promise<Buffer> {
  const format = sniff(bytes);
  if (!format) throw invalidParameter(name, `${name} must lead to ${formatsExpected}.`);
  if (format === 'svg') {
    const drawn = await decodeApart('svg', bytes, side, deadline, accountId);
    if (drawn) return drawn;
    throw invalidParameter(
      name,
      `${name} leads to an svg that cannot be drawn, or not in time. It must be ${formatsExpected}.`,
    );
  }
  if (await isQuick(format, bytes)) return bytes;
  const decoded = await decodeApart('pixels', bytes, side, deadline, accountId);
  if (decoded) return decoded;
  throw unreadable(name);
}

/** The size that an avif claims is not always the size of what is in it. An image that cannot be read fails quickly. */
async function isQuick(format: Format, bytes: Buffer): Promise<boolean> {
  if (format === 'avif') return false;
  try {
    const { width, height, isProgressive = false } = await sharp(bytes, { limitInputPixels: false }).metadata();
    const pixels = width * height;
    // Of an ordinary jpg only every second, fourth or eighth pixel is decoded.
    return pixels <= quickPixels || pixels > pixelLimit || (format === 'jpg' && !isProgressive);
  } catch {
    return true;
  }
}

/** A quick image: upright, in sRGB, at most `side` pixels a side, the first frame if it moves. */
export async function decodePicture(
  name: string,
  quick: Buffer,
  { side }: Pick<ImageShare, 'side'> = shareOf(1),
): Promise<Picture> {
  try {
    const { data, info } = await decodeSmall(quick, side).toBuffer({ resolveWithObject: true });
    return { src: data, width: info.width, height: info.height };
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

const unreadable = (name: string, cause?: unknown): Problem =>
  new Problem('invalid_parameter', {
    parameter: name,
    message: `${name} leads to an image that cannot be read: it is broken, has more than ${pixelLimit / 1e6} million pixels, or takes too long or too much memory. It must be ${formatsExpected}.`,
    ...(cause !== undefined && { cause }),
  });

type Format = 'png' | 'jpg' | 'webp' | 'avif' | 'gif' | 'svg';

/** The format by the first bytes. Anything else never reaches a decoder. */
function sniff(bytes: Buffer): Format | undefined {
  const ascii = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpg';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp';
  if (ascii(4, 8) === 'ftyp' && /avi[fs]/.test(ascii(8, 40))) return 'avif';
  if (/^GIF8[79]a$/.test(ascii(0, 6))) return 'gif';
  const head = bytes
    .toString('utf8', 0, 2048)
    .replace(/^\ufeff/, '')
    .trimStart();
  return /^(<\?xml|<!--|<!doctype svg|<svg)/i.test(head) && /<svg[\s>]/i.test(bytes.toString('utf8', 0, 65536))
    ? 'svg'
    : undefined;
}
