// A key that is limited to hosts is limited to them on the whole way of the main frame, not only at its beginning.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import { type Customer, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
let customer: Customer;
let limited: string;
// The same server under another name.
let elsewhere: string;

beforeAll(async () => {
  // Many machines know localhost by both addresses.
  const env = { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8,::1/128' };
  [service, site] = await Promise.all([startService(env), startSite({ '/': colourPage('#336699') })]);
  elsewhere = `http://localhost:${site.port}`;
  customer = await service.customer('business');
  const wish = { accountId: customer.account.id, name: 'limited', limit: 100, allowedHosts: ['127.0.0.1'] };
  limited = (await createKey(service.store, wish)).secret;
  site.set('/elsewhere', colourPage('#ff0000', 'Secret'));
  site.set('/redirect', { status: 302, headers: { location: `${elsewhere}/elsewhere` } });
  site.set('/two-redirects', { status: 302, headers: { location: '/redirect' } });
  site.set('/script', `<h1>x</h1><script>location.href = '${elsewhere}/elsewhere'</script>`);
  site.set(
    '/later',
    `<h1>x</h1><script>onload = () => setTimeout(() => location = '${elsewhere}/elsewhere', 300)</script>`,
  );
  site.set('/refresh', `<meta http-equiv=refresh content="0;url=${elsewhere}/elsewhere"><h1>x</h1>`);
  site.set(
    '/form',
    `<form method=post action="${elsewhere}/elsewhere"></form><script>document.forms[0].submit()</script>`,
  );
  site.set('/there-and-back', `<h1>x</h1><script>location.hash || (location = '${elsewhere}/back')</script>`);
  site.set('/back', `<script>location = '${site.url}/there-and-back#2'</script>`);
  site.set('/dead-end', { status: 302, headers: { location: 'http://localhost:9/' } });
  site.set('/own', { status: 302, headers: { location: '/' } });
  site.set('/blob', `<script>location = URL.createObjectURL(new Blob(['<h1>x'], { type: 'text/html' }))</script>`);
  site.set('/parts', `<h1>x</h1><img src="${elsewhere}/part.svg"><iframe src="${elsewhere}/frame"></iframe>`);
  site.set('/frame', '<p>a frame');
});
afterAll(() => Promise.all([service.stop(), site.close()]));

it.each(['/redirect', '/two-redirects', '/script', '/later', '/refresh', '/form', '/there-and-back', '/dead-end'])(
  'a page that leads the main frame to another host is 403 host_not_allowed: %s',
  async (path) => {
    const response = await service.shot({ url: site.url + path, delay: 1000 }, limited);
    expect(await response.json()).toMatchObject({ code: 'host_not_allowed' });
    expect(response.status).toBe(403);
  },
);

it.each(['/own', '/blob', '/parts'])(
  'what stays on the hosts is captured, with its parts from elsewhere: %s',
  async (path) => {
    const response = await service.shot({ url: site.url + path }, limited);
    expect(response.status).toBe(200);
  },
);

it('the target itself on another host is the same 403', async () => {
  const response = await service.shot({ url: elsewhere }, limited);
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: 'host_not_allowed' });
});

it('never gets a result that another key of the account made by leaving the hosts', async () => {
  const parameters = { url: `${site.url}/redirect`, width: 321 };
  expect((await service.shot(parameters, customer.key)).status).toBe(200);
  expect((await service.shot(parameters, customer.key)).headers.get('x-cache')).toBe('HIT');
  expect((await service.shot(parameters, limited)).status).toBe(403);
});

it('sees and cancels only the jobs and batches that were made with it', async () => {
  type Made = { id: string };
  const make = async (path: string, body: object, key: string) =>
    ((await (await service.post(path, body, key)).json()) as Made).id;
  const job = (url: string) => ({ kind: 'screenshot', request: { url } });
  const [others, own] = [
    await make('/v1/jobs', job(elsewhere), customer.key),
    await make('/v1/jobs', job(site.url), limited),
  ];
  const [othersBatch, ownBatch] = [
    await make('/v1/batches', { requests: [job(elsewhere)] }, customer.key),
    await make('/v1/batches', { requests: [job(site.url)] }, limited),
  ];
  const listed = async (key: string) =>
    ((await (await service.get('/v1/jobs?limit=100', key)).json()) as { jobs: Made[] }).jobs.map(({ id }) => id);
  expect(await listed(customer.key)).toEqual(expect.arrayContaining([own, others]));
  expect(await listed(limited)).toContain(own);
  expect(await listed(limited)).not.toContain(others);
  expect(await listed(limited)).toHaveLength(2);
  for (const [path, status] of [
    [`/v1/jobs/${others}`, 404],
    [`/v1/batches/${othersBatch}`, 404],
    [`/v1/jobs/${own}`, 200],
    [`/v1/batches/${ownBatch}`, 200],
  ] as const)
    expect((await service.get(path, limited)).status, path).toBe(status);
  for (const path of [`/v1/jobs/${others}`, `/v1/batches/${othersBatch}`])
    expect(
      (await fetch(service.url + path, { method: 'DELETE', headers: { 'x-api-key': limited } })).status,
      path,
    ).toBe(404);
});

it('has idempotency keys of its own: it is not given the job of another key, which it could not read', async () => {
  const body = { kind: 'screenshot', request: { url: site.url, width: 123 } };
  const make = async (path: string, sent: object, key: string) => {
    const response = await service.post(path, sent, key, { 'idempotency-key': 'order 9' });
    return { status: response.status, ...((await response.json()) as { id?: string; code?: string }) };
  };
  const ids: (string | undefined)[] = [];
  for (const key of [customer.key, limited, limited]) ids.push((await make('/v1/jobs', body, key)).id);
  expect(ids[1]).not.toBe(ids[0]);
  expect(ids[2]).toBe(ids[1]);
  expect((await service.get(`/v1/jobs/${ids[1]}`, limited)).status).toBe(200);
  // What it may not render is refused as without the key.
  const elsewhereBody = { requests: [{ kind: 'screenshot', request: { url: elsewhere } }] };
  const sent = { 'idempotency-key': 'order 10' };
  expect((await service.post('/v1/batches', elsewhereBody, customer.key, sent)).status).toBe(202);
  const refused = await service.post('/v1/batches', elsewhereBody, limited, sent);
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'host_not_allowed' }]);
});
