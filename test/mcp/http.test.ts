// POST /mcp with the official client: the tools, and everything that is checked before them.
import type { Client } from '@modelcontextprotocol/client';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';
import { factsOf, httpClient, imagesOf, textsOf } from './clients.ts';

let service: Service;
let site: Site;
let key: string;
let freeKey: string;
let client: Client;

beforeAll(async () => {
  service = await startService();
  site = await startSite({
    '/': colourPage('rgb(20, 90, 160)'),
    '/tall': `<!doctype html><body style="margin:0">${['red', 'lime', 'blue']
      .map((colour) => `<div style="height:1500px;background:${colour}"></div>`)
      .join('')}`,
    '/gone': { status: 404, body: '<h1>Nothing here</h1>' },
    '/slow': (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).write('<p>'),
  });
  ({ key } = await service.customer('business'));
  ({ key: freeKey } = await service.customer('free'));
  client = await httpClient(`${service.url}/mcp`, { 'x-api-key': key });
});

afterAll(async () => {
  await client?.close();
  await site?.close();
  await service?.stop();
});

const call = (name: string, given: Record<string, unknown>, by = client) => by.callTool({ name, arguments: given });

/** One JSON-RPC request, without a client. */
const raw = (headers: Record<string, string>, body: unknown = { jsonrpc: '2.0', id: 1, method: 'tools/list' }) =>
  service.post('/mcp', body, undefined, { accept: 'application/json, text/event-stream', ...headers });

describe('the tools', () => {
  it('are these, in a list of at most 2,000 tokens', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['screenshot', 'pdf', 'og_card', 'og_templates']);
    expect(JSON.stringify(tools).length / 4).toBeLessThan(1800);
  });

  it('a screenshot is a webp of its size, with a link to the png', async () => {
    const result = await call('screenshot', { url: `${site.url}/`, width: 600, height: 400 });
    expect(result.isError).toBeUndefined();
    const [image] = imagesOf(result);
    expect(image?.type).toBe('image/webp');
    const { width, height, format } = await sharp(image?.bytes).metadata();
    expect([width, height, format]).toEqual([600, 400, 'webp']);
    expect(factsOf(result)).toMatchObject({
      width: 600,
      height: 400,
      tile: 1,
      tiles: 1,
      status: 200,
      verdict: { ok: true, codes: [] },
      warnings: [],
    });
    const file = await fetch(String(factsOf(result).imageUrl));
    expect(file.headers.get('content-type')).toBe('image/png');
    expect(textsOf(result)[0]).toContain(String(factsOf(result).imageUrl));
  });

  it('a tall page comes in tiles from one render', async () => {
    const asked = { url: `${site.url}/tall`, fullPage: true };
    const first = await call('screenshot', asked);
    expect(factsOf(first)).toMatchObject({ width: 1280, height: 4500, tile: 1, tiles: 3 });
    expect(textsOf(first)[0]).toContain('tile 1 of 3');
    const colours = [];
    for (const tile of [1, 2, 3]) {
      const [image] = imagesOf(await call('screenshot', { ...asked, tile }));
      const { dominant } = await sharp(image?.bytes).stats();
      expect((await sharp(image?.bytes).metadata()).height).toBe(1500);
      colours.push([dominant.r, dominant.g, dominant.b].map((part) => (part > 127 ? 1 : 0)).join(''));
    }
    expect(colours).toEqual(['100', '010', '001']);
    expect(site.hits('/tall')).toBe(1);
    const beyond = await call('screenshot', { ...asked, tile: 4 });
    expect(beyond.isError).toBe(true);
    expect(factsOf(beyond)).toMatchObject({ code: 'invalid_parameter', parameter: 'tile' });
  });

  it('a pdf is a link with its pages and size', async () => {
    const result = await call('pdf', { html: '<h1>One</h1>', pageSize: 'a5' });
    expect(factsOf(result)).toMatchObject({ pages: 1, format: 'pdf' });
    const bytes = Buffer.from(await (await fetch(String(factsOf(result).imageUrl))).arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(factsOf(result).size).toBe(bytes.length);
    expect(imagesOf(result)).toEqual([]);
  });

  it('a card is made from a template of the list', async () => {
    const list = await call('og_templates', {});
    expect(textsOf(list)[0]).toContain('quote: ');
    const one = await call('og_templates', { template: 'quote' });
    expect(Object.keys(factsOf(one).variables as object)).toContain('author');
    const card = await call('og_card', { template: 'quote', variables: { title: 'Simple is not easy' } });
    expect(factsOf(card)).toMatchObject({ width: 1200, height: 630 });
    expect(imagesOf(card)).toHaveLength(1);
  });
});
