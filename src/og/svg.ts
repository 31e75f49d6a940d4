// Draws an SVG in a child process, which is killed if it takes too long.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Deadline } from '../kernel/deadline.ts';

const child = fileURLToPath(new URL('./svg-child.ts', import.meta.url));
/** Enough for any logo, even on a busy machine. */
const drawMs = 5000;

/** The drawing as PNG, or undefined if it cannot be drawn, or not in time. */
export async function drawSvg(bytes: Buffer, deadline: Deadline): Promise<Buffer | undefined> {
  const drawing = spawn(process.execPath, [child], { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
  try {
    const chunks: Buffer[] = [];
    drawing.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The child may end before it has read everything.
    drawing.stdin.on('error', () => {});
    drawing.stdin.end(bytes);
    const ended = new Promise<number | null>((resolve) => {
      drawing.on('error', () => resolve(null));
      drawing.on('close', resolve);
    });
    if (!(await deadline.within(drawMs, ended)) || (await ended) !== 0) return undefined;
    return Buffer.concat(chunks);
  } finally {
    drawing.kill('SIGKILL');
  }
}
