// Reads which characters a font has. The ranges in the CSS of a font package contain characters that its files lack,
// and those would be painted as empty boxes.
import { createBrotliDecompress } from 'node:zlib';

// Only the tags before and after cmap that matter: the index of "cmap" is 0, "glyf" 10, "loca" 11 (WOFF2, 5.2).
const cmapIndex = 0;
const transformedByDefault = new Set([10, 11]);
const arbitraryTag = 63;

export type Range = [number, number];

/** Every code point of a WOFF2 font, as inclusive ranges in order. */
export async function coverageOf(woff2: Buffer): Promise<Range[]> {
  if (woff2.toString('latin1', 0, 4) !== 'wOF2') throw new Error('This is not a WOFF2 font.');
  let at = 48;
  const variableLength = () => {
    let value = 0;
    for (;;) {
      const byte = woff2.readUInt8(at++);
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  let offset = 0;
  let cmap: { start: number; end: number } | undefined;
  for (let table = woff2.readUInt16BE(12); table > 0; table--) {
    const flags = woff2.readUInt8(at++);
    const index = flags & 63;
    const version = flags >> 6;
    let isCmap = index === cmapIndex;
    if (index === arbitraryTag) {
      isCmap = woff2.toString('latin1', at, at + 4) === 'cmap';
      at += 4;
    }
    let length = variableLength();
    // glyf and loca are transformed unless version is 3, every other table unless it is 0.
    if (transformedByDefault.has(index) ? version !== 3 : version !== 0) length = variableLength();
    if (isCmap) cmap = { start: offset, end: offset + length };
    offset += length;
  }
  if (!cmap) throw new Error('This font has no cmap table.');
  const tables = await inflate(woff2.subarray(at, at + woff2.readUInt32BE(20)), cmap.end);
  return readCmap(tables.subarray(cmap.start, cmap.end));
}

/** Decompresses the first bytes only: cmap comes before the outlines, which are nearly all of a font. */
async function inflate(packed: Buffer, length: number): Promise<Buffer> {
  const stream = createBrotliDecompress();
  stream.end(packed);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= length) break;
  }
  return Buffer.concat(chunks);
}

function readCmap(cmap: Buffer): Range[] {
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, i) => cmap.subarray(cmap.readUInt32BE(8 + i * 8)));
  const ofFormat = (format: number) => subtables.find((subtable) => subtable.readUInt16BE(0) === format);
  // Format 12 holds all that format 4 does, and what lies beyond U+FFFF.
  const groups = ofFormat(12);
  if (groups) return joined(readGroups(groups));
  const segments = ofFormat(4);
  return segments ? joined(readSegments(segments)) : [];
}

/** Format 12: groups of first, last and glyph. */
function readGroups(subtable: Buffer): Range[] {
  return Array.from({ length: subtable.readUInt32BE(12) }, (_, i) => [
    subtable.readUInt32BE(16 + i * 12),
    subtable.readUInt32BE(20 + i * 12),
  ]);
}

/** Format 4: segments that map characters by a delta or through an array; glyph 0 means "missing". */
function readSegments(subtable: Buffer): Range[] {
  const ranges: Range[] = [];
  const size = subtable.readUInt16BE(6);
  for (let i = 0; i < size; i += 2) {
    const last = subtable.readUInt16BE(14 + i);
    const first = subtable.readUInt16BE(16 + size + i);
    const delta = subtable.readUInt16BE(16 + 2 * size + i);
    const arrayAt = 16 + 3 * size + i;
    const array = subtable.readUInt16BE(arrayAt);
    for (let point = first; point <= last && point !== 0xffff; point++) {
      const glyph =
        array === 0 ? (point + delta) & 0xffff : subtable.readUInt16BE(arrayAt + array + (point - first) * 2);
      if (glyph !== 0) ranges.push([point, point]);
    }
  }
  return ranges;
}

/** Merges adjacent ranges. */
function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const previous = result.at(-1);
    if (previous && previous[1] >= first - 1) previous[1] = Math.max(previous[1], last);
    else result.push([first, last]);
  }
  return result;
}

/** A set of code points, one bit each. */
export class Coverage {
  #bits = new Uint8Array(0x110000 / 8);

  add(ranges: readonly Range[]): void {
    for (const [first, last] of ranges)
      for (let point = first; point <= last; point++)
        this.#bits[point >> 3] = (this.#bits[point >> 3] ?? 0) | (1 << (point & 7));
  }

  has(point: number): boolean {
    return ((this.#bits[point >> 3] ?? 0) & (1 << (point & 7))) !== 0;
  }
}
