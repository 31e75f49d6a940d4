// Decodes an image in a child process, which ends itself if it takes too much, and is killed if it takes too long.
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createAccountSlots } from '../kernel/account-slots.ts';
import type { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { createSemaphore } from '../kernel/semaphore.ts';

const child = fileURLToPath(new URL('./picture-child.ts', import.meta.url));
/** The child has 5 seconds of a processor, which take longer on a busy machine. */
const decodeMs = 8000;
/** Each may take a core and a gigabyte. */
const places = createSemaphore(availableParallelism());
/** One at a time for an account, so that its images do not keep those of others waiting. */
const inAccountSlot = createAccountSlots(1);

/** A small PNG, or undefined if it cannot be decoded, or not in time. Throws 503 if no process can be started. */
export async function decodeApart(
  kind: 'svg' | 'pixels',
  bytes: Buffer,
  side: number,
  deadline: Deadline,
  accountId?: string,
): Promise<Buffer | undefined> {
  const run = async () => {
    const release = await places.acquire(deadline);
    return decode([child, kind, String(side)], bytes, deadline).finally(release);
  };
  return accountId === undefined ? run() : inAccountSlot(accountId, deadline, run);
}

async function decode(command: string[], bytes: Buffer, deadline: Deadline): Promise<Buffer | undefined> {
  const decoding: ChildProcess = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
  // Before anything else: without a listener, the error of a process that cannot be started would end this one.
  const ended = new Promise<number | null>((resolve, reject) => {
    decoding.on('error', (cause) => reject(notStarted(cause)));
    decoding.on('close', resolve);
  });
  ended.catch(() => {});
  try {
    const chunks: Buffer[] = [];
    // Without a free file descriptor there are no streams; the error follows.
    decoding.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The child may end before it has read everything.
    decoding.stdin?.on('error', () => {});
    decoding.stdin?.end(bytes);
    if (!(await deadline.within(decodeMs, ended)) || (await ended) !== 0) return undefined;
    return Buffer.concat(chunks);
  } finally {
    decoding.kill('SIGKILL');
  }
}

const notStarted = (cause: Error): Problem =>
  new Problem('overloaded', {
    message: 'The process that decodes images cannot be started. Try again shortly.',
    retryAfter: 1,
    cause,
  });
