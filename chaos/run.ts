// `npm run chaos`: injects faults and prints a table, one row for each guarantee. It takes minutes and is not part of `npm test`.
// `npm run chaos -- --quick` takes a tenth of the time; `SOAK=10000` renders longer; names select guarantees.
import { table } from '../bench/measure.ts';
import type { PromiseOf, Row } from './promise.ts';
import { blockedByInput } from './promises/blocked-by-input.ts';
import { blockedByPages } from './promises/blocked-by-pages.ts';
import { browserKills } from './promises/browser-kills.ts';
import { fairness } from './promises/fairness.ts';
import { hostilePagesAndFaults } from './promises/hostile-pages.ts';
import { jobsInACluster, jobsOnOneProcess } from './promises/jobs.ts';
import { memory } from './promises/memory.ts';
import { oneRender } from './promises/one-render.ts';
import { overload } from './promises/overload.ts';
import { storage } from './promises/storage.ts';
import { targetDown } from './promises/target-down.ts';
import { waitingPages, waitingPagesInACluster } from './promises/waiting-pages.ts';

const promises: Record<string, PromiseOf> = {
  'one-render': oneRender,
  storage,
  'blocked-by-input': blockedByInput,
  'browser-kills': browserKills,
  'hostile-pages': hostilePagesAndFaults,
  'blocked-by-pages': blockedByPages,
  overload,
  fairness,
  'target-down': targetDown,
  'waiting-pages': waitingPages,
  'waiting-pages-in-a-cluster': waitingPagesInACluster,
  jobs: jobsOnOneProcess,
  'jobs-in-a-cluster': jobsInACluster,
  memory,
};

const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = names.filter((name) => !(name in promises));
if (unknown.length > 0) {
  console.error(`There is no guarantee called ${unknown.join(', ')}. Guarantees: ${Object.keys(promises).join(', ')}.`);
  process.exit(2);
}
const scale = process.argv.includes('--quick') ? 0.1 : 1;
const rows: Row[] = [];
for (const [name, keep] of Object.entries(promises)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`… ${name}`);
  rows.push(...(await keep({ scale })));
}
console.log(
  table(
    'Guarantees under load and faults',
    ['guarantee', 'measured', 'goal', 'kept'],
    rows.map(({ promise, figure, goal, kept }) => [promise, figure, goal, kept ? 'yes' : 'NO']),
  ),
);
process.exit(rows.every(({ kept }) => kept) ? 0 : 1);
