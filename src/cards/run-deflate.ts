// Compresses bytes that are given as runs, into zlib's format (RFC 1950 and 1951). It takes as long as there are runs, whereas
// zlib looks at every byte. A run becomes its byte and repetitions of it.
import { BitWriter } from './bit-writer.ts';
import { codeLengths, codesOf, longestCode } from './huffman.ts';

// A block consists of tokens: bytes (0 to 255), its end, and repetitions of the byte before by their length (3 to 258).
const end = 256;
const repetition = 257 - 3;
const longest = 258;
const tokenKinds = 513;
const adlerModulus = 65_521;
/** Each block has codes of its own. With larger blocks the file is larger, with smaller ones it takes longer. */
const blockTokens = 8192;
/** Room for the longest run and the end. */
const reservedTokens = 200;
/** A code, the extra bits of a length and a distance. */
const mostBitsOfToken = longestCode + 5 + 1;

// The symbol of deflate for each token, and the extra bits that follow its code: how many, and their value.
const symbolOf = new Uint16Array(tokenKinds);
const extraBitsOf = new Uint8Array(tokenKinds);
const extraOf = new Uint8Array(tokenKinds);
for (let token = 0; token <= end; token++) symbolOf[token] = token;
for (let length = 3; length < longest; length++) {
  // Four symbols for each power of two.
  const extraBits = Math.max(0, 29 - Math.clz32(length - 3));
  symbolOf[repetition + length] = 257 + 4 * extraBits + ((length - 3) >> extraBits);
  extraBitsOf[repetition + length] = extraBits;
  extraOf[repetition + length] = (length - 3) & ((1 << extraBits) - 1);
}
symbolOf[repetition + longest] = 285;

export class RunDeflate {
  readonly #writer = new BitWriter();
  readonly #tokens = new Uint16Array(blockTokens);
  #used = 0;
  // Adler-32 of all bytes. The sums are reduced after each block, long before they are too large to be exact.
  #sum = 1;
  #sumOfSums = 0;

  constructor() {
    this.#writer.reserve(2);
    this.#writer.write(0x0178, 16);
  }

  /** A byte so many times, at most 32,768. */
  run(byte: number, count: number): void {
    if (this.#used > blockTokens - reservedTokens) this.#writeBlock(false);
    this.#sumOfSums += count * this.#sum + (byte * count * (count + 1)) / 2;
    this.#sum += count * byte;
    // Always three times: a branch on the length of a short run would often be mispredicted, which costs more.
    const tokens = this.#tokens;
    tokens[this.#used] = byte;
    tokens[this.#used + 1] = byte;
    tokens[this.#used + 2] = byte;
    const bytes = count > 3 ? 1 : count;
    this.#used += bytes;
    for (let left = count - bytes; left > 0; ) {
      // Leaves nothing, or enough for another repetition.
      const length = left > longest ? Math.min(longest, left - 3) : left;
      tokens[this.#used++] = repetition + length;
      left -= length;
    }
  }

  finish(): Buffer {
    this.#writeBlock(true);
    const checksum = Buffer.alloc(4);
    checksum.writeUInt16BE(this.#sumOfSums, 0);
    checksum.writeUInt16BE(this.#sum, 2);
    return Buffer.concat([this.#writer.finish(), checksum]);
  }

  #writeBlock(isLast: boolean): void {
    this.#tokens[this.#used++] = end;
    const counts = new Uint32Array(286);
    for (let i = 0; i < this.#used; i++) {
      const symbol = symbolOf[this.#tokens[i] ?? 0] ?? 0;
      counts[symbol] = (counts[symbol] ?? 0) + 1;
    }
    const lengths = codeLengths(counts);
    this.#writer.reserve(256 + Math.ceil((this.#used * mostBitsOfToken) / 8));
    this.#writer.write(isLast ? 0b101 : 0b100, 3);
    writeLengths(this.#writer, lengths);
    const { bits, sizes } = bitsOfTokens(lengths);
    for (let i = 0; i < this.#used; i++) {
      const token = this.#tokens[i] ?? 0;
      this.#writer.write(bits[token] ?? 0, sizes[token] ?? 0);
    }
    this.#used = 0;
    this.#sum %= adlerModulus;
    this.#sumOfSums %= adlerModulus;
  }
}

/** The head of a block: the length of each code. */
function writeLengths(writer: BitWriter, lengths: Uint8Array): void {
  writer.write(lengths.length - 257, 5);
  writer.write(0, 5);
  // Lengths have codes themselves. Of those 19, the first three are not used, and the others, for 0 to 15, have four bits.
  writer.write(19 - 4, 4);
  for (let i = 0; i < 19; i++) writer.write(i < 3 ? 0 : 4, 3);
  for (const length of lengths) writer.write(codeOfLength[length] ?? 0, 4);
  writer.write(codeOfLength[1] ?? 0, 4);
}
const codeOfLength = codesOf(new Uint8Array(16).fill(4));

/** The bits of each token, the first one lowest, and how many they are. */
function bitsOfTokens(lengths: Uint8Array): { bits: Int32Array; sizes: Uint8Array } {
  const codes = codesOf(lengths);
  const bits = new Int32Array(tokenKinds);
  const sizes = new Uint8Array(tokenKinds);
  for (let token = 0; token < tokenKinds; token++) {
    const symbol = symbolOf[token] ?? 0;
    const length = lengths[symbol] ?? 0;
    bits[token] = (codes[symbol] ?? 0) | ((extraOf[token] ?? 0) << length);
    // The distance of a repetition is always 1, whose code is one bit: 0.
    sizes[token] = length + (extraBitsOf[token] ?? 0) + (token > end ? 1 : 0);
  }
  return { bits, sizes };
}
