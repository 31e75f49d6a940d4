// A bounded fuzz of the HTTP surface, led by its own OpenAPI document: whatever comes, an answer of the house comes
// back. No 500, no hang, no crash.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Customer, type Service, startService } from '../harness/service.ts';

let service: Service;
let customer: Customer;
type Parameter = { name: string; schema: { enum?: string[] } };
let parameters: Record<string, Parameter[]>;
/** The names of the parameters of a body. */
let bodyNames: Record<string, string[]>;
beforeAll(async () => {
  service = await startService();
  customer = await service.customer('business');
  const doc = (await (await service.get('/openapi.json')).json()) as {
    paths: Record<string, { get?: { parameters?: Parameter[] } }>;
    components: { schemas: Record<string, { properties: object }> };
  };
  const namesOf = (schema: string) => Object.keys(doc.components.schemas[schema]?.properties ?? {});
  bodyNames = {
    '/v1/screenshot': namesOf('ScreenshotBody'),
    '/v1/content': namesOf('ContentBody'),
    '/v1/og': [...namesOf('CardBody'), 'title', 'change_items', 'bgColor'],
  };
  parameters = Object.fromEntries(Object.entries(doc.paths).map(([path, { get }]) => [path, get?.parameters ?? []]));
});
afterAll(() => service.stop());

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    'NaN',
    'true',
    'null',
    '[]',
    '{}',
    '%00',
    '../../etc/passwd',
    "'; drop table accounts; --",
    '<script>',
    '\u202e',
    '😀'.repeat(20),
    'x'.repeat(3000),
  ),
  fc.constantFrom(
    'png',
    'json',
    '100',
    '1,2,3,4',
    '#ff0000',
    'default',
    'https://10.0.0.1/',
    'http://[::1]/',
    'https://example.com:22/',
  ),
);

const request = (paths: string[]) =>
  fc.record({
    path: fc.constantFrom(...paths),
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'),
    picks: fc.array(fc.tuple(fc.nat(), nasty), { maxLength: 6 }),
    // The target is always refused, so that nothing is ever dialled.
    withTarget: fc.boolean(),
    encode: fc.boolean(),
    suffix: fc.constantFrom('', '/', '/..', '//', '?', '%2e', '/a'),
  });

it('answers 300 random requests without a 500, in the shape of every error', async () => {
  await fc.assert(
    fc.asyncProperty(request(Object.keys(parameters)), async ({ path, method, picks, withTarget, encode, suffix }) => {
      const known = parameters[path] ?? [];
      const pairs = picks.map(([at, value]) => {
        const name = known.length > 0 ? (known[at % known.length]?.name ?? 'x') : 'x';
        return name === 'url'
          ? undefined
          : `${name}=${encode ? encodeURIComponent(value.toWellFormed()) : value.replaceAll(/[^\x21-\x7e]/g, '%').replaceAll('#', '%')}`;
      });
      if (withTarget) pairs.push('url=http%3A%2F%2F10.0.0.1%2F');
      const query = pairs.filter((pair) => pair !== undefined).join('&');
      const response = await fetch(`${service.url}${path.replace('{name}', 'x.png')}${suffix}?${query}`, {
        method,
        headers: { 'x-api-key': customer.key },
        redirect: 'manual',
      });
      const body = Buffer.from(await response.arrayBuffer());
      expect([path, query, response.status < 500 || response.status === 503]).toEqual([path, query, true]);
      if (response.status >= 400 && method !== 'HEAD') {
        const answer = JSON.parse(body.toString());
        expect(Object.keys(answer)).toEqual(expect.arrayContaining(['error', 'code', 'requestId']));
        expect(body.toString()).not.toMatch(/node_modules|\.ts:\d+|sk_live_[A-Za-z0-9]/);
      }
    }),
    { numRuns: 300 },
  );
});

const json = fc.oneof(
  { weight: 3, arbitrary: nasty },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom(null, true, 0, -1, 1e300, [], {}, [1, 2, 3, 4], [null], { __proto__: null }),
);

it('answers 300 random bodies without a 500, in the shape of every error', async () => {
  const body = fc.record({
    path: fc.constantFrom('/v1/screenshot', '/v1/og'),
    picks: fc.array(fc.tuple(fc.nat(), json), { maxLength: 8 }),
    type: fc.constantFrom('application/json', 'application/json', 'application/json', 'text/plain', ''),
    cut: fc.constantFrom(0, 0, 0, 1, 5),
  });
  await fc.assert(
    fc.asyncProperty(body, async ({ path, picks, type, cut }) => {
      const names = bodyNames[path] ?? [];
      const fields = Object.fromEntries(picks.map(([at, value]) => [names[at % names.length], value]));
      // The target is always refused, and so is the template.
      const { url: _, html: _html, markdown: _markdown, template: _template, ...others } = fields;
      const text = JSON.stringify({ ...others, url: 'http://10.0.0.1/', template: 'no-such' });
      const sent = text.slice(0, text.length - cut);
      const response = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { 'x-api-key': customer.key, 'content-type': type },
        body: sent,
      });
      const answer = await response.text();
      expect([sent, response.status >= 400 && response.status < 500]).toEqual([sent, true]);
      expect(Object.keys(JSON.parse(answer))).toEqual(expect.arrayContaining(['error', 'code', 'requestId']));
      expect(answer).not.toMatch(/node_modules|\.ts:\d+|sk_live_[A-Za-z0-9]/);
    }),
    { numRuns: 300 },
  );
});
