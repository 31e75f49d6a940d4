// What counts toward the renders a minute: every render that took a slot, unless the server was at fault.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Customer, query, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

let site: Site;
let service: Service;
beforeAll(async () => {
  site = await startSite({ '/': colourPage('#336699'), '/never': () => {} });
  service = await startService({ PLAN_LIMITS: '{"pro":{"rendersPerMinute":3}}' });
});
afterAll(async () => {
  await service.stop();
  await site.close();
});

const remaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'));
/** What the account has left, by an answer that costs nothing itself. */
const left = async ({ key }: Customer) => remaining(await service.shot({ url: 'http://10.0.0.1/' }, key));

it('a clip outside the page counts, so it loads no more pages than the plan allows', async () => {
  const pro = await service.customer('pro');
  const statuses = [];
  for (let i = 0; i < 6; i++) {
    const url = `${site.url}/?clip${i}`;
    statuses.push((await service.shot({ url, clip: '99999,99999,10,10' }, pro.key)).status);
  }
  expect(statuses).toEqual([400, 400, 400, 429, 429, 429]);
  expect(site.hits('/')).toBe(3);
});

it('a page that times out counts', async () => {
  const pro = await service.customer('pro');
  const response = await service.shot({ url: `${site.url}/never`, timeout: 1500 }, pro.key);
  expect([response.status, await left(pro)]).toEqual([504, 2]);
});

it('a render whose client disconnects after the page was requested counts', async () => {
  const pro = await service.customer('pro');
  const before = site.hits('/never');
  const gone = new AbortController();
  const path = `${service.url}/v1/screenshot?${query({ url: `${site.url}/never`, fresh: 'true' })}`;
  const asked = fetch(path, { headers: { 'x-api-key': pro.key }, signal: gone.signal });
  await expect.poll(() => site.hits('/never')).toBe(before + 1);
  gone.abort();
  await expect(asked).rejects.toThrow();
  expect(await left(pro)).toBe(2);
});

it('errors found before a slot is taken are free: a refused address, a name that does not exist', async () => {
  const pro = await service.customer('pro');
  const refused = await service.shot({ url: 'http://10.0.0.1/' }, pro.key);
  const unknown = await service.shot({ url: 'http://no-such-name.invalid/' }, pro.key);
  const parameter = await service.shot({ url: site.url, width: 'wide' }, pro.key);
  expect([refused.status, unknown.status, parameter.status]).toEqual([400, 502, 400]);
  expect(await left(pro)).toBe(3);
});
