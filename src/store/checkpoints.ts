// Carries what was written from the log into the database file, on a thread of its own: that is when SQLite waits for
// the disk, and on the main thread every request would wait with it.
import { DatabaseSync } from 'node:sqlite';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const everyMs = 2000;
/** Pages in the log at which the main thread does it after all: the thread is gone, or does not keep up (40 MB). */
const atTheLatest = 10_000;

export type Checkpoints = { stop(): Promise<unknown> };

export function startCheckpoints(file: string, writer: DatabaseSync): Checkpoints {
  const thread = new Worker(new URL(import.meta.url), { workerData: { checkpointsOf: file } });
  // Whatever ends it (no memory, a file that is gone), `atTheLatest` stands in.
  thread.on('error', () => {});
  thread.unref();
  writer.exec(`pragma wal_autocheckpoint = ${atTheLatest}`);
  return { stop: () => thread.terminate() };
}

const { checkpointsOf } = (workerData ?? {}) as { checkpointsOf?: string };
if (!isMainThread && checkpointsOf !== undefined) {
  const database = new DatabaseSync(checkpointsOf, { timeout: 1000 });
  const checkpoint = database.prepare('pragma wal_checkpoint(passive)');
  setInterval(() => {
    try {
      checkpoint.get();
    } catch {
      // A full or failing disk: the writers meet it themselves, and tell.
    }
  }, everyMs);
}
