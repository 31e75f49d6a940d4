// A page may be measured before its first frame. Sections with `content-visibility: auto` are not rendered until then.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTo, loadLibrary } from '../../src/capture/in-page.ts';
import { launchBrowser } from '../harness/driven-browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const library = await loadLibrary<string>(new URL('../../src/capture/in-page/library.ts', import.meta.url));
const load = Object.values(library)
  .map((code) => addTo('tintype', code))
  .join('');

const section =
  '<section style="content-visibility:auto;contain-intrinsic-size:10px"><div style="height:700px"></div></section>';
const body = `${section.repeat(6)}<div id=e style="width:100px;height:60px"></div>`;

/** The content is written and measured in one task, in which the browser draws nothing. */
async function inOneTask(call: string): Promise<unknown> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.setContent('<!doctype html><style>body{margin:0}</style>');
  const result = await page.evaluate(`${load} document.body.innerHTML = ${JSON.stringify(body)}; ${call}`);
  await page.close();
  return result;
}

it('an element below sections that are not rendered yet is where it will be', async () => {
  expect(await inOneTask(`tintype.prepareForElement().then(() => tintype.placeOfElement('#e', 0))`)).toMatchObject({
    box: { x: 0, y: 4200, width: 100, height: 60 },
    isInView: false,
  });
});

it('the whole page is as tall as it will be', async () => {
  expect(await inOneTask('tintype.beginScroll()')).toMatchObject({ height: 4260 });
});
