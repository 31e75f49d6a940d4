// tintype templates dev: cards, changes, mistakes, and what it refuses.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
let url: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tintype-dev-'));
  await writeFile(join(folder, 'hero.html'), page('#ff0000'));
  const program = join(import.meta.dirname, '../../src/cli.ts');
  const child = spawn(process.execPath, [program, 'templates', 'dev', folder, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Without the settings of the test runner.
    env: { PATH: process.env.PATH ?? '' },
  });
  stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  url = /http:\S+/.exec(line)?.[0] ?? '';
});
afterAll(async () => {
  await stop?.();
  await rm(folder, { recursive: true, force: true });
});

const page = (color: string) => `<div class="w-full h-full" style="background: ${color}">{{title}}</div>`;
const card = (template: string, shape = 'wide') =>
  fetch(`${url}card?template=${template}&shape=${shape}&values=example`);

it('paints every template at three shapes', async () => {
  for (const [shape, width, height] of [
    ['wide', 1200, 630],
    ['square', 840, 840],
    ['tall', 720, 1280],
  ] as const) {
    const image = sharp(Buffer.from(await (await card('hero', shape)).arrayBuffer()));
    expect(await image.metadata()).toMatchObject({ format: 'png', width, height });
    const { dominant } = await image.stats();
    expect(dominant.r).toBeGreaterThan(200);
  }
});

it('tells the page when a file is saved, and shows mistakes with line and column', async () => {
  const changes = await fetch(`${url}changes`);
  const reader = (changes.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await writeFile(join(folder, 'hero.html'), '<div>\n  {{#if a}}</div>{{/if}}');
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: changed\n\n');
  await reader.cancel();
  const { templates } = (await (await fetch(`${url}state`)).json()) as { templates: object[] };
  expect(templates).toEqual([
    expect.objectContaining({ name: 'hero', fault: 'hero.html:2:3: {{#if}} must be closed before its element ends.' }),
  ]);
  const answer = await card('hero');
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('hero.html:2:3')]);
});

it('serves nothing but its page and cards, to this page only', async () => {
  const status = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<number | undefined>((resolve, reject) => {
      request(new URL(url), { path, headers, method }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
  expect(await status('/')).toBe(200);
  expect(await status('/', { host: 'attacker.example' })).toBe(403);
  expect(await status('/card?template=hero&shape=wide', { 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await status('/state', {}, 'POST')).toBe(405);
  for (const path of ['/hero.html', '/../package.json', '/%2e%2e/%2e%2e/main.ts', '/previews.ts', '/constructor'])
    expect(await status(path)).toBe(404);
  for (const name of ['..%2Fhero', '%2Fetc%2Fpasswd', '__proto__'])
    expect(await status(`/card?template=${name}&shape=wide`)).toBe(422);
});
