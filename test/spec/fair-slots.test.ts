// Pages of small accounts that never end, and a Business caller beside them. Proved by order: what the Business caller
// asks for is done while all of those pages are still under way. The slots are two, the hanging pages six.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { sleep } from '../../src/kernel/deadline.ts';
import { type Customer, query, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

let site: Site;
let service: Service;
let business: Customer;
beforeAll(async () => {
  site = await startSite({
    '/': colourPage('#336699'),
    '/never': () => {},
    '/loop': `<script>fetch('/looping')</script>${colourPage('#999')}<script>for (;;);</script>`,
  });
  service = await startService({ RENDERS_AT_ONCE: '2', PAGES_AT_ONCE: '16' });
  business = await service.customer('business');
});
afterAll(async () => {
  await service.stop();
  await site.close();
});

let hanging: { ended: boolean; cancel: () => void }[] = [];
afterEach(async () => {
  for (const { cancel } of hanging) cancel();
  hanging = [];
  await expect.poll(async () => running(await service.metrics())).toBe(0);
});
const running = (metrics: string) => Number(/^tintype_pages_running (\d+)/m.exec(metrics)?.[1]);

/** Asks for a page that does not end before its 60 s are over, and does not wait for it. */
function hang(customer: Customer, parameters: Record<string, string | number>): void {
  const gone = new AbortController();
  const each = { ended: false, cancel: () => gone.abort() };
  const end = () => {
    each.ended = !gone.signal.aborted;
  };
  const path = `${service.url}/v1/screenshot?${query({ timeout: 60_000, fresh: 'true', ...parameters })}`;
  fetch(path, { headers: { 'x-api-key': customer.key }, signal: gone.signal }).then(end, end);
  hanging.push(each);
}

/** Sixteen at once from two small accounts, of which their plans let six begin. */
async function hangAll(parameters: Record<string, string | number>, began: () => number): Promise<void> {
  const small = [await service.customer('free'), await service.customer('starter')];
  for (let i = 0; i < 16; i++) hang(small[i % 2] as Customer, { ...parameters, width: 400 + i });
  await expect.poll(began).toBe(6);
}

let unique = 0;
async function expectServed(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    const page = await service.shot({ url: `${site.url}/?${++unique}`, timeout: 20_000 }, business.key);
    expect(page.status).toBe(200);
    const card = await service.get(`/v1/og?${query({ template: 'blog-post', title: `${++unique}` })}`, business.key);
    expect(card.status).toBe(200);
  }
  expect(hanging.filter(({ ended }) => ended)).toEqual([]);
}

const counted = (path: string) => {
  const before = site.hits(path);
  return () => site.hits(path) - before;
};

it('pages that never answer block neither other pages nor cards', async () => {
  await hangAll({ url: `${site.url}/never` }, counted('/never'));
  await expectServed();
});

it('pages with an endless loop hold their slots only for seconds, and cards do not wait for them', async () => {
  const began = counted('/looping');
  const free = await service.customer('free');
  for (let i = 0; i < 2; i++) hang(free, { url: `${site.url}/loop`, width: 500 + i });
  await expect.poll(began).toBe(2);
  await sleep(100);
  await expectServed();
});
