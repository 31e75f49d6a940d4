// A target goes down under load, in every way a site fails. Who has seen its pages before still gets the last good
// picture, at once where the failure is known, and the target is not asked by every caller.
import { DatabaseSync } from 'node:sqlite';
import { quantile } from '../../bench/measure.ts';
import { signLink } from '../../src/access/signatures.ts';
import { sleep } from '../../src/kernel/deadline.ts';
import { startChangingTarget, type TargetState } from '../../test/harness/changing-target.ts';
import { get } from '../../test/harness/http-client.ts';
import { type Guarantee, percent, row } from '../guarantee.ts';
import { keepBusy, startService } from '../service.ts';

const states: readonly TargetState[] = ['refusing', 'hanging', 'error', 'wall'];
const pages = 20;
const pastItsAgeMs = 61 * 24 * 60 * 60 * 1000;

export const targetDown: Guarantee = async ({ scale }) => {
  const service = await startService();
  const target = await startChangingTarget();
  const key = await service.newKey();
  const signer = signerIn(service.server.dataDir);
  const other = await service.newKey();
  const path = (page: number) =>
    `/v1/screenshot?${new URLSearchParams({ url: `${target.url}/?n=${page}`, width: '400', height: '300', timeout: '60000' })}`;
  const shot = (page: number, more = '') => get(service.server.url + path(page) + more, { 'x-api-key': key });
  const link = (page: number) => {
    const impatient = path(page).replace('timeout=60000', 'timeout=5000');
    return get(service.server.url + signLink({ path: impatient, ...signer }), {});
  };
  const warm = async () => {
    for (let page = 0; page < pages; page++)
      for (let tries = 1; ; tries++) {
        const { status } = await shot(page, '&fresh=true');
        if (status === 200) break;
        // It may have joined a render that began while the target was down.
        if (tries === 5) throw new Error(`A page of the good target was answered with ${status}.`);
        await sleep(500);
      }
  };

  let asked = 0;
  let answered = 0;
  let probes = 0;
  const times: number[] = [];
  try {
    for (const state of states) {
      await target.be('good');
      await warm();
      makeOld(service.server.dataDir);
      await target.be(state);
      const hits = target.hits;
      const known = new Set<number>();
      const once = async (turn: number) => {
        const page = turn % pages;
        const wasKnown = known.has(page);
        const started = performance.now();
        const { status, headers } = turn % 2 ? await link(page) : await shot(page, '&stale=true');
        asked++;
        if (status === 200 && headers['x-stale'] !== undefined) answered++;
        if (headers['x-stale'] !== 'expired') known.add(page);
        if (wasKnown) times.push(performance.now() - started);
      };
      await Promise.all([
        keepBusy(8, 60_000 * scale, once),
        keepBusy(2, 60_000 * scale, (turn) => service.shot(other, '/', `&fresh=true&width=${400 + (turn % 3000)}`)),
      ]);
      probes += target.hits - hits;
    }
  } finally {
    await Promise.all([service.close(), target.close()]);
  }
  const p99 = quantile(times, 0.99);
  return [
    row(
      'pages of a target that is down, answered with the last good picture',
      `${percent(answered, asked)} of ${asked}`,
      '100 %',
      asked > 0 && answered === asked,
    ),
    row('p99 where it is known to be down', `${p99.toFixed(1)} ms of ${times.length}`, '≤ 25 ms', p99 <= 25),
    row(
      'requests to the target meanwhile',
      `${probes} for ${pages} pages, ${states.length} times`,
      '≤ 5 a page',
      probes <= 5 * pages * states.length,
    ),
  ];
};

const openDatabase = (dataDir: string) => new DatabaseSync(`${dataDir}/tintype.db`, { timeout: 5000 });

/** What signs the links of the one key there is. */
function signerIn(dataDir: string): { keyId: string; secret: string } {
  const database = openDatabase(dataDir);
  const found = database.prepare('select id as keyId, signing_secret as secret from api_keys').get();
  database.close();
  return found as { keyId: string; secret: string };
}

/** All results are past their age. */
function makeOld(dataDir: string): void {
  const database = openDatabase(dataDir);
  database.prepare('update cache_entries set created_at = ?').run(Date.now() - pastItsAgeMs);
  database.prepare("delete from cache_entries where key like '%-bad'").run();
  database.close();
}
