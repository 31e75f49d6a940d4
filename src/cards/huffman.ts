// Huffman codes as deflate has them (RFC 1951, 3.2.2): the more frequent a symbol, the shorter its code.

export const longestCode = 15;

/** How many bits the code of each symbol has; 0 for one that does not occur. At least two must occur. */
export function codeLengths(counts: Uint32Array): Uint8Array {
  const symbols: number[] = [];
  for (let symbol = 0; symbol < counts.length; symbol++) if (counts[symbol] !== 0) symbols.push(symbol);
  symbols.sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
  const lengths = new Uint8Array(counts.length);
  // Very unequal counts make long codes; then they are made less unequal.
  for (let halvings = 0; ; halvings++) {
    const depths = depthsOf(symbols.map((symbol) => Math.max(1, (counts[symbol] ?? 0) >>> halvings)));
    if ((depths[0] ?? 0) > longestCode) continue;
    for (const [i, symbol] of symbols.entries()) lengths[symbol] = depths[i] ?? 0;
    return lengths;
  }
}

/** The depth of each leaf in the Huffman tree. The leaves are sorted by weight. */
function depthsOf(leaves: readonly number[]): number[] {
  const weights = [...leaves];
  const above: number[] = [];
  const last = 2 * leaves.length - 2;
  // Each pair weighs at least as much as the one before, so leaves and pairs are two sorted queues.
  let leaf = 0;
  let pair = leaves.length;
  const lightest = (): number => {
    const takesLeaf = leaf < leaves.length && (pair >= weights.length || (weights[leaf] ?? 0) <= (weights[pair] ?? 0));
    return takesLeaf ? leaf++ : pair++;
  };
  while (weights.length <= last) {
    const [one, other] = [lightest(), lightest()];
    above[one] = weights.length;
    above[other] = weights.length;
    weights.push((weights[one] ?? 0) + (weights[other] ?? 0));
  }
  const depths = [];
  depths[last] = 0;
  for (let node = last - 1; node >= 0; node--) depths[node] = (depths[above[node] ?? 0] ?? 0) + 1;
  return depths;
}

/** The code of each symbol for these lengths, its first bit lowest. */
export function codesOf(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  // How many codes of each length there are, then the next code of each.
  const next = new Uint16Array(longestCode + 1);
  for (const length of lengths) next[length] = (next[length] ?? 0) + 1;
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
    codes[symbol] = reversed(code, length);
  }
  return codes;
}

function reversed(bits: number, length: number): number {
  let result = 0;
  for (let i = 0; i < length; i++) result |= ((bits >>> i) & 1) << (length - 1 - i);
  return result;
}
