// Ten times more than the machine can do: the surplus is refused at once, the work goes on at full speed, hits do not wait.
// The clients would be on other machines. Here they are on this one: so that they do not time their own wait for a
// processor they come before everything else, and what they take of it is not counted as the server's to use.
import { availableParallelism, setPriority } from 'node:os';
import { quantile } from '../../bench/measure.ts';
import { sleep } from '../../src/kernel/deadline.ts';
import { type Guarantee, row } from '../guarantee.ts';
import { type Answer, keepBusy, startService } from '../service.ts';

export const overload: Guarantee = async ({ scale }) => {
  const service = await startService({ QUEUE_MAX: '8' });
  const [key, other] = [await service.newKey(), await service.newKey()];
  const length = 60_000 * scale;
  const render = (turn: number) => service.shot(key, '/', `&fresh=true&width=${400 + (turn % 2000)}`);

  comeFirst();

  // Capacity first: as many clients as slots, none refused.
  const calm: Answer[] = [];
  const leftInCalm = await processorsLeft(() =>
    keepBusy(3, length, async (turn) => void calm.push(await render(turn))),
  );
  const capacity = pictures(calm);

  await service.shot(other, '/', '&width=222');
  const flood: Answer[] = [];
  const hits: Answer[] = [];
  const leftInFlood = await processorsLeft(() =>
    Promise.all([
      keepBusy(30, length, async (turn) => {
        const answer = await render(turn);
        flood.push(answer);
        // Who is told to come back waits a little, and not all of them as long; without that this measures the client.
        if (answer.status === 503) await sleep(100 + 200 * Math.random());
      }),
      keepBusy(1, length, async () => {
        hits.push(await service.shot(other, '/', '&width=222'));
        await sleep(20);
      }),
    ]),
  );
  await service.close();
  const refused = flood.filter(({ status }) => status === 503).map(({ ms }) => ms);
  const plain = pictures(flood) / capacity;
  const goodput = plain * (leftInCalm / leftInFlood);
  const strange = flood.filter(({ status }) => status !== 200 && status !== 503).length;
  return [
    row(
      'refusals at 10× overload, p99',
      `${quantile(refused, 0.99).toFixed(0)} ms of ${refused.length}`,
      '≤ 50 ms',
      quantile(refused, 0.99) <= 50,
    ),
    row(
      'goodput at 10× overload',
      `${(100 * goodput).toFixed(0)} % of capacity (${(100 * plain).toFixed(0)} with what the clients take)`,
      '≥ 90 %',
      goodput >= 0.9,
    ),
    row('answers that are neither a picture nor 503', String(strange), '0', strange === 0),
    row(
      'hits meanwhile, p99',
      `${quantile(
        hits.map(({ ms }) => ms),
        0.99,
      ).toFixed(0)} ms of ${hits.length}`,
      '≤ 25 ms',
      quantile(
        hits.map(({ ms }) => ms),
        0.99,
      ) <= 25,
    ),
  ];
};

const pictures = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;

/** Root may; for others the clients wait their turn, and the figures are worse for it. */
function comeFirst(): void {
  try {
    setPriority(-10);
  } catch {
    console.log('  (as an ordinary user the clients wait for a processor like everything else)');
  }
}

/** How many processors this process left to others while it did that. */
async function processorsLeft(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  const started = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return availableParallelism() - (user + system) / 1000 / (performance.now() - started);
}
