// Hostile pages beside honest ones, renderers killed and stopped, clients that hang up: everybody is answered in time.

import { sleep } from '../../src/kernel/deadline.ts';
import { type Guarantee, percent, row } from '../guarantee.ts';
import { hostilePaths } from '../hostile-site.ts';
import { renderersOf, signal, zombiesOf } from '../processes.ts';
import { type Answer, keepBusy, startService } from '../service.ts';

const timeoutMs = 4000;

export const hostilePagesAndFaults: Guarantee = async ({ scale }) => {
  const service = await startService();
  const [honest, hostile] = [await service.newKey(), await service.newKey()];
  const honestAnswers: Answer[] = [];
  const hostileAnswers: Answer[] = [];
  const length = 120_000 * scale;
  let over = false;
  const mischief = (async () => {
    for (let turn = 0; !over; turn++) {
      await sleep(2500);
      const renderers = renderersOf(service.server.pid);
      const victim = renderers[turn % Math.max(1, renderers.length)];
      if (victim === undefined) continue;
      if (turn % 2 === 0) signal(victim.pid, 'SIGKILL');
      else {
        signal(victim.pid, 'SIGSTOP');
        await sleep(1500);
        signal(victim.pid, 'SIGCONT');
      }
    }
  })();
  await Promise.all([
    keepBusy(2, length, async (turn) => {
      honestAnswers.push(
        await service.shot(honest, '/', `&fresh=true&timeout=${timeoutMs}&width=${400 + (turn % 500)}`),
      );
    }),
    keepBusy(2, length, async (turn) => {
      const path = hostilePaths[turn % hostilePaths.length] ?? '/';
      hostileAnswers.push(
        await service.shot(hostile, path, `&fresh=true&timeout=${timeoutMs}&width=${400 + (turn % 500)}`),
      );
    }),
    keepBusy(1, length, async (turn) => {
      const leaving = new AbortController();
      const asking = service.shot(hostile, '/slow', `&fresh=true&width=${400 + (turn % 500)}`, leaving.signal);
      await sleep(100);
      leaving.abort();
      await asking;
    }),
  ]);
  over = true;
  await mischief;
  // What hangs must be let go, and the next honest request must be served.
  await sleep(1500);
  const last = await service.shot(honest, '/', '&fresh=true&width=1111');
  const running = await service.metric('tintype_renders_running');
  const zombies = zombiesOf(service.server.pid).length;
  await service.close();
  const all = [...honestAnswers, ...hostileAnswers];
  const unanswered = all.filter(({ status }) => status === 0).length;
  const overrun = Math.max(...all.map(({ ms }) => ms)) - timeoutMs;
  const good = honestAnswers.filter(({ status }) => status === 200).length;
  return [
    row(
      'requests without an answer, hostile pages and killed renderers',
      `${unanswered} of ${all.length}`,
      '0',
      unanswered === 0,
    ),
    row('longest overrun of timeout', `${overrun.toFixed(0)} ms`, '≤ 500 ms', overrun <= 500),
    row(
      'honest pages captured meanwhile (a renderer killed or stopped every 2.5 s)',
      `${percent(good, honestAnswers.length)} of ${honestAnswers.length}`,
      '≥ 90 %',
      good / honestAnswers.length >= 0.9,
    ),
    row('the next honest request after it', String(last.status), '200', last.status === 200),
    row('slots leaked', String(running), '0', running === 0),
    row('zombies', String(zombies), '0', zombies === 0),
  ];
};
