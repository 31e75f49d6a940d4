// How a benchmark hands its figures to bench/run.ts: as lines of the file that BENCH_REPORT names. Run alone, it reports to nobody.
import { appendFileSync, readFileSync } from 'node:fs';
import type { FigureName } from './goals.ts';

/** What was measured, and what it was made of: the values of each side. */
export type Figure = { readonly value: number; readonly sides?: Readonly<Record<string, number>> };
export type Figures = Partial<Record<FigureName, Figure>>;

export function report(name: FigureName, value: number, sides?: Readonly<Record<string, number>>): void {
  const file = process.env.BENCH_REPORT;
  if (file === undefined) return;
  if (!Number.isFinite(value)) throw new Error(`${name} could not be measured.`);
  appendFileSync(file, `${JSON.stringify([name, { value, sides }])}\n`);
}

export function readReport(file: string): Figures {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return Object.fromEntries(lines.map((line) => JSON.parse(line)));
}
