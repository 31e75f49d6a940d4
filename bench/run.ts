// Every benchmark, one after the other: `npm run bench -- [--short [--save]] [capture hit …]`. Each also runs alone, as
// `npm run bench:<name>`. At the end, every figure stands beside its goal and beside the last committed result of this
// architecture. `--short` takes less than 10 minutes on a machine that does nothing else: fewer rounds. `--save` writes all
// figures to bench/results, from which docs/performance.md is made, and for the next run to be compared with.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chosenOf } from './measure.ts';
import { type Figures, readReport } from './report.ts';
import { summary } from './summary.ts';

type Part = { readonly name: string; readonly args?: string; readonly env?: Record<string, number> };

const all: readonly Part[] = [
  { name: 'capture', args: 'ordinary plain' },
  { name: 'network' },
  { name: 'batch' },
  { name: 'hit' },
  { name: 'og' },
  { name: 'cold-start' },
  { name: 'cluster' },
];

/** Rounds enough for an error of some 5 to 10 %. */
const shorter: Record<string, Record<string, number>> = {
  capture: {},
  network: { ROUNDS: 1, SECONDS: 12 },
  batch: { ROUNDS: 1, SECONDS: 15 },
  hit: { ROUNDS: 3, SECONDS: 3 },
  og: { ROUNDS: 40, WARM_UP: 120 },
  'cold-start': { ROUNDS: 3 },
  cluster: { ROUNDS: 40 },
};
const short = all.map((part) => ({ ...part, env: shorter[part.name] ?? {} }));

const isShort = process.argv.includes('--short');
const isSaved = process.argv.includes('--save');
const parts = isShort ? short : all;
const wanted = chosenOf([...new Set(parts.map(({ name }) => name))]);
const chosen = parts.filter(({ name }) => wanted.includes(name));
if (isSaved && chosen.length < parts.length) throw new Error('--save is for all benchmarks together.');

const results = join(import.meta.dirname, 'results', `${process.arch}.json`);
const last: { commit: string; figures: Figures } | undefined = existsSync(results)
  ? JSON.parse(readFileSync(results, 'utf8'))
  : undefined;
const [load = 0] = loadavg();
const folder = await mkdtemp(join(tmpdir(), 'tintype-bench-'));
const report = join(folder, 'figures');
await writeFile(report, '');
const started = performance.now();
const failed: string[] = [];
for (const part of chosen) {
  const began = performance.now();
  console.log(`\n# ${part.name} ${part.args ?? ''}`);
  if ((await run(part)) !== 0) failed.push(part.name);
  console.log(`(${seconds(began)})`);
}
const figures = readReport(report);
await rm(folder, { recursive: true, force: true });

console.log(summary(figures, last?.figures));
console.log(
  last === undefined
    ? `\nThere is no result for ${process.arch} yet: npm run bench -- --save`
    : `\nThe last result is that of commit ${last.commit}.`,
);
console.log(`${seconds(started)}; the load average was ${load.toFixed(1)} at the start.`);
if (load > 1) console.log('Something else was running: figures by the clock say little, and should not be saved.');
if (failed.length > 0) {
  console.log(`Failed: ${failed.join(', ')}.${isSaved ? ' Nothing is saved.' : ''}`);
  process.exitCode = 1;
} else if (isSaved) save(figures);

function run({ name, args, env = {} }: Part): Promise<number | null> {
  const settings = Object.entries(env).map(([key, value]) => [`BENCH_${key}`, String(value)]);
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...(args?.split(' ') ?? [])], {
    env: { ...process.env, ...Object.fromEntries(settings), BENCH_REPORT: report },
    stdio: 'inherit',
  });
  return new Promise((done) => child.on('exit', (code) => done(code)));
}

function save(measured: Figures): void {
  const round = (value: number) => Number(value.toPrecision(3));
  const rounded = Object.entries(measured).map(([name, { value, sides = {} }]) => {
    const ofSides = Object.entries(sides).map(([side, one]) => [side, round(one)]);
    return [name, { value: round(value), ...(ofSides.length > 0 && { sides: Object.fromEntries(ofSides) }) }];
  });
  const content = {
    commit: execFileSync('git', ['describe', '--always', '--dirty'], { cwd: import.meta.dirname })
      .toString()
      .trim(),
    date: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    loadAverage: Number(load.toFixed(1)),
    figures: Object.fromEntries(rounded),
  };
  writeFileSync(results, `${JSON.stringify(content, null, 2)}\n`);
  console.log(`Saved in bench/results/${process.arch}.json.`);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(0)} s`;
}
