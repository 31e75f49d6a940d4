// The step of a render on a terminal, on one line that is removed at the end. In a pipe nothing is written.
import type { CommandIo } from './command.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const everyMs = 80;

const labels: Readonly<Record<string, string>> = {
  start: 'starting the browser',
  connect: 'starting the browser',
  load: 'loading the page',
  settle: 'waiting for the page to rest',
  wait: 'waiting for the element',
  delay: 'waiting',
  script: 'running customJS',
  capture: 'capturing',
  encode: 'encoding',
};

/** Shows the step until the work ends. */
export async function withSpinner<T>(
  io: CommandIo,
  work: (onStep: (step: () => string) => void) => Promise<T>,
): Promise<T> {
  const { terminal } = io;
  if (terminal === undefined) return work(() => {});
  let step = () => 'start';
  const startedAt = performance.now();
  let at = 0;
  const timer = setInterval(() => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    terminal.redraw(`${frames[at++ % frames.length]} ${labels[step()] ?? step()}  ${seconds} s`);
  }, everyMs);
  try {
    return await work((current) => {
      step = current;
    });
  } finally {
    clearInterval(timer);
    terminal.redraw('');
  }
}
