// Reads pages in a thread of its own, one at a time: a page that takes long, or too much memory, is given up, and its thread is
// ended. An ordinary page of 2 MB takes a tenth of a second. One page of an account waits for the thread, so that accounts take turns.
import { Worker } from 'node:worker_threads';
import { createAccountSlots } from '../../kernel/account-slots.ts';
import { Deadline } from '../../kernel/deadline.ts';
import { createSemaphore } from '../../kernel/semaphore.ts';
import type { ReadPage } from './read-page.ts';

export type ReadTask = {
  readonly as: 'page' | 'sitemap';
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly url: string;
  readonly names?: readonly string[];
};

export type PageReader = {
  /** Undefined for a page that cannot be read in time. */
  page(accountId: string, task: Omit<ReadTask, 'as'>, deadline: Deadline): Promise<ReadPage | undefined>;
  sitemap(accountId: string, task: Omit<ReadTask, 'as'>, deadline: Deadline): Promise<readonly string[] | undefined>;
  stop(): Promise<void>;
};

const longestMs = 2000;
const memory = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

export function createPageReader(): PageReader {
  const turns = createSemaphore(1);
  const inAccountSlot = createAccountSlots(1);
  let thread: Worker | undefined;

  function start(): Worker {
    const started = new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits: memory });
    // Without a listener, an error of a thread would end the process.
    started.on('error', () => {});
    started.once('exit', () => {
      if (thread === started) thread = undefined;
    });
    return started;
  }

  async function read(task: ReadTask, deadline: Deadline): Promise<unknown> {
    const release = await turns.acquire(deadline);
    // Not the caller's deadline: the next caller must not wait for a page that nobody needs any more.
    const patience = new Deadline(longestMs);
    let worker: Worker | undefined;
    try {
      // Inside, so that the only permit is given back if no thread can be started.
      thread ??= start();
      worker = thread;
      worker.ref();
      const answer = await patience.race(answerOf(worker, task));
      // It does not keep the process alive.
      worker.unref();
      return answer;
    } catch {
      thread = undefined;
      await worker?.terminate();
      return undefined;
    } finally {
      patience.done();
      release();
    }
  }

  return {
    page: (accountId, task, deadline) =>
      inAccountSlot(accountId, deadline, () => read({ ...task, as: 'page' }, deadline)) as Promise<
        ReadPage | undefined
      >,
    sitemap: (accountId, task, deadline) =>
      inAccountSlot(accountId, deadline, () => read({ ...task, as: 'sitemap' }, deadline)) as Promise<
        readonly string[] | undefined
      >,
    async stop() {
      await thread?.terminate();
    },
  };
}

function answerOf(worker: Worker, task: ReadTask): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const exited = () => reject(new Error('The thread that reads pages has ended.'));
  worker.once('message', resolve).once('error', reject).once('exit', exited);
  const forget = () => void worker.off('message', resolve).off('error', reject).off('exit', exited);
  promise.then(forget, forget);
  worker.postMessage(task);
  return promise;
}
