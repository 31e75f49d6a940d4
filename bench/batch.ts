// A batch of screenshots: its rate on an idle machine and beside one request a second, as shares of the rate of 24 callers
// who wait; and what the batch does to that request. `npm run bench:batch`
import { sleep } from '../src/kernel/deadline.ts';
import { type Account, inLanes, send } from './job-client.ts';
import { loadNote, median, quantile, setting, table } from './measure.ts';
import { report } from './report.ts';
import { startTintype } from './sides.ts';

const seconds = setting('SECONDS', 20);
const rounds = setting('ROUNDS', 2);

const server = await startTintype();
const account: Account = { url: server.url, key: server.key };
let serial = 0;
/** A page with a script, as most are. */
const page = () => ({
  html: `<h1>Page ${++serial}</h1><p>${'Some words. '.repeat(300)}<script>document.title = 'Page'</script>`,
  width: 800,
});
const capture = () => send(account, 200, 'POST', '/v1/screenshot', page());

async function callersRate(): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      while (performance.now() < end) {
        await capture();
        count++;
      }
    }),
  );
  return count / seconds;
}

/** The rate of a batch that lasts longer than it is watched, and then is cancelled. */
async function batchRate(beside: () => Promise<unknown>): Promise<number> {
  const requests = Array.from({ length: 500 }, () => ({ kind: 'screenshot', request: page() }));
  const { id } = JSON.parse(await send(account, 202, 'POST', '/v1/batches', { requests })) as { id: string };
  const done = async () =>
    (JSON.parse(await send(account, 200, 'GET', `/v1/batches/${id}`)) as { counts: { done: number } }).counts.done;
  // It is under way.
  await sleep(2000);
  const [before, started] = [await done(), performance.now()];
  await Promise.all([beside(), sleep(seconds * 1000)]);
  const rate = ((await done()) - before) / ((performance.now() - started) / 1000);
  await send(account, 200, 'DELETE', `/v1/batches/${id}`);
  await sleep(2000);
  return rate;
}

async function oneASecond(times: number[]): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    const started = performance.now();
    await capture();
    times.push(performance.now() - started);
    await sleep(Math.max(0, 1000 - (performance.now() - started)));
  }
}

try {
  await inLanes(2, 20, capture);
  const rates = { callers: [] as number[], idle: [] as number[], beside: [] as number[] };
  const times = { idle: [] as number[], beside: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    rates.callers.push(await callersRate());
    await oneASecond(times.idle);
    rates.idle.push(await batchRate(async () => {}));
    rates.beside.push(await batchRate(() => oneASecond(times.beside)));
  }
  const callers = median(rates.callers);
  const p95 = { idle: quantile(times.idle, 0.95), beside: quantile(times.beside, 0.95) };
  const share = (some: readonly number[]) => median(some) / callers;
  const rows = [
    ['24 callers who wait', callers.toFixed(2), '1.00', ''],
    ['a batch alone', median(rates.idle).toFixed(2), share(rates.idle).toFixed(2), ''],
    ['a batch beside one request a second', median(rates.beside).toFixed(2), share(rates.beside).toFixed(2), ''],
    ['that request on an idle machine', '', '', p95.idle.toFixed(0)],
    ['that request beside the batch', '', '', p95.beside.toFixed(0)],
  ];
  const head = ['', 'captures/s', '× callers', 'p95 ms'];
  console.log(table(`A batch of screenshots (${rounds} × ${seconds} s, ${loadNote()})`, head, rows));
  report('batch.idle', share(rates.idle));
  report('batch.beside', share(rates.beside));
  report('batch.caller', p95.beside / (2 * p95.idle + 50), { idle: p95.idle, 'beside a batch': p95.beside });
} finally {
  await server.close();
}
