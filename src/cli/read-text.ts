// Reads a text that a command is given as a file.
import { createReadStream } from 'node:fs';
import { type CommandIo, Failure } from './command.ts';

/** More than the longest text that is taken, so that a text which is a little too long gets the error that says so. */
const mostBytes = 6_000_000;

/** The file's content, or that of standard input for `-`. */
export async function readText(file: string, io: CommandIo): Promise<string> {
  const name = file === '-' ? 'Standard input' : file;
  const bytes = await readAll(file === '-' ? io.input() : createReadStream(file), mostBytes).catch((error: Error) => {
    throw new Failure(`${name} cannot be read: ${error.message}`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(`${name} is not UTF-8.`);
  }
}

/** Stops reading at the limit: a device or a pipe may have no end. */
async function readAll(stream: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > most) throw new Failure(`it has more than ${most.toLocaleString('en')} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
