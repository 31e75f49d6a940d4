// `npm run chaos`: injects faults and prints a table, one row for each guarantee. It takes minutes and is not part of `npm test`.
// `npm run chaos -- --quick` takes a tenth of the time; `SOAK=10000` renders longer; names select guarantees.
import { table } from '../bench/measure.ts';
import type { Guarantee, Row } from './guarantee.ts';
import { blockedByInput } from './guarantees/blocked-by-input.ts';
import { blockedByPages } from './guarantees/blocked-by-pages.ts';
import { browserKills } from './guarantees/browser-kills.ts';
import { fairness } from './guarantees/fairness.ts';
import { hostileNeighbour, hostileNeighbourInACluster } from './guarantees/hostile-neighbour.ts';
import { hostilePagesAndFaults } from './guarantees/hostile-pages.ts';
import { jobsInACluster, jobsOnOneProcess } from './guarantees/jobs.ts';
import { memory } from './guarantees/memory.ts';
import { oneRender } from './guarantees/one-render.ts';
import { overload } from './guarantees/overload.ts';
import { storage } from './guarantees/storage.ts';
import { targetDown } from './guarantees/target-down.ts';
import { waitingPages, waitingPagesInACluster } from './guarantees/waiting-pages.ts';

const guarantees: Record<string, Guarantee> = {
  'one-render': oneRender,
  storage,
  'blocked-by-input': blockedByInput,
  'browser-kills': browserKills,
  'hostile-pages': hostilePagesAndFaults,
  'hostile-neighbour': hostileNeighbour,
  'hostile-neighbour-in-a-cluster': hostileNeighbourInACluster,
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
const unknown = names.filter((name) => !(name in guarantees));
if (unknown.length > 0) {
  console.error(
    `There is no guarantee called ${unknown.join(', ')}. Guarantees: ${Object.keys(guarantees).join(', ')}.`,
  );
  process.exit(2);
}
const scale = process.argv.includes('--quick') ? 0.1 : 1;
const rows: Row[] = [];
for (const [name, keep] of Object.entries(guarantees)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`… ${name}`);
  rows.push(...(await keep({ scale })));
}
console.log(
  table(
    'Guarantees under load and faults',
    ['guarantee', 'measured', 'goal', 'kept'],
    rows.map(({ guarantee, figure, goal, kept }) => [guarantee, figure, goal, kept ? 'yes' : 'NO']),
  ),
);
process.exit(rows.every(({ kept }) => kept) ? 0 : 1);
