/** Bytes made of bits, the lowest first. */
export class BitWriter {
  #bytes = Buffer.allocUnsafe(0);
  #used = 0;
  #held = 0;
  #heldBits = 0;

  /** Makes room for so many bytes. */
  reserve(count: number): void {
    if (this.#used + count + 3 <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * this.#bytes.length + count + 3);
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }

  /** At most 24 bits, for which there is room. */
  write(value: number, count: number): void {
    const held = this.#held | (value << this.#heldBits);
    const heldBits = this.#heldBits + count;
    // Always three bytes, without a branch; a byte that is not complete is written again with the next bits.
    this.#bytes[this.#used] = held;
    this.#bytes[this.#used + 1] = held >> 8;
    this.#bytes[this.#used + 2] = held >> 16;
    this.#used += heldBits >> 3;
    this.#held = held >>> (heldBits & 24);
    this.#heldBits = heldBits & 7;
  }

  /** All bytes, the last one filled with zeros. */
  finish(): Buffer {
    this.reserve(1);
    this.write(0, 7);
    return this.#bytes.subarray(0, this.#used);
  }
}
