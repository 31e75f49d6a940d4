// Converts Markdown in threads of their own: a text that takes long, or too much memory, costs its own request only. Its
// thread is ended, and others have theirs. One thread is kept for the next text.
import { Worker } from 'node:worker_threads';
import type { Deadline } from '../../kernel/deadline.ts';
import { invalidParameter } from '../../kernel/errors.ts';

export type ThreadAnswer = { readonly html: Uint8Array } | { readonly refused: string };

export type MarkdownConverter = {
  /** The page in UTF-8. Throws 400 for a text that cannot be converted. */
  convert(markdown: string, deadline: Deadline): Promise<Buffer>;
  stop(): Promise<void>;
};

/** 500 KB of ordinary text take less than half a second. */
const longestMs = 5000;
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

export function createMarkdownConverter(): MarkdownConverter {
  const threads = new Set<Worker>();
  let idle: Worker | undefined;
  let stopped = false;

  function take(): Worker {
    const thread = idle ?? new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits: memory });
    idle = undefined;
    threads.add(thread);
    thread.ref();
    return thread;
  }

  async function end(thread: Worker): Promise<void> {
    threads.delete(thread);
    if (idle === thread) idle = undefined;
    await thread.terminate();
  }

  function giveBack(thread: Worker): void {
    if (idle !== undefined || stopped) return void end(thread);
    idle = thread;
    // It keeps no process alive, and if it dies it is not used again.
    thread.unref();
    thread.once('exit', () => void end(thread));
  }

  return {
    async convert(markdown, deadline) {
      const thread = take();
      try {
        const answer = answerOf(thread, markdown);
        if (!(await deadline.within(longestMs, answer)))
          throw refusal(`takes more than ${longestMs / 1000} s to convert`);
        const result = await answer;
        giveBack(thread);
        if ('refused' in result) throw refusal(result.refused);
        const { buffer, byteOffset, byteLength } = result.html;
        return Buffer.from(buffer, byteOffset, byteLength);
      } catch (error) {
        if (thread !== idle) await end(thread);
        throw error;
      }
    },

    async stop() {
      stopped = true;
      await Promise.all([...threads].map(end));
    },
  };
}

function answerOf(thread: Worker, markdown: string): Promise<ThreadAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
  const failed = (error: NodeJS.ErrnoException) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? resolve({ refused: 'needs too much memory to convert' })
      : reject(error);
  const exited = () => reject(new Error('The thread that converts Markdown has ended.'));
  thread.once('message', resolve).once('error', failed).once('exit', exited);
  const forget = () => void thread.off('message', resolve).off('error', failed).off('exit', exited);
  promise.then(forget, forget);
  thread.postMessage(markdown);
  return promise;
}

const refusal = (reason: string) => invalidParameter('markdown', `markdown ${reason}.`);
