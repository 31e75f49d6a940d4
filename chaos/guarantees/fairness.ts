// One account's flood must not slow the others: a quiet account's p95 alone, and beside a flood.
import { quantile } from '../../bench/measure.ts';
import { sleep } from '../../src/kernel/deadline.ts';
import { type Guarantee, row } from '../guarantee.ts';
import { keepBusy, startService } from '../service.ts';

export const fairness: Guarantee = async ({ scale }) => {
  // Four light accounts are the everyday load that both measurements share.
  const service = await startService();
  const [quiet, flooder] = [await service.newKey(), await service.newKey()];
  const everyday = await Promise.all(Array.from({ length: 3 }, () => service.newKey()));
  const length = 45_000 * scale;
  const shot = (key: string, turn: number) => service.shot(key, '/', `&fresh=true&width=${400 + (turn % 3000)}`);
  const measure = async (extra: Promise<unknown>[]) => {
    const times: number[] = [];
    await Promise.all([
      ...everyday.map((key) => keepBusy(1, length, (turn) => shot(key, turn))),
      keepBusy(1, length, async (turn) => {
        times.push((await shot(quiet, turn)).ms);
        await sleep(50);
      }),
      ...extra,
    ]);
    return quantile(times, 0.95);
  };
  const alone = await measure([keepBusy(1, length, (turn) => shot(flooder, turn))]);
  const flooded = await measure([keepBusy(24, length, (turn) => shot(flooder, turn))]);
  await service.close();
  const slower = flooded / alone - 1;
  return [
    row(
      "a quiet account's p95 when another goes from 1 to 24 at once",
      `${(100 * slower).toFixed(0)} % slower`,
      '≤ 20 %',
      slower <= 0.2,
    ),
  ];
};
