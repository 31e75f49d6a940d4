// What every benchmark does alike: sides that take turns in one run, so that a noisy machine is noisy for all of them,
// and a table of ratios. Absolute times on a shared machine mean nothing.

export type Side = { readonly name: string; readonly once: () => Promise<unknown> };
export type Timings = { readonly name: string; readonly ms: readonly number[] };

/** Runs every side once a round, in an order that turns with the round. */
export async function interleave(sides: readonly Side[], rounds: number, warmup = 3): Promise<Timings[]> {
  const times = new Map(sides.map(({ name }) => [name, [] as number[]]));
  for (let round = -warmup; round < rounds; round++)
    for (let turn = 0; turn < sides.length; turn++) {
      const side = sides[(turn + Math.abs(round)) % sides.length];
      if (side === undefined) continue;
      const started = performance.now();
      await side.once();
      if (round >= 0) times.get(side.name)?.push(performance.now() - started);
    }
  return sides.map(({ name }) => ({ name, ms: times.get(name) ?? [] }));
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** p50 and p95 of each side, and its p50 as a multiple of the floor's (the first side). */
export function ratioTable(title: string, timings: readonly Timings[]): string {
  const floor = quantile(timings[0]?.ms ?? [], 0.5);
  const rows = timings.map(({ name, ms }) => [
    name,
    quantile(ms, 0.5).toFixed(1),
    quantile(ms, 0.95).toFixed(1),
    (quantile(ms, 0.5) / floor).toFixed(2),
  ]);
  return table(title, ['side', 'p50 ms', 'p95 ms', '× the first'], rows);
}

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
