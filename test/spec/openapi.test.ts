// The OpenAPI document about POST. Fastify, which validates by JSON schemas, is given the schemas of the document and the
// values of the contract: what the service takes passes, and a value of the wrong type does not.
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
