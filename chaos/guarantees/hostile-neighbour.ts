// An account with pages that harm their browser must not slow or fail another account's captures: an honest Pro caller's small
// captures alone, and beside each kind of page of a Free account with 4 clients and of a Business account with 32.
import { quantile } from '../../bench/measure.ts';
import { sleep } from '../../src/kernel/deadline.ts';
import type { PlanName } from '../../src/kernel/plans.ts';
import { type Guarantee, type Row, row } from '../guarantee.ts';
import { neighbourPages } from '../neighbour-pages.ts';
import { type Answer, keepBusy, type Service, startClusterService, startService } from '../service.ts';

const atAnyRate = { rendersPerMinute: 1e6 };
const settings = { PLAN_LIMITS: JSON.stringify({ free: atAnyRate, pro: atAnyRate, business: atAnyRate }) };
export const hostileNeighbour: Guarantee = ({ scale }) => compareOn(() => startService(settings), scale, '');
export const hostileNeighbourInACluster: Guarantee = ({ scale }) =>
  compareOn(() => startClusterService(settings), scale, ' in a cluster');

const attackers: readonly (readonly [PlanName, clients: number])[] = [
  ['free', 4],
  ['business', 32],
];
/** Alone and beside take turns, so that what else the machine does meets both. */
const rounds = 2;

async function compareOn(open: () => Promise<Service>, scale: number, where: string): Promise<Row[]> {
  const service = await open();
  const honest = await service.newKey('pro');
  const length = Math.max(4000, 20_000 * scale);
  await measure(service, honest, 3000);
  const rows: Row[] = [];
  for (const [name, { body, query }] of Object.entries(neighbourPages)) {
    const path = `/neighbour-${rows.length}`;
    service.site.set(path, body);
    for (const [plan, clients] of attackers) {
      const alone: Answer[] = [];
      const beside: Answer[] = [];
      const key = await service.newKey(plan);
      for (let round = 0; round < rounds; round++) {
        alone.push(...(await measure(service, honest, length / 2)));
        const attack = await beginAttack(service, key, clients, path, query);
        beside.push(...(await measure(service, honest, length)));
        await attack.end();
      }
      rows.push(compare(`${name}, ${clients} clients of a ${plan} account${where}`, alone, beside));
    }
  }
  await service.close();
  return rows;
}

function compare(neighbour: string, alone: readonly Answer[], beside: readonly Answer[]): Row {
  const failed = beside.filter(({ status }) => status !== 200);
  const [idle, busy] = [quantile(times(alone), 0.95), quantile(times(beside), 0.95)];
  const bound = 2 * idle + 300;
  return row(
    `an honest Pro's captures beside ${neighbour}`,
    `${beside.length - failed.length} of ${beside.length}${describe(failed)}, p95 ${busy.toFixed(0)} ms (alone ${idle.toFixed(0)})`,
    `all, p95 ≤ ${bound.toFixed(0)} ms`,
    failed.length === 0 && busy <= bound,
  );
}

const times = (answers: readonly Answer[]) => answers.map(({ ms }) => ms);
const describe = (failed: readonly Answer[]) =>
  failed.length === 0 ? '' : ` (${[...new Set(failed.map(({ status, code }) => `${status} ${code}`))].join(', ')})`;

/** The clients ask until the end; then it waits until nothing of theirs is rendered any more. */
async function beginAttack(service: Service, key: string, clients: number, path: string, query: string) {
  const gone = new AbortController();
  let asked = 0;
  const asking = Array.from({ length: clients }, async () => {
    while (!gone.signal.aborted) {
      const { status } = await service.shot(key, `${path}?n=${asked++}`, `${query}&fresh=true`, gone.signal);
      if (status === 503) await sleep(200);
    }
  });
  await sleep(1000);
  return {
    async end() {
      gone.abort();
      await Promise.all(asking);
      for (let tries = 0; tries < 100 && (await service.metric('tintype_pages_running')) > 0; tries++) await sleep(100);
    },
  };
}

let turn = 0;
async function measure(service: Service, key: string, ms: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  await keepBusy(1, ms, async () => {
    answers.push(await service.shot(key, '/', `&fresh=true&width=${400 + (++turn % 3000)}`));
  });
  return answers;
}
