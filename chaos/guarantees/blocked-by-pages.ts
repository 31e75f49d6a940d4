// One page that is too much of something at a time, as png, as PDF and cleaned: beside it /healthz answers as if nothing
// were, and the request ends in its own time. The times are the clock's: this needs a quiet machine.
import { hostileNames, hostilePages, hostileWays } from '../../test/harness/hostile-pages.ts';
import { type Guarantee, row } from '../guarantee.ts';
import { pollHealthz } from '../healthz-poller.ts';
import { startService } from '../service.ts';

const timeoutMs = 6000;
const healthMs = 250;
const overrunMs = 500;

type Try = { readonly what: string; readonly health: number; readonly overrun: number; readonly status: number };

export const blockedByPages: Guarantee = async ({ scale }) => {
  const service = await startService();
  const key = await service.newKey();
  service.site.set('/sink', (request, response) => void request.resume().on('end', () => response.end()));
  const tries: Try[] = [];
  // A short run takes every third page, each in its next way.
  const step = scale < 1 ? 3 : 1;
  const ways = Object.entries(hostileWays);
  for (const [turn, name] of hostileNames.entries()) {
    const path = `/too-much-${turn}`;
    service.site.set(path, hostilePages[name]);
    for (const [at, [way, query]] of ways.entries()) {
      if (step > 1 && (turn + at) % step !== 0) continue;
      const words = new URLSearchParams({ ...query, fresh: 'true', timeout: String(timeoutMs) });
      const poller = pollHealthz(service.server.url);
      const answer = await service.shot(key, path, `&${words}`);
      const health = poller.longest();
      await poller.stop();
      tries.push({
        what: `${name}, ${way}`,
        health,
        overrun: answer.ms - timeoutMs,
        status: answer.status,
      });
    }
  }
  const honest = await service.shot(key, '/', '&fresh=true');
  await service.close();
  const worst = (value: (one: Try) => number) => tries.reduce((a, b) => (value(b) > value(a) ? b : a));
  const [slow, late] = [worst(({ health }) => health), worst(({ overrun }) => overrun)];
  const silent = tries.filter(({ status }) => status === 0 || status === 500);
  return [
    row(
      `/healthz beside ${tries.length} pages that are too much, at worst`,
      `${slow.health.toFixed(0)} ms (${slow.what})`,
      `≤ ${healthMs} ms`,
      slow.health <= healthMs,
    ),
    row(
      'overrun of timeout by them, at worst',
      `${Math.max(0, late.overrun).toFixed(0)} ms (${late.what})`,
      `≤ ${overrunMs} ms`,
      late.overrun <= overrunMs,
    ),
    row(
      'of them without an answer, or 500',
      silent.length === 0 ? '0' : silent.map(({ what }) => what).join('; '),
      '0',
      silent.length === 0,
    ),
    row('the next honest request after them', String(honest.status), '200', honest.status === 200),
  ];
};
