// The endpoints besides the two that render: versioned paths, health, metrics, the log, the API reference.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screenshotParameters } from '../../src/capture/parameters.ts';
import { errorTable } from '../../src/kernel/errors.ts';
import { type Customer, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';

let service: Service;
let site: Site;
let customer: Customer;
beforeAll(async () => {
  [service, site] = await Promise.all([startService(), startSite({ '/': colourPage('#336699') })]);
  customer = await service.customer('pro');
  await service.shot({ url: site.url }, customer.key);
  await service.shot({ url: site.url }, customer.key);
});
afterAll(() => Promise.all([service.stop(), site.close()]));

it('the version is in the path: other paths are 404', async () => {
  for (const path of ['/screenshot', '/v2/screenshot', '/v1/Screenshot', '/V1/screenshot'])
    expect([path, (await service.get(path, customer.key)).status]).toEqual([path, 404]);
});

it('/healthz reports that the process is alive, /readyz that it can render', async () => {
  expect(await (await service.get('/healthz')).json()).toEqual({ status: 'ok' });
  const ready = await service.get('/readyz');
  // An api node of a cluster has no browser of its own, and says nothing of one.
  const { browser = true, ...rest } = (await ready.json()) as { browser?: boolean };
  expect([ready.status, browser, rest]).toEqual([200, true, { status: 'ready', accepting: true, database: true }]);
});

it('/metrics counts requests, renders, phases, hits and the cache', async () => {
  const text = await service.metrics();
  expect(text).toMatch(/tintype_requests_total\{route="\/v1\/screenshot",method="GET",status="200"\} 2/);
  expect(text).toMatch(/tintype_renders_total\{endpoint="screenshot",outcome="ok"\} 1/);
  expect(text).toMatch(/tintype_cache_requests_total\{result="hit"\} 1/);
  expect(text).toMatch(/tintype_phase_seconds_count\{phase="load"\} 1/);
  for (const name of ['tintype_queue_depth', 'tintype_renders_running', 'tintype_cache_bytes'])
    expect(text).toContain(`\n${name} `);
});

describe('the log', () => {
  const requestLines = () => service.logLines.map((line) => JSON.parse(line)).filter((line) => line.msg === 'request');

  it('has one JSON line for every request, with id, account, status, cache and phases', async () => {
    await service.quiet();
    const before = requestLines().length;
    const response = await service.shot({ url: site.url, width: 321 }, customer.key);
    await service.quiet();
    const lines = requestLines().slice(before);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      requestId: response.headers.get('x-request-id'),
      account: customer.account.id,
      status: 200,
      cache: 'MISS',
      path: '/v1/screenshot',
    });
    expect(lines[0].ms).toBeGreaterThan(1);
    expect(Object.keys(lines[0].phases)).toEqual(expect.arrayContaining(['queue', 'load', 'capture']));
  });

  it('has a line for a malformed path too', async () => {
    await service.quiet();
    const before = requestLines().length;
    await service.get('/%zz');
    await service.quiet();
    expect(requestLines().slice(before)).toMatchObject([{ status: 400, code: 'bad_request' }]);
  });

  it('never contains a key, however it was sent', async () => {
    await service.get(`/v1/screenshot?url=${encodeURIComponent(site.url)}&api_key=${customer.key}`);
    await service.get(`/v1/screenshot?url=${encodeURIComponent(site.url)}&width=0`, customer.key);
    await service.get(`/v1/${customer.key}`);
    await service.quiet();
    expect(service.logLines.join('')).not.toContain(customer.key);
    expect(service.logLines.join('')).not.toMatch(/sk_live_[A-Za-z0-9]/);
  });
});

describe('the reference', () => {
  it('is OpenAPI 3.1 with every parameter of the table, its range, its default and its plan', async () => {
    const doc = (await (await service.get('/openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, { get: { parameters: unknown[]; responses: Record<string, unknown> } }>;
      components: { schemas: { Error: { properties: { code: { enum: string[] } } } } };
    };
    const endpoint = doc.paths['/v1/screenshot']?.get;
    expect(doc.openapi).toMatch(/^3\.1/);
    const listed = endpoint?.parameters as {
      name: string;
      description: string;
      schema: Record<string, unknown>;
    }[];
    const notInQuery = ['api_key', 'response', 'html', 'markdown', 'baseUrl', 'headers', 'cookies', 'basicAuth'];
    expect(listed.map(({ name }) => name)).toEqual(
      Object.keys(screenshotParameters).filter((name) => !notInQuery.includes(name)),
    );
    expect(listed.find(({ name }) => name === 'url')).toMatchObject({ required: true });
    expect(listed.find(({ name }) => name === 'width')?.schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 3840,
      default: 1280,
    });
    expect(listed.find(({ name }) => name === 'customJS')?.description).toContain('Pro plan or higher');
    expect(Object.keys(endpoint?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '304', '400', '401', '403', '414', '429', '502', '503', '504']),
    );
    expect(doc.components.schemas.Error.properties.code.enum).toEqual(Object.keys(errorTable));
  });

  it('is shown at /docs and loads nothing from another host', async () => {
    const response = await fetch(`${service.url}/docs`);
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain('Tintype API reference');
    expect(html.match(/(?:src|href)="https?:\/\/[^"]+"/g) ?? []).toEqual([]);
  });
});

it('the first start prints a one-time link to become the administrator', () => {
  expect(service.printed.join('\n')).toMatch(new RegExp(`${service.url}/setup\\?token=[\\w-]{20,}`));
});
