// A template loads nothing by itself, however it is written.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHtmlPainter, type HtmlPainter } from '../../src/cards/html/html-painter.ts';
import { Deadline } from '../../src/kernel/deadline.ts';
import { createLog } from '../../src/kernel/log.ts';

let painter: HtmlPainter;
let asked = 0;
const server = createServer((_request, response) => {
  asked++;
  response.end();
});
beforeAll(async () => {
  painter = createHtmlPainter(createLog('silent'), 1);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await painter.stop();
  server.close();
});

const canvas = { width: 200, height: 105, format: 'png', quality: 80 } as const;
const paint = (source: string) =>
  painter.paint({ source, variables: {}, files: [], values: {}, pictures: [], canvas }, new Deadline(20_000));

it.each([
  ['<div style="background: \\75rl(ADDRESS)">x</div>'],
  ['<style>.a { background: \\55 RL("ADDRESS") }</style><div class="a">x</div>'],
  ['<style>.a { background: image-set("ADDRESS" 1x) }</style><div class="a">x</div>'],
  ['<div class="bg-[url(\\"ADDRESS\\")]">x</div>'],
  ['<style>@\\69mport "ADDRESS";</style>x'],
  ['<svg width="9" height="9"><rect fill="u\\rl(ADDRESS)" width="9" height="9"/></svg>'],
])('%s asks nobody', async (source) => {
  const { port } = server.address() as AddressInfo;
  // Painted without it, or refused.
  await paint(source.replace('ADDRESS', `http://127.0.0.1:${port}/a.png`)).catch((error) =>
    expect(error).toMatchObject({ code: 'invalid_parameter' }),
  );
  expect(asked).toBe(0);
});

it.each([
  ['<svg><image href="/etc/hostname"/></svg>', '<image> cannot be used in a drawing'],
  ['<svg><use   href                              =  "file:///etc/hostname"/></svg>', 'only name its own parts'],
  ['<svg><use xlink:href="&#104;ttp://example.com"/></svg>', 'only name its own parts'],
  ['<svg><rect style="fill: url( http://example.com )"/></svg>', 'only name its own parts'],
  ['<svg onload="x"></svg>', 'nothing runs'],
  ['<svg><{{#if t}}{{/if}}image href="data:image/png;base64,"/></svg>', '<image> cannot be used in a drawing'],
  ['<svg><{{#if t}}g{{else}}image{{/if}} href="#a"/></svg>', '<image> cannot be used in a drawing'],
  ['<svg><g {{#if t}}{{/if}}onload="x"/></svg>', 'cannot'],
  ['<style>.a { background: u{{#if t}}{{/if}}rl(http://example.com) }</style>', 'cannot be put together'],
  ['<style>.a { background: ur{{#if t}}x{{else}}l{{/if}}(http://example.com) }</style>', 'cannot be put together'],
  ['<style>@im{{#if t}}{{/if}}port "http://example.com";</style>', 'cannot be put together'],
  ['<p style="background: u{{#if t}}{{/if}}rl(http://example.com)">x</p>', 'cannot be put together'],
  ['<p class="bg-[u{{#if t}}{{/if}}rl(http://example.com)]">x</p>', 'cannot be put together'],
  ['<svg><foreignObject><b>x</b></foreignObject></svg>', 'cannot be used in a drawing'],
  ['<p style="background: u\\72l(file:///etc/hostname)">x</p>', 'cannot be written with escapes'],
  ['<style>.a { background: \\55 RL("http://example.com") }</style>', 'cannot be written with escapes'],
  ['<style>@\\69mport "http://example.com";</style>', 'cannot be written with escapes'],
  ['<style>.a { background: u\\0072 l{{#if t}}{{/if}}(http://example.com) }</style>', 'cannot be put together'],
  ['<svg><rect style="fill: u\\72l(http://example.com)"/></svg>', 'only name its own parts'],
])('%s is refused', async (source, message) => {
  await expect(paint(source)).rejects.toThrow(message);
});

it('blocks around whole parts are painted', async () => {
  const drawing =
    '<svg width="9" height="9">{{#if t}}<g/>{{else}}<rect fill="#f00" width="9" height="9"/>{{/if}}</svg>';
  const style = '<style>{{#unless t}}.a { background: url(a.png) }{{/unless}}</style>';
  expect((await paint(`${style}<div class="a">${drawing}</div>`)).bytes.length).toBeGreaterThan(0);
});

it('an empty {{else}} shows nothing', async () => {
  const painted = await Promise.all(['<p>{{#if t}}x{{/if}}</p>', '<p>{{#if t}}x{{else}}{{/if}}</p>'].map(paint));
  expect(painted[1]?.bytes).toEqual(painted[0]?.bytes);
});
