// Pages that never answer cost memory, not processors: a Business caller's page and card, alone and beside sixteen such
// pages of two small accounts. Alone and beside take turns, so that what else the machine does meets both.
import { quantile } from '../../bench/measure.ts';
import { sleep } from '../../src/kernel/deadline.ts';
import { type PromiseOf, type Row, row } from '../promise.ts';
import { keepBusy, openClusterStage, openStage, type Stage } from '../stage.ts';

const rounds = 3;
const at8 = { rendersPerMinute: 1e6, rendersAtOnce: 8 };
const limits = { free: at8, starter: at8, business: { rendersPerMinute: 1e6 } };

const settings = { RENDERS_AT_ONCE: '3', PLAN_LIMITS: JSON.stringify(limits) };
export const waitingPages: PromiseOf = ({ scale }) => compareOn(() => openStage(settings), scale);
export const waitingPagesInACluster: PromiseOf = ({ scale }) => compareOn(() => openClusterStage(settings), scale);

async function compareOn(open: () => Promise<Stage>, scale: number): Promise<Row[]> {
  const stage = await open();
  const [free, starter, business] = [
    await stage.newKey('free'),
    await stage.newKey('starter'),
    await stage.newKey('business'),
  ];
  const alone = { page: [] as number[], card: [] as number[] };
  const beside = { page: [] as number[], card: [] as number[] };
  const most: number[] = [];
  await measure(stage, business, 2000, { page: [], card: [] });
  for (let round = 0; round < rounds; round++) {
    await measure(stage, business, 20_000 * scale, alone);
    const hanging = hang(stage, [free, starter]);
    most.push(await pagesRunning(stage, (running) => running >= 16));
    await measure(stage, business, 20_000 * scale, beside);
    hanging.abort();
    await pagesRunning(stage, (running) => running === 0);
  }
  await stage.close();
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
function hang(stage: Stage, keys: readonly string[]): AbortController {
  const gone = new AbortController();
  for (let i = 0; i < 16; i++)
    void stage.shot(keys[i % 2] ?? '', '/never', `&timeout=60000&fresh=true&width=${400 + i}`, gone.signal);
  return gone;
}

/** How many pages are under way, as soon as that is what we wait for; or after ten seconds, whatever it is. */
async function pagesRunning(stage: Stage, isIt: (running: number) => boolean): Promise<number> {
  for (let tries = 0; ; tries++) {
    const running = await stage.metric('tintype_pages_running');
    if (isIt(running) || tries === 100) return running;
    await sleep(100);
  }
}

let turn = 0;
async function measure(stage: Stage, key: string, ms: number, times: { page: number[]; card: number[] }) {
  await keepBusy(1, ms, async () => {
    const page = await stage.shot(key, '/', `&fresh=true&width=${400 + (++turn % 3000)}`);
    times.page.push(page.status === 200 ? page.ms : Number.POSITIVE_INFINITY);
    const card = await stage.card(key, `card ${turn}`);
    times.card.push(card.status === 200 ? card.ms : Number.POSITIVE_INFINITY);
  });
}
