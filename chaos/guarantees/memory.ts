// Many renders leave nothing behind: memory, files, processes.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { sleep } from '../../src/kernel/deadline.ts';
import { descendantsOf } from '../../test/harness/processes.ts';
import { type Guarantee, row } from '../guarantee.ts';
import { residentKb, zombiesOf } from '../processes.ts';
import { startService } from '../service.ts';

const soak = Number(process.env.SOAK ?? 2000);

export const memory: Guarantee = async ({ scale }) => {
  const before = new Set(readdirSync(tmpdir()));
  const service = await startService();
  const key = await service.newKey();
  const total = Math.max(200, Math.round(soak * scale));
  let turn = 0;
  const renders = async (count: number) => {
    const until = turn + count;
    await Promise.all(
      Array.from({ length: 3 }, async () => {
        while (turn < until) await service.shot(key, '/', `&fresh=true&width=${400 + (turn++ % 50)}`);
      }),
    );
  };
  const resident = async () => {
    await sleep(3000);
    const pids = [service.server.pid, ...descendantsOf(service.server.pid).map(({ pid }) => pid)];
    return pids.reduce((sum, pid) => sum + residentKb(pid), 0);
  };
  // The first few hundred fill pools and caches that then stay as they are.
  await renders(Math.round(total / 4));
  const early = await resident();
  await renders(total);
  const late = await resident();
  const zombies = zombiesOf(service.server.pid).length;
  await service.close();
  const left = readdirSync(tmpdir()).filter(
    (name) => !before.has(name) && /^(tintype|tmp-tintype|\.org\.chromium)/.test(name),
  );
  const growth = late / early - 1;
  return [
    row(`memory growth over ${total} renders`, `${(100 * growth).toFixed(1)} %`, '< 5 %', growth < 0.05),
    row('zombies after them', String(zombies), '0', zombies === 0),
    row('temporary files left after the stop', left.length === 0 ? '0' : left.join(', '), '0', left.length === 0),
  ];
};
