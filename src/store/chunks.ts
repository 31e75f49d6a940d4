/** Splits a long list: databases limit the number of values in a statement. */
export function* inChunks<T>(values: readonly T[], size = 500): Generator<readonly T[]> {
  for (let at = 0; at < values.length; at += size) yield values.slice(at, at + size);
}
