// Which characters a font really has. The ranges in a font package's CSS promise more than its files
// hold, and a promised character that is missing would be painted as an empty box.
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

const inflate = promisify(brotliDecompress);

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
  const tables = await inflate(woff2.subarray(at, at + woff2.readUInt32BE(20)));
  return readCmap(tables.subarray(cmap.start, cmap.end));
}

function readCmap(cmap: Buffer): Range[] {
  const points = new Set<number>();
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const subtable = cmap.subarray(cmap.readUInt32BE(8 + i * 8));
    const format = subtable.readUInt16BE(0);
    if (format === 12) readSegmentedCoverage(subtable, points);
    else if (format === 4) readSegmentMapping(subtable, points);
  }
  const ranges: Range[] = [];
  for (const point of [...points].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === point - 1) last[1] = point;
    else ranges.push([point, point]);
  }
  return ranges;
}

/** Format 12: groups of first, last and glyph. */
function readSegmentedCoverage(subtable: Buffer, points: Set<number>): void {
  const groups = subtable.readUInt32BE(12);
  for (let i = 0; i < groups; i++) {
    const at = 16 + i * 12;
    for (let point = subtable.readUInt32BE(at); point <= subtable.readUInt32BE(at + 4); point++) points.add(point);
  }
}

/** Format 4: segments whose characters map by a delta or through an array; glyph 0 means "not there". */
function readSegmentMapping(subtable: Buffer, points: Set<number>): void {
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
      if (glyph !== 0) points.add(point);
    }
  }
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
