// The container of a png: its signature and chunks.
import { crc32 } from 'node:zlib';

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Of pixels with 8 bits a channel. */
export const colorTypes = { opaque: 2, transparent: 6 } as const;

type Header = { readonly width: number; readonly height: number; readonly colors: keyof typeof colorTypes };

/** A png of these chunks between its first and its last one. */
export function pngOf({ width, height, colors }: Header, chunks: readonly Buffer[]): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, colorTypes[colors], 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([pngSignature, ...pngChunk('IHDR', header), ...chunks, ...pngChunk('IEND', Buffer.alloc(0))]);
}

export function pngChunk(type: string, data: Buffer): Buffer[] {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4, 'latin1');
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(data, crc32(head.subarray(4))));
  return [head, data, check];
}
