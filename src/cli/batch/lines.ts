// The lines of a file of any length, one in memory at a time. Blank lines and those that begin with # are left out.

/** The body of a POST has the same limit. */
export const longestLine = 4_000_000;

export type Line = {
  /** From 1, as editors count. */
  readonly number: number;
  /** Undefined if the line is too long. */
  readonly bytes: Buffer | undefined;
};

export async function* readLines(stream: AsyncIterable<Buffer>, longest = longestLine): AsyncGenerator<Line> {
  let number = 1;
  let parts: Buffer[] = [];
  let size = 0;
  const end = (): Line | undefined => {
    const bytes = size > longest ? undefined : Buffer.concat(parts, size);
    parts = [];
    size = 0;
    const line = { number, bytes: number === 1 && bytes ? withoutMark(bytes) : bytes };
    number++;
    return isRequest(line) ? line : undefined;
  };
  for await (const chunk of stream) {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(0x0a, from);
      const to = at < 0 ? chunk.length : at;
      size += to - from;
      // A line that is too long is read to its end, but not kept.
      if (size > longest) parts = [];
      else parts.push(chunk.subarray(from, to));
      from = to + 1;
      if (at < 0) break;
      const line = end();
      if (line) yield line;
    }
  }
  const last = end();
  if (last) yield last;
}

/** Editors on Windows begin a file with a byte order mark. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

const blanks = new Set([0x20, 0x09, 0x0d]);

function isRequest({ bytes }: Line): boolean {
  if (bytes === undefined) return true;
  const first = bytes.find((byte) => !blanks.has(byte));
  return first !== undefined && first !== 0x23;
}

export async function countLines(stream: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  for await (const _ of readLines(stream)) count++;
  return count;
}
