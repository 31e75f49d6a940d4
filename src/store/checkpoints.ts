// Copies what was written from SQLite's write-ahead log into the database file, and gives what was removed back to the disk,
// in a thread of its own: SQLite waits for the disk meanwhile, and would block every request on the main thread.
import { DatabaseSync } from 'node:sqlite';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const everyMs = 2000;
/** At this many pages in the log (40 MB) the main thread does it, because the thread has ended or is too slow. */
const mainThreadPages = 10_000;

/** 8 MB that the next rows can use. */
const keptFreePages = 2000;
/** At most 20 MB in one turn. */
const stepPages = 500;
const mostSteps = 10;

export type Checkpoints = { stop(): Promise<unknown> };

export function startCheckpoints(file: string, writer: DatabaseSync): Checkpoints {
  const thread = new Worker(new URL(import.meta.url), { workerData: { checkpointsOf: file } });
  // If the thread ends (no memory, a file that is gone), the main thread takes over at `mainThreadPages`.
  thread.on('error', () => {});
  thread.unref();
  writer.exec(`pragma wal_autocheckpoint = ${mainThreadPages}`);
  return { stop: () => thread.terminate() };
}

const { checkpointsOf } = (workerData ?? {}) as { checkpointsOf?: string };
if (!isMainThread && checkpointsOf !== undefined) {
  const database = new DatabaseSync(checkpointsOf, { timeout: 1000 });
  const checkpoint = database.prepare('pragma wal_checkpoint(passive)');
  const free = database.prepare('pragma freelist_count');
  const isLarge = () => (free.get() as { freelist_count: number }).freelist_count > keptFreePages;
  setInterval(() => {
    try {
      // In steps of some milliseconds: writers of the main thread wait meanwhile.
      for (let step = 0; step < mostSteps && isLarge(); step++)
        database.exec(`pragma incremental_vacuum(${stepPages})`);
      checkpoint.get();
    } catch {
      // The disk is full or fails: the writers report it.
    }
  }, everyMs);
}
