import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { countLines, readLines } from './lines.ts';

const inChunks = (text: string | Buffer, size: number) => {
  const bytes = Buffer.from(text as string);
  return Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size)),
  );
};
const read = async (text: string, size = 1000, longest?: number) => {
  const lines: [number, string | undefined][] = [];
  for await (const { number, bytes } of readLines(inChunks(text, size), longest))
    lines.push([number, bytes?.toString()]);
  return lines;
};

it('lines are numbered as in an editor, without blank ones and comments', async () => {
  const text = '\ufeffa\r\n\n # no\n\t \nb é\n#\nc';
  for (const size of [1, 2, 3, 1000])
    expect(await read(text, size), `chunks of ${size}`).toEqual([
      [1, 'a\r'],
      [5, 'b é'],
      [7, 'c'],
    ]);
  expect(await countLines(inChunks(text, 5))).toBe(3);
  expect(await read('')).toEqual([]);
  expect(await read('a\n')).toEqual([[1, 'a']]);
});

it('a line that is too long has no content, and the next one is read', async () => {
  for (const size of [1, 7, 1000])
    expect(await read(`${'x'.repeat(11)}\n${'y'.repeat(10)}\nz`, size, 10), `chunks of ${size}`).toEqual([
      [1, undefined],
      [2, 'y'.repeat(10)],
      [3, 'z'],
    ]);
});
