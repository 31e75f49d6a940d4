import { expect, it } from 'vitest';
import type { CommandIo } from '../command.ts';
import { createProgress } from './progress.ts';
import { duration, progressLine } from './progress-line.ts';
import type { ResultRow } from './results.ts';

const facts = { ended: 412, total: 1000, failed: 3, inThisRun: 200, elapsedMs: 100_000 };

it('the line shows as much as fits, and never fills a row', () => {
  expect(progressLine(facts, 80)).toBe(`[${'#'.repeat(15)}${'-'.repeat(23)}]  412/1000  3 failed  2.0/s  5 min left`);
  expect(progressLine(facts, 50)).toBe('412/1000  3 failed  2.0/s  5 min left');
  expect(progressLine(facts, 30)).toBe('412/1000  3 failed  2.0/s');
  expect(progressLine(facts, 9)).toBe('412/1000');
  for (let columns = 1; columns < 200; columns++) expect(progressLine(facts, columns).length).toBeLessThan(columns);
});

it('the line has no end without a total, no rate before the first result, and a full bar at the end', () => {
  expect(progressLine({ ...facts, total: undefined }, 80)).toBe('412 done  3 failed  2.0/s');
  expect(progressLine({ ...facts, inThisRun: 0, ended: 0 }, 40)).toBe(`[${'-'.repeat(19)}]  0/1000  3 failed`);
  expect(progressLine({ ...facts, ended: 1000 }, 60)).toMatch(/^\[#+\] {2}1000\/1000/);
  expect([0.2, 89, 600, 7200, 3 * 86_400].map(duration)).toEqual(['1 s', '89 s', '10 min', '2 h', '3 days']);
});

const failed = (error: string): ResultRow => ({
  line: 7,
  status: 'failed',
  error: { error, code: 'target_unreachable' },
  ms: 1,
});
const done: ResultRow = { line: 8, status: 'done', file: 'a.png', type: 'image/png', bytes: 1, warnings: [], ms: 5 };

it('a terminal shows failures above the bar; a page cannot control the terminal; colors are optional', () => {
  for (const colors of [true, false]) {
    const written: string[] = [];
    const redraw = (line: string) => void written.push(`\r${line}`);
    const terminal = { columns: () => 40, colors: () => colors, showsOutput: true, redraw };
    const note = (line: string) => void written.push(`${line}\n`);
    const progress = createProgress({ terminal, note } as CommandIo, 2);
    progress.ended(failed('no \x1b[2Jsuch\x9b31m\nname'));
    progress.ended(done);
    progress.stop();
    const screen = written.join('');
    expect(screen).toContain('\rline 7 failed: target_unreachable: no  [2Jsuch 31m name\n');
    expect(screen.includes('\x1b[31m1 failed\x1b[39m')).toBe(colors);
    if (!colors) expect(screen).not.toContain('\x1b');
    expect(screen).toMatch(/2\/2.*\n$/);
  }
});

it('a pipe gets one line for each request', () => {
  const lines: string[] = [];
  const progress = createProgress({ print: (line: string) => void lines.push(line) } as CommandIo, undefined);
  progress.ended({ ...done, verdict: { ok: false, codes: ['blank', 'cut'] } });
  progress.wasDone();
  progress.ended(failed('gone'));
  progress.stop();
  expect(lines).toEqual(['line 8: a.png, 5 ms, verdict blank, cut', 'line 7 failed: target_unreachable: gone']);
  expect(progress.counts).toEqual({ done: 1, doneBefore: 1, failed: 1, doubtful: 1 });
});
