// Huffman codes as deflate has them (RFC 1951, 3.2.2): the more frequent a symbol, the shorter its code.

export const longestCode = 15;

/** How many bits the code of each symbol has; 0 for one that does not occur. At least two must occur. */
export function codeLengths(counts: Uint32Array): Uint8Array {
  // The count and the symbol in one number, so that numbers are sorted and no function is called to compare.
  const sorted = new Float64Array(counts.length);
  let occurring = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    const count = counts[symbol] ?? 0;
    if (count > 0) sorted[occurring++] = count * symbolsInNumber + symbol;
  }
  const leaves = sorted.subarray(0, occurring).sort();
  const lengths = new Uint8Array(counts.length);
  // Very unequal counts make long codes; then they are made less unequal.
  for (let halvings = 0; ; halvings++) {
    const depths = depthsOf(leaves, halvings);
    if ((depths[0] ?? 0) > longestCode) continue;
    for (let i = 0; i < occurring; i++) lengths[(leaves[i] ?? 0) % symbolsInNumber] = depths[i] ?? 0;
    return lengths;
  }
}
const symbolsInNumber = 512;

/** The depth of each leaf in the Huffman tree. The leaves are sorted by weight. */
function depthsOf(leaves: Float64Array, halvings: number): Uint16Array {
  const nodes = 2 * leaves.length - 1;
  const weights = new Uint32Array(nodes);
  for (let i = 0; i < leaves.length; i++)
    weights[i] = Math.max(1, Math.floor((leaves[i] ?? 0) / symbolsInNumber) >>> halvings);
  const above = new Uint16Array(nodes);
  // Each pair weighs at least as much as the one before, so leaves and pairs are two sorted queues.
  let leaf = 0;
  let pair = leaves.length;
  for (let node = leaves.length; node < nodes; node++)
    for (let half = 0; half < 2; half++) {
      const takesLeaf = leaf < leaves.length && (pair >= node || (weights[leaf] ?? 0) <= (weights[pair] ?? 0));
      const lightest = takesLeaf ? leaf++ : pair++;
      above[lightest] = node;
      weights[node] = (weights[node] ?? 0) + (weights[lightest] ?? 0);
    }
  const depths = new Uint16Array(nodes);
  for (let node = nodes - 2; node >= 0; node--) depths[node] = (depths[above[node] ?? 0] ?? 0) + 1;
  return depths;
}

/** The code of each symbol for these lengths, its first bit lowest. */
export function codesOf(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  // How many codes of each length there are, then the next code of each.
  const next = new Uint16Array(longestCode + 1);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] ?? 0;
    next[length] = (next[length] ?? 0) + 1;
  }
  let first = 0;
  for (let length = 1; length <= longestCode; length++) {
    const after = (first + (next[length] ?? 0)) << 1;
    next[length] = first;
    first = after;
  }
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const code = next[length] ?? 0;
    next[length] = code + 1;
    codes[symbol] = reversed(code) >>> (16 - length);
  }
  return codes;
}

/** 16 bits in reverse order: neighbors are swapped, then pairs, then fours, then bytes. */
function reversed(bits: number): number {
  let result = ((bits & 0x5555) << 1) | ((bits >>> 1) & 0x5555);
  result = ((result & 0x3333) << 2) | ((result >>> 2) & 0x3333);
  result = ((result & 0x0f0f) << 4) | ((result >>> 4) & 0x0f0f);
  return ((result & 0xff) << 8) | (result >>> 8);
}
