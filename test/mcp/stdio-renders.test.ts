// `tintype mcp` renders: on this machine and with a server, with the official client.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sleep } from '../../src/kernel/deadline.ts';
import { descendantsOf, treeOf } from '../harness/processes.ts';
import { type Service, startService } from '../harness/service.ts';
import { colourPage, type Site, startSite } from '../harness/site.ts';
import { factsOf, imagesOf, plainEnv, stdioClient, textsOf, tintype } from './clients.ts';

let site: Site;
let folder: string;
/** Sends the rest of /slow. */
let endSlow: () => void;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-mcp-'));
  site = await startSite({
    '/': colourPage('rgb(20, 90, 160)', 'Blue'),
    '/tall': '<!doctype html><body style="margin:0"><div style="height:4000px;background:linear-gradient(red,blue)">',
    '/slow': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<p>');
      endSlow = () => response.end('late');
    },
  });
});

afterAll(async () => {
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

const call = (client: Client, name: string, given: Record<string, unknown>) =>
  client.callTool({ name, arguments: given });

describe('on this machine, without key and server', () => {
  let client: Client;
  beforeAll(async () => {
    client = await stdioClient(['-o', join(folder, 'files')]);
  });
  afterAll(() => client?.close());

  it('the same tools work, and files are in the folder', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['screenshot', 'read_page', 'pdf', 'og_card', 'og_templates']);
    const shot = await call(client, 'screenshot', { url: `${site.url}/`, width: 500, height: 300 });
    expect(factsOf(shot)).toMatchObject({ width: 500, height: 300, status: 200, verdict: { ok: true } });
    const file = fileURLToPath(String(factsOf(shot).imageUrl));
    expect(file.startsWith(join(folder, 'files'))).toBe(true);
    expect((await sharp(await readFile(file)).metadata()).format).toBe('png');
    const pdf = await call(client, 'pdf', { markdown: '# Hello' });
    expect(factsOf(pdf)).toMatchObject({ pages: 1, format: 'pdf' });
    const card = await call(client, 'og_card', { template: 'quote', variables: { title: 'Hello' } });
    expect(imagesOf(card)).toHaveLength(1);
    expect(textsOf(await call(client, 'read_page', { url: `${site.url}/` })).at(-1)).toContain('Blue');
    expect((await readdir(join(folder, 'files'))).map((name) => name.replace(/-.*\./, '.')).sort()).toEqual([
      'og.png',
      'screenshot.pdf',
      'screenshot.png',
    ]);
  });

  it('a tile continues the picture of the first; a first one is taken anew', async () => {
    const given = { url: `${site.url}/tall`, fullPage: true };
    const first = await call(client, 'screenshot', given);
    const second = await call(client, 'screenshot', { ...given, tile: 2 });
    expect([factsOf(first).tiles, factsOf(second).tile]).toEqual([3, 2]);
    expect(factsOf(second).imageUrl).toBe(factsOf(first).imageUrl);
    expect(site.hits('/tall')).toBe(1);
    await call(client, 'screenshot', given);
    expect(site.hits('/tall')).toBe(2);
  });
});

describe('the process', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  const slow = {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'screenshot', arguments: { url: '' } },
  };

  /** Starts the process with a call that waits for the page. */
  async function startSlowCall() {
    const child = spawn(tintype, ['mcp', '-o', folder], { env: plainEnv });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const exited = new Promise((resolve) => child.once('close', resolve));
    const before = site.hits('/slow');
    slow.params.arguments.url = `${site.url}/slow`;
    child.stdin.write(`${JSON.stringify(initialize)}\n${JSON.stringify(slow)}\n`);
    while (site.hits('/slow') === before) await sleep(50);
    const browsers = descendantsOf(child.pid ?? 0).map(({ pid }) => pid);
    expect(browsers.length).toBeGreaterThan(0);
    const alive = () => browsers.filter((pid) => treeOf(pid).some(({ state }) => state !== 'Z'));
    // Nothing but the protocol is written.
    const answers = () => lines.map((line) => JSON.parse(line).id);
    return { child, exited, answers, alive };
  }

  it('ends with its browsers when its input has ended and the call is answered', async () => {
    const { child, exited, answers, alive } = await startSlowCall();
    child.stdin.end();
    endSlow();
    expect([await exited, answers()]).toEqual([0, [1, 2]]);
    await expect.poll(alive).toEqual([]);
  });

  it('ends with its browsers at a signal, without an answer to the call that was cut off', async () => {
    const { child, exited, answers, alive } = await startSlowCall();
    child.kill('SIGTERM');
    expect([await exited, answers()]).toEqual([0, [1]]);
    await expect.poll(alive).toEqual([]);
  });
});

describe('with a server', () => {
  let service: Service;
  let key: string;
  let client: Client;
  beforeAll(async () => {
    service = await startService();
    ({ key } = await service.customer('pro'));
    client = await stdioClient(['--server', service.url, '--key', key]);
  });
  afterAll(async () => {
    await client?.close();
    await service?.stop();
  });

  it('the server renders once, and its links are given', async () => {
    const before = site.hits('/tall');
    const given = { url: `${site.url}/tall`, fullPage: true, width: 640 };
    const first = await call(client, 'screenshot', { ...given, fresh: true });
    expect(factsOf(first)).toMatchObject({ width: 640, tiles: 3, verdict: { ok: true } });
    await call(client, 'screenshot', { ...given, tile: 3 });
    expect(site.hits('/tall')).toBe(before + 1);
    expect(String(factsOf(first).imageUrl)).toContain(`${service.url}/v1/files/`);
    expect(factsOf(await call(client, 'pdf', { html: '<p>Hi', margin: '5,5,5,5' }))).toMatchObject({ pages: 1 });
    const card = await call(client, 'og_card', { template: 'quote', width: 600, height: 315 });
    expect(factsOf(card)).toMatchObject({ width: 600, height: 315 });
    expect(textsOf(await call(client, 'read_page', { url: `${site.url}/` })).at(-1)).toContain('Blue');
    expect(textsOf(await call(client, 'og_templates', {}))[0]).toContain('quote: ');
  });

  it('its errors are those of the tools', async () => {
    const refused = await call(client, 'screenshot', { url: 'http://10.0.0.1/' });
    expect(factsOf(refused)).toMatchObject({ code: 'target_refused', parameter: 'url' });
    const wrong = await call(client, 'screenshot', { url: `${site.url}/`, width: 0 });
    expect(factsOf(wrong)).toMatchObject({ code: 'invalid_parameter', parameter: 'width' });
  });

  it('a wrong key and a server that is not there are told, without the key', async () => {
    const secret = `sk_live_${'a'.repeat(32)}`;
    const stranger = await stdioClient(['--server', service.url], { TINTYPE_KEY: secret });
    const result = await call(stranger, 'screenshot', { html: '<p>' });
    expect(factsOf(result)).toMatchObject({ code: 'invalid_api_key' });
    await stranger.close();
    const lost = await stdioClient(['--server', 'http://127.0.0.1:1'], { TINTYPE_KEY: secret });
    const nothing = await call(lost, 'screenshot', { html: '<p>' });
    expect(factsOf(nothing)).toMatchObject({ code: 'renderer_unavailable' });
    expect(JSON.stringify(nothing)).not.toContain(secret);
    await lost.close();
  });
});
