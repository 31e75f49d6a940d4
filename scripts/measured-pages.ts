// docs/performance.md and docs/guarantees.md, from the results of the benchmarks (bench/results) and of `npm run chaos` (chaos/results).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FigureName, type Goal, goals, isMet } from '../bench/goals.ts';
import { ordinaryPages } from '../bench/ordinary.ts';
import type { Figure, Figures } from '../bench/report.ts';
import { guarantees } from '../chaos/all.ts';
import { readResults } from '../chaos/results.ts';

type Table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) => string;
type Run = { commit: string; date: string; cores: number; loadAverage: number; figures: Figures };

const archs = ['x64', 'arm64'] as const;
const runOf = (arch: string): Run | undefined => {
  const file = join(import.meta.dirname, `../bench/results/${arch}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
};

const digits = (value: number): string =>
  Math.abs(value) < 100 ? String(Number(value.toPrecision(3))) : value.toFixed(0);
const goalText = ({ direction, value, unit }: Goal) => `${direction === 'at most' ? '≤' : '≥'} ${value} ${unit}`;
const outcome = (goal: Goal, { value }: Figure) => (isMet(goal, value) ? 'met' : '**missed**');
const sidesOf = ({ sides = {} }: Figure) =>
  Object.entries(sides)
    .map(([side, value]) => `${side} ${digits(value)}`)
    .join(', ');

const shots = ['view', 'full', 'pdf'] as const;

/** One row a page: the ratio to playwright-core and what it is made of, for each kind of picture. */
function captureTable(run: Run, table: Table): string {
  const pages: [string, string][] = [
    ...Object.entries(ordinaryPages).map(([name, { words }]): [string, string] => [name, words]),
    ['small', 'a small page without scripts'],
    ['heavy', 'a heavy page: 700 nodes, 40 pictures, two fonts'],
  ];
  const cell = (name: FigureName): string => {
    const figure = run.figures[name];
    if (figure === undefined) return 'not measured';
    const ms = Object.values(figure.sides ?? {}).map(digits);
    const missed = isMet(goals[name], figure.value) ? '' : ' **missed**';
    return `${ms.length > 0 ? `${ms.join(' / ')}: ` : ''}${digits(figure.value)} (${goalText(goals[name]).replace(' × playwright-core', '')})${missed}`;
  };
  const rows = pages.map(([name, words]) => [
    words,
    ...shots.map((shot) => cell(`capture.${name}.${shot}` as FigureName)),
  ]);
  return table(['page', 'viewport, png', 'full page, jpg', 'PDF'], rows);
}

function figureTable(run: Run, table: Table): string {
  const names = (Object.keys(goals) as FigureName[]).filter((name) => !name.startsWith('capture.'));
  const rows = names.map((name) => {
    const figure = run.figures[name];
    const { words, unit } = goals[name];
    if (figure === undefined) return [words, 'not measured', '', goalText(goals[name]), ''];
    return [
      words,
      `${digits(figure.value)} ${unit}`,
      sidesOf(figure),
      goalText(goals[name]),
      outcome(goals[name], figure),
    ];
  });
  return table(['', 'measured', 'made of', 'goal', ''], rows);
}

function performanceOf(arch: string, table: Table): string {
  const run = runOf(arch);
  if (run === undefined) return `## ${arch}\n\nNot measured.`;
  const all = Object.keys(goals) as FigureName[];
  const measured = all.filter((name) => run.figures[name] !== undefined);
  const met = measured.filter((name) => isMet(goals[name], run.figures[name]?.value ?? Number.NaN));
  const captures = measured.some((name) => name.startsWith('capture.'));
  return `## ${arch}

Commit \`${run.commit}\`, ${run.date}, ${run.cores} cores, load average ${run.loadAverage} at the start. ${met.length} of ${measured.length} measured goals are met; ${all.length - measured.length} figures are not measured yet.

${captures ? captureTable(run, table) : 'Captures beside playwright-core and Browserless: not measured yet.'}

${figureTable(run, table)}`;
}

export const performancePage = (madeFrom: string, table: Table): string => `# Performance

${madeFrom}

How long Tintype takes, beside the tools that people would use instead. All figures come from \`npm run bench -- --save\`; a goal that is missed says so.

* The sides take turns in one run, so that noise on the machine affects all of them. Absolute times belong to one machine at one moment; ratios say more. Expect an error of 5 to 10 % either way.
* The machines have 2 cores, which the clients, the server of the test pages and the other tools share with Tintype.
* Tintype is asked over HTTP, with a key and the cache passed by. playwright-core and Browserless load the page and take the picture, in a warm browser with a new context. They do not wait until a
  page is at rest and do not scroll, so some of their pictures lack what Tintype's show; only on the heavy page playwright-core scrolls, too.
* \`npm run bench:fidelity\` compares the pictures themselves: see [fidelity](fidelity.md).

${archs.map((arch) => performanceOf(arch, table)).join('\n\n')}

In the tables of captures: Tintype / playwright-core / Browserless in ms, and Tintype ÷ playwright-core with its goal.

## Run the benchmarks

    npm run bench                    # all of these, about half an hour
    npm run bench -- --short         # fewer rounds, about ten minutes; --save writes bench/results and is what this page is made from
    npm run bench:capture            # [--no-peers] [ordinary] [plain] [names of pages] [view full pdf]
    npm run bench:network            # pages behind a slow network, 24 callers
    npm run bench:batch              # a batch alone, and beside one request a second
    npm run bench:hit                # hits at 500 and 1,000 a second among a million entries, beside a bare server
    npm run bench:og                 # a card, beside @vercel/og
    npm run bench:cold-start
    npm run bench:cluster            # a render on another machine
    npm run bench:fidelity           # compares pictures, not time: see fidelity.md

\`BENCH_ROUNDS=5\` sets the rounds, \`BENCH_SECONDS=20\` the time of a table. \`npm run bench\` ends with every figure beside its goal ([bench/goals.ts](../bench/goals.ts)) and beside the last result of the
same architecture, and says what got worse by more than 10 %. The pages are in [bench/ordinary.ts](../bench/ordinary.ts) and [bench/pages.ts](../bench/pages.ts); other tools are installed from npm into a temporary folder.

## What limits it

* The browser draws 60 times a second, and a picture waits for two frames.
* On a page with scripts, most of the time is waiting until it is at rest: nothing in view loads or moves. Full pages and PDFs are scrolled through first.
* With both cores busy, processor time decides. More than half of a small page's is making the page's process and ending it.
* A PDF of a page with many shadows or cut-off images: each shadow is drawn as a mask with 300 dots an inch.
`;

function guaranteesOf(arch: string, table: Table): string {
  const results = readResults(arch);
  const rows = Object.entries(guarantees).flatMap(([name, { promise }]) => {
    const measured = results[name];
    if (measured === undefined || measured.rows.length === 0)
      return [[`${promise} (\`${name}\`)`, 'not measured', '', '', '']];
    return measured.rows.map(({ guarantee, figure, goal, kept }) => [
      guarantee,
      figure,
      goal,
      kept ? 'yes' : '**no**',
      `\`${measured.commit}\`, ${measured.date}`,
    ]);
  });
  return `### ${arch}\n\n${table(['', 'measured', 'goal', 'kept', 'commit'], rows)}`;
}

export const guaranteesPage = (madeFrom: string, table: Table): string => `# Guarantees and their tests

${madeFrom}

\`npm run chaos\` starts a server, loads it and injects faults; it prints what each guarantee measured. It is not part of \`npm test\`.

    npm run chaos -- --quick               # a tenth of the time, about ten minutes
    npm run chaos -- overload fairness     # only these guarantees
    npm run chaos -- --all                 # all, on one commit, for this page; at most an hour, then run it again to continue
    SOAK=10000 npm run chaos -- memory     # more renders in the memory test

${table(
  ['guarantee', 'name', 'test'],
  Object.entries(guarantees).map(([name, { promise, test }]) => [promise, `\`${name}\``, test]),
)}

## Results

2 cores; the clients and the server of the test pages run on the same two. A row says on which commit it was measured.

${archs.map((arch) => guaranteesOf(arch, table)).join('\n\n')}

The overload rows depend on the two cores. The clients' share of the processors is subtracted from the goodput and shown beside it. On a machine that is busy with other work a refusal waits
for the processor like everything else; the browsers run at a lower priority, so a refusal does not wait for them: nice 10 for the process and, where the kernel schedules by session
(\`sched_autogroup\`), for the session too. Without the latter, \`/healthz\` waits up to 1.3 s for a browser on two cores.

Faster versions of these tests run in \`npm test\` and \`npm run test:long\`: \`test/faults\` (stops, kills, storage), \`test/capture/fleet.test.ts\` (crashes, rotation, retries),
\`test/security\` (deadlines, outgoing connections in a network namespace with listeners on every forbidden address, a fuzz test of the HTTP surface),
\`src/render/*.test.ts\` (fairness, queue, single flight).
`;
