// Pages that never answer cost memory, not processors: a Business caller's page and card, alone and beside sixteen such
// pages of two small accounts. Alone and beside take turns, so that what else the machine does meets both.
import { quantile } from '../../bench/measure.ts';
import { sleep } from '../../src/kernel/deadline.ts';
import { type Guarantee, type Row, row } from '../guarantee.ts';
import { keepBusy, type Service, startClusterService, startService } from '../service.ts';

const rounds = 3;
const at8 = { rendersPerMinute: 1e6, rendersAtOnce: 8 };
const limits = { free: at8, starter: at8, business: { rendersPerMinute: 1e6 } };

const settings = { RENDERS_AT_ONCE: '3', PLAN_LIMITS: JSON.stringify(limits) };
export const waitingPages: Guarantee = ({ scale }) => compareOn(() => startService(settings), scale);
export const waitingPagesInACluster: Guarantee = ({ scale }) => compareOn(() => startClusterService(settings), scale);

async function compareOn(open: () => Promise<Service>, scale: number): Promise<Row[]> {
  const service = await open();
  const [free, starter, business] = [
    await service.newKey('free'),
    await service.newKey('starter'),
    await service.newKey('business'),
  ];
  const alone = { page: [] as number[], card: [] as number[] };
  const beside = { page: [] as number[], card: [] as number[] };
  const most: number[] = [];
  await measure(service, business, 2000, { page: [], card: [] });
  for (let round = 0; round < rounds; round++) {
    await measure(service, business, 20_000 * scale, alone);
    const hanging = hang(service, [free, starter]);
    most.push(await pagesRunning(service, (running) => running >= 16));
    await measure(service, business, 20_000 * scale, beside);
    hanging.abort();
    await pagesRunning(service, (running) => running === 0);
  }
  await service.close();
  return [compare('page', alone.page, beside.page, most), compare('card', alone.card, beside.card, most)];
}

function compare(what: string, alone: readonly number[], beside: readonly number[], most: readonly number[]) {
  const [idle, busy] = [quantile(alone, 0.95), quantile(beside, 0.95)];
  return row(
    `a Business caller's ${what} beside ${Math.min(...most)} pages that never answer, p95`,
    `${(busy / idle).toFixed(2)} × its idle ${idle.toFixed(0)} ms (${beside.length} against ${alone.length})`,
    '≤ 2 ×',
    busy <= 2 * idle,
  );
}

/** Sixteen requests that stay: eight each. */
function hang(service: Service, keys: readonly string[]): AbortController {
  const gone = new AbortController();
  for (let i = 0; i < 16; i++)
    void service.shot(keys[i % 2] ?? '', '/never', `&timeout=60000&fresh=true&width=${400 + i}`, gone.signal);
  return gone;
}

/** How many pages are under way, as soon as that is what we wait for; or after ten seconds, whatever it is. */
async function pagesRunning(service: Service, isIt: (running: number) => boolean): Promise<number> {
  for (let tries = 0; ; tries++) {
    const running = await service.metric('tintype_pages_running');
    if (isIt(running) || tries === 100) return running;
    await sleep(100);
  }
}

let turn = 0;
async function measure(service: Service, key: string, ms: number, times: { page: number[]; card: number[] }) {
  await keepBusy(1, ms, async () => {
    const page = await service.shot(key, '/', `&fresh=true&width=${400 + (++turn % 3000)}`);
    times.page.push(page.status === 200 ? page.ms : Number.POSITIVE_INFINITY);
    const card = await service.card(key, `card ${turn}`);
    times.card.push(card.status === 200 ? card.ms : Number.POSITIVE_INFINITY);
  });
}
