// Converts Markdown in threads of their own: a text that takes long, or too much memory, costs its own request only. Its
// thread is ended, and others have theirs. One thread is kept for the next text.
import { Worker } from 'node:worker_threads';
import type { Deadline } from '../../kernel/deadline.ts';
import { invalidParameter } from '../../kernel/errors.ts';
import { createSemaphore } from '../../kernel/semaphore.ts';

export type ThreadAnswer = { readonly html: Uint8Array } | { readonly refused: string };

export type MarkdownConverter = {
  /** The page in UTF-8. Throws 400 for a text that cannot be converted. */
  convert(markdown: string, deadline: Deadline): Promise<Buffer>;
  stop(): Promise<void>;
};

/** 500 KB of ordinary text take less than half a second. */
const longestMs = 5000;
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** Together they take at most a gigabyte. */
const mostThreads = 4;

export function createMarkdownConverter(): MarkdownConverter {
  const permits = createSemaphore(mostThreads);
  const threads = new Set<Worker>();
  let idle: Worker | undefined;
  let stopped = false;

  function start(): Worker {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits: memory });
    threads.add(thread);
    // Without a listener, an error of a thread would end the process.
    thread.on('error', () => {});
    thread.once('exit', () => {
      threads.delete(thread);
      if (idle === thread) idle = undefined;
    });
    return thread;
  }

  function take(): Worker {
    const thread = idle ?? start();
    idle = undefined;
    thread.ref();
    return thread;
  }

  function giveBack(thread: Worker): void {
    if (idle !== undefined || stopped) return void thread.terminate();
    idle = thread;
    // It does not keep the process alive.
    thread.unref();
  }

  async function convertIn(thread: Worker, markdown: string, deadline: Deadline): Promise<Buffer> {
    const answer = answerOf(thread, markdown);
    try {
      if (!(await deadline.within(longestMs, answer)))
        throw refusal(`takes more than ${longestMs / 1000} s to convert`);
    } catch (error) {
      await thread.terminate();
      throw error;
    }
    giveBack(thread);
    const result = await answer;
    if ('refused' in result) throw refusal(result.refused);
    const { buffer, byteOffset, byteLength } = result.html;
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  return {
    async convert(markdown, deadline) {
      const release = await permits.acquire(deadline);
      try {
        return await convertIn(take(), markdown, deadline);
      } finally {
        release();
      }
    },

    async stop() {
      stopped = true;
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}

function answerOf(thread: Worker, markdown: string): Promise<ThreadAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
  // It has ended, so that it must not be used again.
  const failed = (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refusal('needs too much memory to convert') : error);
  const exited = () => reject(new Error('The thread that converts Markdown has ended.'));
  thread.once('message', resolve).once('error', failed).once('exit', exited);
  const forget = () => void thread.off('message', resolve).off('error', failed).off('exit', exited);
  promise.then(forget, forget);
  thread.postMessage(markdown);
  return promise;
}

const refusal = (reason: string) => invalidParameter('markdown', `markdown ${reason}.`);
