// Shows how far a batch is: a line that is redrawn on a terminal, otherwise one line for each request that ended.
import { redact } from '../../kernel/log.ts';
import type { CommandIo } from '../command.ts';
import { progressLine } from './progress-line.ts';
import type { ResultRow } from './results.ts';

export type BatchCounts = {
  /** Done in this run, in an earlier one, and failed in this one. */
  readonly done: number;
  readonly doneBefore: number;
  readonly failed: number;
  /** Of those done in this run: how many have a verdict other than ok. */
  readonly doubtful: number;
};

export type BatchProgress = {
  readonly counts: BatchCounts;
  ended(row: ResultRow): void;
  wasDone(): void;
  /** Leaves the last state on the terminal. */
  stop(): void;
};

const redrawMs = 100;

export function createProgress(io: CommandIo, total: number | undefined): BatchProgress {
  // Lines of the output would break the one that is redrawn, unless both are written here.
  const terminal = io.terminal?.showsOutput ? io.terminal : undefined;
  const counts = { done: 0, doneBefore: 0, failed: 0, doubtful: 0 };
  const startedAt = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;

  function draw(): void {
    if (terminal === undefined) return;
    const { done, doneBefore, failed } = counts;
    const ended = done + doneBefore + failed;
    const facts = { ended, total, failed, inThisRun: done + failed, elapsedMs: performance.now() - startedAt };
    const line = progressLine(facts, terminal.columns());
    terminal.redraw(colored(line, failed));
    drawnAt = performance.now();
  }
  const colored = (line: string, failed: number): string =>
    terminal?.colors() && failed > 0 ? line.replace(`${failed} failed`, `\x1b[31m${failed} failed\x1b[39m`) : line;
  /** A line that stays, above the one that is redrawn. */
  function say(text: string): void {
    terminal?.redraw('');
    if (terminal === undefined) io.print(text);
    else io.note(text);
    draw();
  }
  const drawSoon = () => {
    if (performance.now() - drawnAt >= redrawMs) draw();
  };
  // Also while nothing ends: the time left grows.
  const timer = terminal && setInterval(draw, 1000).unref();
  draw();

  return {
    counts,
    ended(row) {
      counts[row.status]++;
      if (row.status === 'done' && row.verdict?.ok === false) counts.doubtful++;
      if (terminal === undefined || row.status === 'failed') say(lineOf(row));
      else drawSoon();
    },
    wasDone() {
      counts.doneBefore++;
      drawSoon();
    },
    stop() {
      clearInterval(timer);
      if (terminal === undefined) return;
      draw();
      io.note('');
    },
  };
}

/** A page decides parts of these texts: it must not control the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed.
const control = /[\x00-\x1f\x7f-\x9f]+/g;

function lineOf(row: ResultRow): string {
  const verdict = row.verdict?.ok === false ? `, verdict ${row.verdict.codes.join(', ')}` : '';
  const text =
    row.status === 'done'
      ? `line ${row.line}: ${row.file}, ${row.ms} ms${verdict}`
      : `line ${row.line} failed: ${row.error.code}: ${row.error.error}`;
  return redact(text.replaceAll(control, ' '));
}
