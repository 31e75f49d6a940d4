// The OpenAPI document about POST. Fastify, which validates by JSON schemas, is given the schemas of the document and the
// values of the contract: what the service takes passes, and a value of the wrong type does not.
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signLink } from '../../src/access/signatures.ts';
import { type Service, startService } from '../harness/service.ts';
import { inJson, screenshotContract } from './contract-parameters.ts';

type Operation = {
  operationId: string;
  parameters?: { name: string }[];
  requestBody?: { required: boolean; content: Record<string, { schema: { $ref: string }; examples: object }> };
  responses: Record<string, unknown>;
};
type Document = {
  security: object[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: object; schemas: Record<string, { properties: Record<string, object> }> };
};

let service: Service;
let doc: Document;
let app: FastifyInstance;
beforeAll(async () => {
  service = await startService();
  doc = (await (await service.get('/openapi.json')).json()) as Document;
  app = Fastify({
    bodyLimit: 5_000_000,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
  });
  for (const name of ['ScreenshotBody', 'CardBody'])
    app.post(`/${name}`, { schema: { body: doc.components.schemas[name] } }, async () => 'valid');
});
afterAll(async () => {
  await app.close();
  await service.stop();
});

const statusOf = async (schema: string, body: object) =>
  (await app.inject({ method: 'POST', url: `/${schema}`, payload: body })).statusCode;

describe('POST in the OpenAPI document', () => {
  it('has the three ways to send a key', () => {
    expect(doc.security).toEqual([{ header: [] }, { bearer: [] }, { query: [] }]);
    expect(doc.components.securitySchemes).toMatchObject({
      header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
      query: { type: 'apiKey', in: 'query', name: 'api_key' },
    });
  });

  it.each([
    ['/v1/screenshot', 'ScreenshotBody'],
    ['/v1/og', 'CardBody'],
  ])('%s takes a JSON body and no parameters, and has the errors of a body', async (path, schema) => {
    const { get, post } = doc.paths[path] ?? {};
    expect(post?.parameters).toBeUndefined();
    expect(post?.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
    });
    expect(Object.keys(post?.responses ?? {})).toEqual(expect.arrayContaining(['400', '401', '403', '413', '415']));
    expect(Object.keys(get?.responses ?? {})).toEqual(expect.arrayContaining(['414']));
    expect(post?.operationId).not.toBe(get?.operationId);
    const examples = Object.values(post?.requestBody?.content['application/json']?.examples ?? {});
    expect(examples.length).toBeGreaterThan(0);
    for (const { value } of examples) expect(await statusOf(schema, value)).toBe(200);
  });

  // The key is a security scheme, and `response=json` an operation of its own.
  const inBody = Object.entries(screenshotContract).filter(([name]) => name !== 'api_key' && name !== 'response');

  it('has every parameter of the contract but the key and the kind of response', () => {
    const names = inBody.map(([name]) => name);
    expect(Object.keys(doc.components.schemas.ScreenshotBody?.properties ?? {}).sort()).toEqual(names.sort());
  });

  it.each(inBody)('%s: its schema takes what the contract takes, in its own type, and null', async (name, expected) => {
    for (const value of expected.good)
      expect([value, await statusOf('ScreenshotBody', { [name]: inJson(expected, value) })]).toEqual([value, 200]);
    if (expected.type === 'numbers')
      for (const value of expected.good)
        expect([value, await statusOf('ScreenshotBody', { [name]: value })]).toEqual([value, 200]);
    expect(await statusOf('ScreenshotBody', { [name]: null })).toBe(200);
    const wrong = expected.type === undefined || expected.type === 'numbers' ? true : 'text';
    expect(await statusOf('ScreenshotBody', { [name]: wrong })).toBe(400);
  });

  it('a clip and a margin have four numbers, a list is an array of strings', async () => {
    for (const name of ['clip', 'margin'])
      for (const numbers of [
        [1, 2, 3],
        [1, 2, 3, 4, 5],
        ['1', '2', '3', '4'],
      ])
        expect(await statusOf('ScreenshotBody', { [name]: numbers })).toBe(400);
    const card = { template: 'changelog-card', title: 'A', change_items: ['One', 'Two'] };
    expect(await statusOf('CardBody', card)).toBe(200);
    expect(await statusOf('CardBody', { ...card, change_items: [{}] })).toBe(400);
    expect(await statusOf('CardBody', { title: 'A' })).toBe(400);
  });

  it('says that a sent page has no url', () => {
    expect(doc.components.schemas.Screenshot?.properties).toMatchObject({
      url: { type: ['string', 'null'] },
      source: { enum: ['url', 'html', 'markdown'] },
      page: { properties: { finalUrl: { type: ['string', 'null'] } } },
    });
  });
});

