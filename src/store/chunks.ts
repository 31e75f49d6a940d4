/** A long list in pieces: databases take only so many values in one statement. */
export function* inChunks<T>(values: readonly T[], size = 500): Generator<readonly T[]> {
  for (let at = 0; at < values.length; at += size) yield values.slice(at, at + size);
}
