// A card that takes longer than 15 seconds is 504, and at most half a second later. The account may have one render at once,
// and asks for large cards until one of them has waited that long.
import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rawRequest } from '../harness/raw-request.ts';
import { type ServerProcess, startServerProcess, tintype } from '../harness/server-process.ts';

let server: ServerProcess;
let key: string;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  const limits = JSON.stringify({ pro: { rendersPerMinute: 1e6, rendersAtOnce: 1 } });
  server = await startServerProcess({ PLAN_LIMITS: limits });
  const env = { DATA_DIR: server.dataDir };
  await tintype(['account', 'create', 'a@example.test', '--plan', 'pro'], env);
  key = (await tintype(['key', 'create', 'a@example.test'], env)).trim().split('\n').at(-1) ?? '';
});
afterAll(async () => {
  agent.destroy();
  await server?.clean();
});

it('a card that takes longer than 15 seconds is 504, and no later', async () => {
  const ask = (n: number) =>
    rawRequest(
      server.url,
      {
        path: `/v1/og?template=default&title=${n}&width=2400&height=2400&format=avif&quality=100`,
        headers: { 'x-api-key': key },
      },
      agent,
    );
  const answers = await Promise.all(Array.from({ length: 150 }, (_, n) => ask(n)));
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].sort()).toEqual([200, 504]);
  const late = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"path":"/v1/og"'))
    .map((line) => JSON.parse(line) as { status: number; ms: number })
    .filter(({ status }) => status === 504);
  expect(Math.min(...late.map(({ ms }) => ms))).toBeGreaterThanOrEqual(15_000);
  expect(Math.max(...late.map(({ ms }) => ms))).toBeLessThanOrEqual(15_500);
});
