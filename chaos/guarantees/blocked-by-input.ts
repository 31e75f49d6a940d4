// Every hostile request there is (test/security/hostile-input.ts), one after the other, beside somebody who asks /healthz: nobody
// waits for them, and each ends in its own time.
import { Agent } from 'node:http';
import { rawRequest } from '../../test/harness/raw-request.ts';
import { hostileBodyRequests } from '../../test/security/hostile-bodies.ts';
import {
  type HostileRequest,
  hostileBodyParameters,
  hostileCards,
  hostileHeaders,
  hostileParameters,
  hostilePaths,
  hostileQueries,
} from '../../test/security/hostile-input.ts';
import { type Guarantee, row } from '../guarantee.ts';
import { pollHealthz } from '../healthz-poller.ts';
import { startService } from '../service.ts';

const goalMs = 250;
/** A card's own time is 15 s; nothing else here renders, so it has none at all to take. */
const cardMs = 15_000;
const overrunMs = 500;

type Slow = { name: string; ms: number };
const longer = (one: Slow, other: Slow): Slow => (other.ms > one.ms ? other : one);

export const blockedByInput: Guarantee = async ({ scale }) => {
  const service = await startService();
  const headers = { 'x-api-key': await service.newKey() };
  const agent = new Agent({ keepAlive: true });
  const poller = pollHealthz(service.server.url);
  const step = Math.max(1, Math.round(1 / scale));
  const some = (one: number, other: number) => (one + other) % step === 0;
  let healthz: Slow = { name: 'none', ms: 0 };
  let answer: Slow = { name: 'none', ms: 0 };
  let tried = 0;
  const without: string[] = [];

  async function tryAll(
    requests: Iterable<HostileRequest>,
    known: Record<string, string>,
    ownMs: number,
  ): Promise<void> {
    for (const each of requests) {
      const startedAt = performance.now();
      const { status } = await rawRequest(
        service.server.url,
        { ...each, headers: { ...known, ...each.headers } },
        agent,
      );
      answer = longer(answer, { name: each.name, ms: performance.now() - startedAt - ownMs });
      healthz = longer(healthz, { name: each.name, ms: poller.longest() });
      if (status === 0 || status >= 500) without.push(`${status} ${each.name}`);
      tried++;
    }
  }
  poller.longest();
  await tryAll(hostileQueries(), {}, 0);
  await tryAll(hostileQueries(), headers, 0);
  await tryAll(hostileParameters(some), headers, 0);
  await tryAll(hostileBodyParameters(some), headers, 0);
  await tryAll(hostileBodyRequests(), headers, 0);
  await tryAll(hostileHeaders(some), {}, 0);
  await tryAll(hostilePaths(), {}, 0);
  await tryAll(hostileCards(some), headers, cardMs);
  await poller.stop();
  agent.destroy();
  await service.close();
  if (without.length > 0) console.log(`  ${without.slice(0, 10).join('\n  ')}`);
  return [
    row(
      'longest wait of /healthz beside a hostile request',
      `${healthz.ms.toFixed(0)} ms of ${tried} (${healthz.name})`,
      `≤ ${goalMs} ms`,
      healthz.ms <= goalMs,
    ),
    row(
      'longest overrun of a hostile request',
      `${Math.max(0, answer.ms).toFixed(0)} ms (${answer.name})`,
      `≤ ${overrunMs} ms`,
      answer.ms <= overrunMs,
    ),
    row('hostile requests without a 4xx or a picture', String(without.length), '0', without.length === 0),
  ];
};
