// Ten times more than the machine can do: the surplus is refused at once, the work goes on at full speed, hits do not wait.
import { quantile } from '../../bench/measure.ts';
import { type PromiseOf, row } from '../promise.ts';
import { type Answer, keepBusy, openStage, pause } from '../stage.ts';

export const overload: PromiseOf = async ({ scale }) => {
  const stage = await openStage({ QUEUE_MAX: '8' });
  const [key, other] = [await stage.newKey(), await stage.newKey()];
  const length = 60_000 * scale;
  const render = (turn: number) => stage.shot(key, '/', `&fresh=true&width=${400 + (turn % 2000)}`);

  // Capacity first: as many clients as slots, none refused.
  const calm: Answer[] = [];
  await keepBusy(3, length, async (turn) => void calm.push(await render(turn)));
  const capacity = calm.filter(({ status }) => status === 200).length / length;

  await stage.shot(other, '/', '&width=222');
  const flood: Answer[] = [];
  const hits: Answer[] = [];
  await Promise.all([
    keepBusy(30, length, async (turn) => {
      const answer = await render(turn);
      flood.push(answer);
      // A client told to come back waits a little, as Retry-After says; without that this measures the client.
      if (answer.status === 503) await pause(200);
    }),
    keepBusy(1, length, async () => {
      hits.push(await stage.shot(other, '/', '&width=222'));
      await pause(20);
    }),
  ]);
  await stage.close();
  const refused = flood.filter(({ status }) => status === 503).map(({ ms }) => ms);
  const goodput = flood.filter(({ status }) => status === 200).length / length / capacity;
  const strange = flood.filter(({ status }) => status !== 200 && status !== 503).length;
  return [
    row(
      'refusals at 10× overload, p99',
      `${quantile(refused, 0.99).toFixed(0)} ms of ${refused.length}`,
      '≤ 50 ms',
      quantile(refused, 0.99) <= 50,
    ),
    row('goodput at 10× overload', `${(100 * goodput).toFixed(0)} % of capacity`, '≥ 90 %', goodput >= 0.9),
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