describe('what generators of clients need', () => {
  type Media = Record<string, { schema: { $ref?: string; format?: string } }>;
  type Answer = { $ref?: string; content?: Media; headers?: object };
  type Whole = Operation & { tags: string[]; summary: string; description: string; responses: Record<string, Answer> };
  const operations = () => Object.values(doc.paths).flatMap((methods) => Object.values(methods) as Whole[]);

  it('every operation has an id of its own, a tag, a text, and an error', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { tags, summary, description, responses } of operations()) {
      expect([tags.length, summary.length > 0, description.length > 0]).toEqual([1, true, true]);
      expect(Object.keys(responses).some((status) => status.startsWith('4'))).toBe(true);
    }
  });

  it('no response has both bytes or text and JSON', () => {
    for (const { operationId, responses } of operations()) {
      const types = Object.keys(responses['200']?.content ?? {});
      const json = types.filter((type) => type === 'application/json').length;
      expect([operationId, json === 0 || json === types.length]).toEqual([operationId, true]);
    }
  });

  it('every object says which of its properties are always there', () => {
    const { ScreenshotBody, CardBody, ContentBody, ...answers } = doc.components.schemas as Record<string, object>;
    const without: string[] = [];
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      if ('properties' in schema && !('required' in schema)) without.push(path);
      for (const [name, each] of Object.entries(schema)) visit(each, `${path}.${name}`);
    };
    visit(answers, '');
    expect(without).toEqual([]);
    expect(CardBody).toMatchObject({ required: ['template'] });
    expect([ScreenshotBody, ContentBody]).toEqual([expect.anything(), expect.anything()]);
  });

  it('a 429 and a 503 have Retry-After, a 401 has WWW-Authenticate, a GET takes a signed link', () => {
    const { responses } = doc.components as unknown as { responses: Record<string, { headers: object }> };
    expect(responses.Error429?.headers).toHaveProperty('Retry-After');
    expect(responses.Error503?.headers).toHaveProperty('Retry-After');
    expect(responses.Error401?.headers).toHaveProperty('WWW-Authenticate');
    expect(doc.paths['/v1/screenshot']?.get).toMatchObject({
      security: [{ header: [] }, { bearer: [] }, { query: [] }, { linkKey: [], linkSignature: [] }],
    });
  });

  it('every header that a response has of ours is in the document', async () => {
    const { key } = await service.customer('pro');
    const card = '/v1/og?template=quote&title=Headers&width=300&height=200';
    const job = { kind: 'og', request: { template: 'quote', title: 'Headers' } };
    const once = { 'idempotency-key': 'headers' };
    const { imageUrl } = (await (await service.get(`${card}&response=json`, key)).json()) as { imageUrl: string };
    const stored = imageUrl.slice(service.url.length);
    const { id } = (await (await service.post('/v1/jobs', job, key, once)).json()) as { id: string };
    const requests: [path: string, operation: string, response: Response][] = [
      ['/v1/og', 'get', await service.get(card, key)],
      ['/v1/og', 'get', await service.get(card, key, { 'if-none-match': '*' })],
      ['/v1/og', 'get', await service.get(card, key, { range: 'bytes=0-9' })],
      ['/v1/og', 'get', await service.get(card, key, { range: 'bytes=99999999-' })],
      ['/v1/og', 'get', await service.get('/v1/og', key)],
      ['/v1/og', 'get', await service.get(card)],
      ['/v1/og.json', 'get', await service.get(`${card.replace('?', '.json?')}&titel=A`, key)],
      ['/v1/files/{name}', 'get', await service.get(stored)],
      ['/v1/jobs', 'post', await service.post('/v1/jobs', job, key, once)],
      ['/v1/jobs', 'post', await service.post('/v1/jobs', { ...job, kind: 'content' }, key, once)],
      ['/v1/jobs/{id}', 'get', await service.get(`/v1/jobs/${id}`, key)],
      ['/v1/usage', 'get', await service.get('/v1/usage', key)],
      ['/v1/templates', 'get', await service.get('/v1/templates', key)],
      ['/v1/og/templates', 'get', await service.get('/v1/og/templates')],
      ['/healthz', 'get', await service.get('/healthz')],
    ];
    const { responses } = doc.components as unknown as { responses: Record<string, Answer> };
    // Those of HTTP that say nothing about the result, and what protects a browser.
    const general =
      /^(access-control-|cache-control|connection|content-(?!range)|cross-origin-|date|keep-alive|vary|x-content-)/;
    for (const [path, method, response] of requests) {
      const { $ref, headers } = (doc.paths[path]?.[method]?.responses[response.status] ?? {}) as Answer;
      const described = $ref === undefined ? headers : responses[$ref.split('/').at(-1) ?? '']?.headers;
      const names = Object.keys(described ?? {}).map((name) => name.toLowerCase());
      const missing = [...response.headers.keys()].filter((name) => !general.test(name) && !names.includes(name));
      expect([path, response.status, missing]).toEqual([path, response.status, []]);
      await response.arrayBuffer();
    }
    const site = doc.paths['/v1/sites/{site_id}/{path}']?.get?.responses['200'] as Answer;
    expect(site.headers).toHaveProperty('X-Card');
    expect(requests.some(([, , response]) => response.headers.has('idempotency-replayed'))).toBe(true);
  });

  it('/v1/og.json gives what response=json gives: by GET, by POST and by a signed link', async () => {
    const { key, keyId, signingSecret } = await service.customer('pro');
    const query = 'template=quote&title=Hello&width=300&height=200';
    const expected = await (await service.get(`/v1/og?${query}&response=json`, key)).json();
    const { renderTime: _, cachedAt: __, imageUrl: ___, ...facts } = expected as Record<string, unknown>;
    const signed = signLink({ path: `/v1/og.json?${query}`, keyId, secret: signingSecret });
    const body = { template: 'quote', title: 'Hello', width: 300, height: 200 };
    for (const response of [
      await service.get(`/v1/og.json?${query}`, key),
      await service.post('/v1/og.json', body, key),
      await service.get(signed),
    ]) {
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      expect(await response.json()).toMatchObject(facts);
    }
    const free = await service.customer('free');
    expect((await service.get(`/v1/og.json?${query}`, free.key)).status).toBe(403);
    expect((await service.get(`/v1/og.json?${query}`)).status).toBe(401);
    const wrong = await service.get('/v1/screenshot.json?url=https://example.com&width=0', key);
    expect(await wrong.json()).toMatchObject({ code: 'invalid_parameter', parameter: 'width' });
  });
});
