// A browser is killed every six seconds under load: who notices, and how soon the next render works.
import { quantile } from '../../bench/measure.ts';
import { sleep } from '../../src/kernel/deadline.ts';
import { type Guarantee, percent, row } from '../guarantee.ts';
import { browsersOf, signal } from '../processes.ts';
import { keepBusy, startService } from '../service.ts';

export const browserKills: Guarantee = async ({ scale }) => {
  const service = await startService();
  const key = await service.newKey();
  const answers: { status: number; code: string }[] = [];
  const recoveries: number[] = [];
  let over = false;
  const killing = (async () => {
    while (!over) {
      await sleep(6000);
      const victims = browsersOf(service.server.pid);
      if (over || victims.length === 0) continue;
      // The one that serves is the oldest; killing all of them would be another promise.
      const [victim] = victims.sort((a, b) => a.pid - b.pid);
      signal(victim?.pid ?? 0, 'SIGKILL');
      const { status, ms } = await service.shot(key, '/', `&fresh=true&width=${300 + recoveries.length}`);
      recoveries.push(status === 200 ? ms : Number.POSITIVE_INFINITY);
    }
  })();
  await keepBusy(3, 120_000 * scale, async (turn) => {
    answers.push(await service.shot(key, '/', `&fresh=true&width=${400 + (turn % 800)}`));
  });
  over = true;
  await killing;
  await service.close();
  const good = answers.filter(({ status }) => status === 200).length;
  const slowest = Math.max(0, ...recoveries);
  return [
    row(
      'success while a browser is killed every 6 s',
      `${percent(good, answers.length)} of ${answers.length}`,
      '≥ 99.9 %',
      good / answers.length >= 0.999,
    ),
    row(
      'next render after a kill, slowest (median)',
      `${slowest.toFixed(0)} ms (${quantile(recoveries, 0.5).toFixed(0)})`,
      '≤ 3000 ms',
      slowest <= 3000,
    ),
  ];
};
