// The folder of a batch: one file for each result, and results.jsonl, which has a row for each line that ended. A result is
// done if both exist, so a run that was killed at any moment goes on with the next one.
import { hash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ErrorCode } from '../../kernel/errors.ts';
import { makeFolder } from '../../kernel/folders.ts';
import type { Verdict } from '../../kernel/verdict.ts';
import { Failure } from '../command.ts';
import { lockFolder } from './folder-lock.ts';
import { readLines } from './lines.ts';

export type ResultRow = {
  readonly line: number;
  /** The address or the template; null for a page that is in the line itself, undefined for a line that cannot be read. */
  readonly url?: string | null;
  readonly template?: string;
} & (
  | {
      readonly status: 'done';
      readonly file: string;
      readonly type: string;
      readonly bytes: number;
      readonly httpStatus?: number;
      readonly verdict?: Verdict;
      readonly warnings: readonly string[];
      readonly ms: number;
    }
  | {
      readonly status: 'failed';
      /** As in the error body of the API. */
      readonly error: { readonly error: string; readonly code: ErrorCode; readonly parameter?: string | undefined };
      readonly verdict?: Verdict;
      readonly ms: number;
    }
);

export type BatchFolder = {
  readonly resultsFile: string;
  isDone(file: string): boolean;
  /** Writes a result under another name first: a file that exists is complete. */
  writeResult(file: string, bytes: Buffer): Promise<void>;
  addRow(row: ResultRow): Promise<void>;
  close(): Promise<void>;
};

/** Rows are far shorter; a longer line is not ours. */
const longestRow = 1_000_000;

/** Every error of the file system becomes a Failure that names the folder. */
export async function openBatchFolder(folder: string): Promise<BatchFolder> {
  const resultsFile = join(folder, 'results.jsonl');
  const cannotWrite = (error: Error): never => {
    throw error instanceof Failure ? error : new Failure(`${folder} cannot be written: ${error.message}`);
  };
  const { done, rows, unlock } = await openRows(folder, resultsFile).catch(cannotWrite);
  let writing: Promise<unknown> = Promise.resolve();
  return {
    resultsFile,
    isDone: (file) => done.has(idOf(file)) && existsSync(join(folder, file)),
    writeResult: (file, bytes) => writeWhole(folder, file, bytes).catch(cannotWrite),
    addRow(row) {
      const written = writing.then(() => rows.appendFile(`${JSON.stringify(row)}\n`));
      writing = written.catch(() => {});
      return written.catch(cannotWrite);
    },
    async close() {
      await writing;
      await rows.close();
      unlock();
    },
  };
}

async function openRows(folder: string, resultsFile: string) {
  makeFolder(folder);
  const unlock = lockFolder(folder);
  try {
    const done = new Set<number>();
    await rename(await keepDone(folder, resultsFile, done), resultsFile);
    return { done, rows: await open(resultsFile, 'a'), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function writeWhole(folder: string, file: string, bytes: Buffer): Promise<void> {
  const part = join(folder, `.${file}.part`);
  try {
    // On the disk before it has its name: after a power cut too, a file that exists is complete.
    await writeFile(part, bytes, { flush: true });
    await rename(part, join(folder, file));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** A number takes less memory than a name. `isDone` also looks for the file, so two names with one number do no harm. */
const idOf = (file: string): number => Number.parseInt(hash('sha256', file, 'hex').slice(0, 12), 16);

/**
 * Copies the rows of earlier runs whose files exist. The others are rendered again: those that failed, those whose file
 * was removed, and a row that a killed run left incomplete.
 */
async function keepDone(folder: string, resultsFile: string, done: Set<number>): Promise<string> {
  const part = join(folder, '.results.jsonl.part');
  const copy = await open(part, 'w');
  try {
    if (existsSync(resultsFile)) await copyDone(folder, resultsFile, done, copy);
  } finally {
    await copy.close();
  }
  return part;
}

async function copyDone(folder: string, resultsFile: string, done: Set<number>, copy: FileHandle): Promise<void> {
  let rows: Buffer[] = [];
  const flush = async () => {
    await copy.appendFile(Buffer.concat(rows));
    rows = [];
  };
  for await (const { bytes } of readLines(createReadStream(resultsFile), longestRow)) {
    const file = bytes && fileOfDone(bytes);
    if (bytes === undefined || file === undefined) continue;
    if (file !== basename(file) || done.has(idOf(file)) || !existsSync(join(folder, file))) continue;
    done.add(idOf(file));
    rows.push(bytes, newline);
    if (rows.length >= 2000) await flush();
  }
  await flush();
}

const newline = Buffer.from('\n');

function fileOfDone(bytes: Buffer): string | undefined {
  try {
    const row = JSON.parse(bytes.toString()) as Partial<ResultRow> | null;
    return row?.status === 'done' && typeof row.file === 'string' ? row.file : undefined;
  } catch {
    return undefined;
  }
}
