// What every benchmark does alike: sides that take turns in one run, so that a noisy machine is noisy for all of them,
// and a table of ratios. Absolute times on a shared machine mean nothing.
import { loadavg } from 'node:os';
import { sleep } from '../src/kernel/deadline.ts';

export type Side = { readonly name: string; readonly once: () => Promise<unknown> };
export type Timings = { readonly name: string; readonly ms: readonly number[] };

/**
 * Runs every side once a round, in a new order each time: what a side leaves behind must not always meet the same
 * one. `restMs` lets it clear up (a context thrown away, the next one made) before the next one is timed.
 */
export async function interleave(
  sides: readonly Side[],
  rounds: number,
  { warmup = 3, restMs = 0 }: { warmup?: number; restMs?: number } = {},
): Promise<Timings[]> {
  const times = new Map(sides.map(({ name }) => [name, [] as number[]]));
  for (let round = -warmup; round < rounds; round++)
    for (const side of shuffled(sides)) {
      const started = performance.now();
      await side.once();
      if (round >= 0) times.get(side.name)?.push(performance.now() - started);
      // Of uneven length: browsers draw 60 times a second, and a side must not always come at the same point between two frames.
      if (restMs > 0) await sleep(restMs + Math.random() * 50);
    }
  return sides.map(({ name }) => ({ name, ms: times.get(name) ?? [] }));
}

/** Those of the names that the command line asks for; all, if it asks for none. */
export function chosenOf<Name extends string>(names: readonly Name[]): readonly Name[] {
  const some = names.filter((name) => process.argv.includes(name));
  return some.length > 0 ? some : names;
}

export function shuffled<T>(values: readonly T[]): T[] {
  const copy = [...values];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
  }
  return copy;
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function table(title: string, head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const [first = [], ...rest] = all;
  return [
    `\n${title}`,
    line(first),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...rest.map(line),
  ].join('\n');
}

/** How busy the machine was: printed beside the figures, which say little on a loaded one. */
export const loadNote = (): string => `load average ${loadavg()[0]?.toFixed(1)}`;

/** A number from the environment, so that a first try can be short: BENCH_ROUNDS=3 npm run bench:capture. */
export const setting = (name: string, usual: number): number => Number(process.env[`BENCH_${name}`] ?? usual);
