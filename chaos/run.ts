// `npm run chaos`: injects faults and prints a table of what each guarantee measured. It takes minutes and is not part of
// `npm test`. Names select guarantees; `--quick` takes a tenth of the time; `SOAK=10000` renders longer.
// `--all` measures all of them on one commit for docs/guarantees.md: after an hour it begins no further one, and called again
// on the same commit it continues with those that are missing.
import { table } from '../bench/measure.ts';
import { guarantees } from './all.ts';
import type { Row } from './guarantee.ts';
import { measuredCommit, readResults, saveResult } from './results.ts';

const boundMs = Number(process.env.CHAOS_MINUTES ?? 60) * 60_000;
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = names.filter((name) => !(name in guarantees));
if (unknown.length > 0) {
  console.error(
    `There is no guarantee called ${unknown.join(', ')}. Guarantees: ${Object.keys(guarantees).join(', ')}.`,
  );
  process.exit(2);
}
const isQuick = process.argv.includes('--quick');
const isSaved = process.argv.includes('--all');
if (isSaved && isQuick) {
  console.error('--all measures the guarantees as they are promised, so it does not go with --quick.');
  process.exit(2);
}

const commit = measuredCommit();
const before = isSaved ? readResults(process.arch) : {};
const isMeasured = (name: string) => before[name]?.commit === commit && !commit.endsWith('-dirty');
const started = performance.now();
const rows: Row[] = [];
const left: string[] = [];
for (const [name, { keep }] of Object.entries(guarantees)) {
  if (names.length > 0 && !names.includes(name)) continue;
  if (isMeasured(name)) {
    console.log(`  ${name}: measured on this commit already`);
    rows.push(...(before[name]?.rows ?? []));
    continue;
  }
  if (performance.now() - started > boundMs) {
    left.push(name);
    continue;
  }
  const began = performance.now();
  console.log(`… ${name}`);
  const kept = await keep({ scale: isQuick ? 0.1 : 1 });
  console.log(`  ${((performance.now() - began) / 1000).toFixed(0)} s`);
  rows.push(...kept);
  if (isSaved) saveResult(process.arch, name, { commit, date: new Date().toISOString().slice(0, 10), rows: kept });
}
console.log(
  table(
    'Guarantees under load and faults',
    ['guarantee', 'measured', 'goal', 'kept'],
    rows.map(({ guarantee, figure, goal, kept }) => [guarantee, figure, goal, kept ? 'yes' : 'NO']),
  ),
);
console.log(`${((performance.now() - started) / 60_000).toFixed(1)} minutes`);
if (left.length > 0) console.log(`Not measured yet: ${left.join(', ')}. Run the same command again to continue.`);
if (isSaved) console.log('Saved in chaos/results. `npm run docs` writes docs/guarantees.md.');
process.exit(rows.every(({ kept }) => kept) ? 0 : 1);
