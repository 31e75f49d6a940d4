// When the event loop was blocked, the log says for how long and which requests were in progress.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Customer, type Service, startService } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

let service: Service;
let customer: Customer;
let site: Site;
let pageAsked = () => {};
beforeAll(async () => {
  site = await startSite({
    '/slow': (_request, response) => {
      pageAsked();
      setTimeout(() => response.end('<body>Hello'), 1500);
    },
  });
  service = await startService();
  customer = await service.customer('business');
});
afterAll(async () => {
  await service.stop();
  await site.close();
});

type Line = { msg: string; ms: number; processorMs: number; requests: { path: string }[] };
const blockLines = (): Line[] =>
  service.logLines
    .filter((line) => line.includes('event loop was blocked'))
    .map((line) => JSON.parse(line))
    // On a busy machine there may be others before it.
    .filter(({ processorMs }) => processorMs > 300);

/** By CPU time, which is the same on a busy machine. */
function block(ms: number): void {
  const before = process.threadCpuUsage();
  while (process.threadCpuUsage(before).user < 1000 * ms);
}

it('a block is logged with the requests in progress, without their queries, and counted in two metrics', async () => {
  const reached = new Promise<void>((resolve) => {
    pageAsked = resolve;
  });
  const shot = service.shot({ url: `${site.url}/slow?token=hunter2` }, customer.key);
  await reached;
  block(500);
  await shot;
  const line = blockLines().find(({ requests }) => requests.length > 0);
  expect(line?.ms).toBeGreaterThan(250);
  expect(line?.requests).toContainEqual({
    id: expect.any(String),
    ageMs: expect.any(Number),
    method: 'GET',
    path: '/v1/screenshot',
    endpoint: 'screenshot',
    account: customer.account.id,
    step: expect.any(String),
  });
  expect(JSON.stringify(line)).not.toMatch(/hunter2|slow|sk_live/);
  const metrics = await service.metrics();
  expect(Number(/^tintype_event_loop_delay_seconds (\S+)/m.exec(metrics)?.[1])).toBeGreaterThan(0.25);
  expect(Number(/^tintype_event_loop_blocks (\S+)/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(1);
});
