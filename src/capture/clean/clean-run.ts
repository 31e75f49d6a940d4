// The cleaning of one page, from before its navigation to right before its capture.
import type { Deadline } from '../../kernel/deadline.ts';
import type { Log } from '../../kernel/log.ts';
import type { CleanPage, CleanRun, Wants } from './clean-types.ts';
import { type Consent, optOut } from './consent.ts';
import { type Frames, watchFrames } from './frames.ts';
import { withBoxes } from './in-page.ts';
import type { Lists } from './lists.ts';
import { type Blocking, blockRequests } from './network.ts';
import { bannerInSight, type Swept, sweep } from './sweep.ts';

/** The longest wait for an opt-out that has begun. */
const consentCapMs = 3000;
/**
 * What the looks at a page may take together, which is also at most a third of the time that is left. A page that does not
 * respond is captured as it is. A machine under load takes seconds for a look.
 */
const looksCapMs = 10_000;
/** For a page that did not respond before, but may now. */
const leastMs = 250;

export async function startRun(page: CleanPage, wants: Wants, lists: Lists, log?: Log): Promise<CleanRun> {
  let frames: Frames | undefined;
  const asked = [...(wants.ads ? [lists.ads] : []), ...(wants.cookies ? [lists.cookies] : [])];
  const blocking = blockRequests(asked, () => frames);
  const consent = wants.cookies ? optOut(() => frames) : undefined;
  const setUp = page.setUp(blocking.handler);
  const frame: typeof setUp.frame = (session) => Promise.all([setUp.frame(session), consent?.wire(session)]);
  frames = await watchFrames(page, { ...setUp, frame });
  const watched = frames;
  let swept: Swept | undefined;
  let seen = false;
  let left: number | undefined;

  /** Bounded, and a failure is only logged: undefined if the page did not respond. */
  async function attempt<T>(deadline: Deadline, name: string, work: Promise<T>): Promise<T | undefined> {
    let result: T | undefined;
    left ??= Math.min(looksCapMs, deadline.remaining() / 3);
    const before = deadline.remaining();
    const guarded = work.then(
      (value) => {
        result = value;
      },
      (error: unknown) => log?.debug({ err: error, name }, 'cleaning a page failed'),
    );
    if (!(await deadline.within(Math.max(left, leastMs), guarded)))
      log?.debug({ name }, 'cleaning a page took too long');
    left -= before - deadline.remaining();
    return result;
  }

  return {
    async afterLoad(deadline) {
      if (!consent) return;
      seen = (await attempt(deadline, 'look', bannerInSight(watched))) ?? false;
      await consent.settled(deadline, consentCapMs, seen);
    },
    async beforeCapture(deadline) {
      if (consent) await attempt(deadline, 'stop', consent.stop());
      if (wants.ads) await attempt(deadline, 'hide', hideAds(watched, lists));
      await attempt(deadline, 'close', closeBoxes(watched, blocking));
      if (consent) await sweepBanners(deadline, consent);
    },
    async bannerCame(deadline) {
      // If the page did not respond before, or has a banner that cannot be removed, another look would not help.
      if (swept?.left !== false) return false;
      return (await attempt(deadline, 'look again', bannerInSight(watched))) ?? false;
    },
    get bannerLeft() {
      // A page that does not respond any more still has the banner that was seen.
      return swept?.left ?? seen;
    },
  };

  async function sweepBanners(deadline: Deadline, { popupFound }: Consent): Promise<void> {
    swept = undefined;
    // A page that responds late may still do so before its picture is taken.
    const record = (result: Swept) => {
      swept = result;
      log?.debug({ popupFound, ...result }, 'cookie banners');
    };
    await attempt(deadline, 'sweep', sweep(watched, lists.cookies, popupFound).then(record));
  }
}

async function hideAds(frames: Frames, lists: Lists): Promise<void> {
  const main = frames.main();
  const css = lists.ads.styles(main.url, await withBoxes(main, 'namesInUse'));
  if (css !== '') await withBoxes(main, 'applyAds', css);
}

async function closeBoxes(frames: Frames, { blocked }: Blocking): Promise<void> {
  await Promise.all(
    [...blocked].map(async ([frameId, urls]) => {
      const frame = frames.get(frameId);
      if (frame) await withBoxes(frame, 'closeBoxes', [...urls]);
    }),
  );
}
