// Draws an SVG in a child process, which is killed if it takes too long.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Deadline } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';

const child = fileURLToPath(new URL('./svg-child.ts', import.meta.url));
/** Enough for any logo, even on a busy machine. */
const drawMs = 5000;

/** The drawing as PNG, or undefined if it cannot be drawn, or not in time. Throws 503 if no process can be started. */
export async function drawSvg(bytes: Buffer, deadline: Deadline): Promise<Buffer | undefined> {
  const drawing: ChildProcess = spawn(process.execPath, [child], { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
  // Before anything else: without a listener, the error of a process that cannot be started would end this one.
  const ended = new Promise<number | null>((resolve, reject) => {
    drawing.on('error', (cause) => reject(notStarted(cause)));
    drawing.on('close', resolve);
  });
  ended.catch(() => {});
  try {
    const chunks: Buffer[] = [];
    // Without a free file descriptor there are no streams; the error follows.
    drawing.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The child may end before it has read everything.
    drawing.stdin?.on('error', () => {});
    drawing.stdin?.end(bytes);
    if (!(await deadline.within(drawMs, ended)) || (await ended) !== 0) return undefined;
    return Buffer.concat(chunks);
  } finally {
    drawing.kill('SIGKILL');
  }
}

const notStarted = (cause: Error): Problem =>
  new Problem('overloaded', {
    message: 'The process that draws SVG images cannot be started. Try again shortly.',
    retryAfter: 1,
    cause,
  });
