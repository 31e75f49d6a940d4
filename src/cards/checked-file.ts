// Files that are uploaded with a template. They are checked before they are stored: an image is decoded once, and a font is
// given to the engine, in a process that may be killed.

import { contentHash } from '../kernel/content-hash.ts';
import type { Deadline } from '../kernel/deadline.ts';
import { invalidParameter, Problem } from '../kernel/errors.ts';
import type { TemplateFile } from './card-types.ts';
import { fileName } from './html/css-urls.ts';
import type { HtmlPainter } from './html/html-painter.ts';
import { decodePicture, quickImage } from './pictures.ts';

/** As it is stored. */
export type CheckedFile = TemplateFile & { readonly size: number; readonly bytes: Buffer };

const mostImageBytes = 1024 * 1024;
export const mostFontBytes = 5 * 1024 * 1024;

const fontSuffix = /\.(woff2|woff|ttf|otf)$/i;
const imageSuffix = /\.(png|jpe?g|webp|avif|gif|svg)$/i;
const nameExpects =
  'a name of letters, digits, blanks, dots, hyphens and _, that ends in .png, .jpg, .webp, .avif, .gif, .svg, .woff2, .woff, .ttf or .otf';

export function kindOfFile(name: string): TemplateFile['kind'] {
  if (fileName.test(name) && fontSuffix.test(name)) return 'font';
  if (fileName.test(name) && imageSuffix.test(name)) return 'image';
  throw invalidParameter('file', `file must be ${nameExpects}.`);
}

export async function checkFile(
  name: string,
  bytes: Buffer,
  painter: Pick<HtmlPainter, 'checkFont'>,
  deadline: Deadline,
): Promise<CheckedFile> {
  const kind = kindOfFile(name);
  const most = kind === 'font' ? mostFontBytes : mostImageBytes;
  if (bytes.length > most)
    throw new Problem('body_too_large', { message: `${name} has more than ${most / 1024 / 1024} MB.` });
  const kept =
    kind === 'font' ? await checkFont(name, bytes, painter, deadline) : await checkImage(name, bytes, deadline);
  return { name, kind, hash: contentHash(kept), size: kept.length, bytes: kept };
}

/** The engine reads png, jpg and webp; the other formats, and images that take long to decode, are kept as small png. */
async function checkImage(name: string, bytes: Buffer, deadline: Deadline): Promise<Buffer> {
  const quick = await quickImage(name, bytes, deadline);
  const { src } = await decodePicture(name, quick);
  const isRead =
    quick.toString('latin1', 1, 4) === 'PNG' || quick[0] === 0xff || quick.toString('latin1', 8, 12) === 'WEBP';
  return isRead ? quick : Buffer.from(src);
}

async function checkFont(
  name: string,
  bytes: Buffer,
  painter: Pick<HtmlPainter, 'checkFont'>,
  deadline: Deadline,
): Promise<Buffer> {
  const begin = bytes.toString('latin1', 0, 4);
  const isFont = ['wOF2', 'wOFF', 'OTTO', 'true', '\0\x01\0\0'].includes(begin);
  try {
    if (!isFont) throw new Error('not a font');
    await painter.checkFont({ hash: contentHash(bytes), bytes }, deadline);
  } catch (cause) {
    deadline.throwIfOver();
    throw new Problem('invalid_parameter', {
      parameter: 'file',
      message: `${name} is not a font that can be read. It must be a WOFF2, WOFF, TrueType or OpenType font.`,
      cause,
    });
  }
  return bytes;
}
