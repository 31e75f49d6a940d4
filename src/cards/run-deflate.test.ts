import { randomInt } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { codeLengths, codesOf } from './huffman.ts';
import { RunDeflate } from './run-deflate.ts';

type Run = readonly [byte: number, count: number];

function compressed(runs: readonly Run[]): Buffer {
  const deflate = new RunDeflate();
  for (const [byte, count] of runs) deflate.run(byte, count);
  return deflate.finish();
}
const plain = (runs: readonly Run[]) => Buffer.concat(runs.map(([byte, count]) => Buffer.alloc(count, byte)));
// zlib compares the checksum, too.
const isSame = (runs: readonly Run[]) => inflateSync(compressed(runs)).equals(plain(runs));

describe('bytes compressed as runs', () => {
  it('are the same bytes after zlib has inflated them, for runs of every length', () => {
    for (let count = 1; count <= 1100; count++) {
      const runs: Run[] = [
        [7, count],
        [255, 1],
        [0, count],
      ];
      expect(isSame(runs), `runs of ${count}`).toBe(true);
    }
    expect(isSame([[200, 32_768]])).toBe(true);
    expect(isSame(Array.from({ length: 1500 }, (): Run => [255, 32_768]))).toBe(true);
  });

  it('are the same for many random runs, in many blocks', () => {
    for (let times = 0; times < 12; times++) {
      const [bytes, longest] = [randomInt(1, 257), randomInt(2, 600)];
      const runs = Array.from({ length: randomInt(1, 40_000) }, (): Run => [randomInt(bytes), randomInt(1, longest)]);
      expect(isSame(runs), `${runs.length} runs of ${bytes} bytes, up to ${longest} long`).toBe(true);
    }
  });

  it('are the same if some bytes are ten thousand times as frequent as others', () => {
    const runs = Array.from({ length: 30 }, (_, i) => Array.from({ length: 2 ** (i >> 1) }, (): Run => [i, 1])).flat();
    expect(isSame(runs)).toBe(true);
  });

  it('take a few bytes where there are few runs', () => {
    expect(compressed(Array.from({ length: 600 }, (): Run => [9, 1200])).length).toBeLessThan(2000);
  });
});

describe('Huffman codes', () => {
  it('have at most 15 bits, however unequal the counts are, and leave no combination of bits unused', () => {
    const fibonacci = [1, 1];
    while (fibonacci.length < 40) fibonacci.push((fibonacci.at(-1) ?? 0) + (fibonacci.at(-2) ?? 0));
    const lengths = codeLengths(Uint32Array.from(fibonacci));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(15);
    expect(lengths.reduce((sum, length) => sum + 2 ** -length, 0)).toBe(1);
    const codes = [...codesOf(lengths)].map((code, i) => `${code}/${lengths[i]}`);
    expect(new Set(codes).size).toBe(40);
  });
});
