/** Frees bytes after the work on them: with three megabytes of pixels a card, the garbage collector would run every twenty cards. */
export async function freed<B extends Uint8Array, T>(bytes: B, work: (bytes: B) => Promise<T>): Promise<T> {
  try {
    return await work(bytes);
  } finally {
    (bytes.buffer as ArrayBuffer).transfer(0);
  }
}
