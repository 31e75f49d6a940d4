import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { effectiveRequest } from '../../src/capture/capture-request.ts';
import { Connection } from '../../src/capture/cdp.ts';
import { Page } from '../../src/capture/page.ts';
import { screenshotParameters } from '../../src/capture/parameters.ts';
import type { Tab } from '../../src/capture/tab.ts';
import { Deadline } from '../../src/kernel/deadline.ts';
import { parse } from '../../src/kernel/parameters.ts';

/** A page whose browser says only what the test makes it say. */
function quietPage() {
  const session = new Connection(new PassThrough(), new PassThrough()).session('page');
  const request = effectiveRequest(parse(new Map([['url', 'https://example.com']]), screenshotParameters));
  const page = new Page({ session, frameId: 'main' } as Tab, request, new Deadline(20_000));
  let documents = 0;
  const leave = () =>
    session.emit('Page.frameNavigated', {
      frame: { id: 'main', loaderId: `document-${++documents}`, url: 'https://example.com/' },
    });
  leave();
  page.settled = async () => page.frame.current as never;
  return { page, leave };
}

it('a page that goes on to another document once is captured from the beginning', async () => {
  const { page, leave } = quietPage();
  let takes = 0;
  const taken = await page.follow(async () => {
    takes++;
    if (takes > 1) return page.capture(async () => 'picture');
    setTimeout(leave, 10);
    return page.capture(() => new Promise<string>(() => {}));
  });
  expect([taken, takes]).toEqual(['picture', 2]);
});

it('a page that goes on to another document whenever it is captured is given up, not captured for ever', async () => {
  const { page, leave } = quietPage();
  let takes = 0;
  const taken = page.follow(() => {
    takes++;
    setTimeout(leave, 10);
    return page.capture(() => new Promise<string>(() => {}));
  });
  await expect(taken).rejects.toMatchObject({
    code: 'render_timeout',
    message: expect.stringContaining('4 capture attempts'),
  });
  expect(takes).toBe(4);
});
