// When a page gives its turn to another: it only waits. The turn is the test's own, so nothing else takes it away.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deadline } from '../../src/kernel/deadline.ts';
import { type CaptureHarness, openCaptureHarness, pixels } from './capture-harness.ts';

let harness: CaptureHarness;
const never = () => {};
beforeAll(async () => {
  harness = await openCaptureHarness({ concurrency: 1, pages: 6 });
  harness.site.on('/never', never);
});
afterAll(() => harness.close());

const green = '<body style="margin:0;background:#00aa00">';

/** A turn that writes down what is asked of it. `resume` waits for `open`. */
function turn() {
  const said: string[] = [];
  const paused = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  return {
    said,
    paused: paused.promise,
    open: open.resolve,
    pause() {
      said.push('pause');
      paused.resolve();
    },
    resume() {
      if (said.at(-1) === 'pause') said.push('resume');
      return said.length === 0 ? Promise.resolve() : open.promise;
    },
  };
}

describe('a page gives its turn away', () => {
  it.each([
    ['while its document does not come', () => `${harness.site.origin}/never`, {}],
    ['while a picture does not come', () => harness.site.page(`${green}<img src="/never">`), {}],
    ['while a script does not come', () => harness.site.page(`${green}<script src="/never"></script>`), {}],
    [
      'while the page it leads to does not come',
      () => harness.site.page(`${green}<script>location='/never'</script>`),
      {},
    ],
    ['while an element does not come', () => harness.site.page(green), { waitForSelector: '.never' }],
    ['in a delay', () => harness.site.page(green), { delay: 10_000 }],
  ])('%s', async (_what, page, query) => {
    const own = turn();
    const deadline = new Deadline(30_000);
    const shot = harness.capture(page(), query, deadline, own);
    shot.catch(() => {});
    await Promise.race([own.paused, shot]);
    expect(own.said).toContain('pause');
    deadline.cancel();
    await expect(shot).rejects.toThrow();
  });

  it('and has a slot again before its picture is taken', async () => {
    const own = turn();
    const late = Promise.withResolvers<void>();
    harness.site.on('/late', (_request, response) => {
      void late.promise.then(() => response.end());
    });
    let done = false;
    const shot = harness
      .capture(harness.site.page(`${green}<img src="/late">`), {}, undefined, own)
      .then((captured) => {
        done = true;
        return captured;
      });
    await own.paused;
    late.resolve();
    await expect.poll(() => own.said.at(-1)).toBe('resume');
    expect(done).toBe(false);
    own.open();
    expect((await pixels((await shot).bytes)).at(500, 500)).toBe('#00aa00');
  });
});

it('a page that computes keeps its turn, although its network is quiet', async () => {
  const own = turn();
  const deadline = new Deadline(6000);
  const loop = harness.site.page(`${green}<script>for (;;);</script>`);
  await expect(harness.capture(loop, {}, deadline, own)).rejects.toMatchObject({ code: 'render_timeout' });
  // On its way to the loop it may have been quiet for a moment.
  expect(own.said.at(-1)).not.toBe('pause');
});

it('pages that wait are open beside those that are made in advance', async () => {
  const waits = Array.from({ length: 4 }, () => ({ turn: turn(), deadline: new Deadline(30_000) }));
  const shots = waits.map(({ deadline, turn: own }) =>
    harness.capture(`${harness.site.origin}/never`, {}, deadline, own),
  );
  for (const shot of shots) shot.catch(() => {});
  await Promise.all(waits.map(({ turn: own }) => own.paused));
  // As if nothing waited: one for a page that works, and one more; one in the spare browser, which comes after ten renders.
  const spare = harness.capturer.health().renders < 10 ? 0 : 1;
  await expect.poll(() => harness.capturer.health()).toMatchObject({ pagesOpen: 4, pagesReady: 2 + spare });
  for (const { deadline } of waits) deadline.cancel();
  await Promise.allSettled(shots);
});
