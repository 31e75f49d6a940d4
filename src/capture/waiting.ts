// A page that only waits (for a response, in a delay, for an element) needs memory but no CPU. This watches a page while
// it loads and settles, and gives its turn to other renders as long as it waits.
import { sleep } from '../kernel/deadline.ts';
import type { Turn } from '../kernel/turn.ts';
import type { Page } from './page.ts';

/** No network traffic for this long means waiting. Most pages are captured sooner. */
const quietMs = 120;
/** How often a working page and a waiting page are checked. */
const lookMs = 60;
const lookAgainMs = 200;
/** An idle page responds within a millisecond, on a busy machine within this; a computing page does not. */
const answerMs = 40;

/** Runs the work: the page's load and its waits. When it resolves, the page has its turn again. */
export async function pauseWhileWaiting<T>(page: Page, turn: Turn, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  // The turn may still be paused from a first try that crashed while it waited.
  void turn.resume();
  void look(page, turn, over.signal).catch(() => {});
  let result: T;
  try {
    result = await work();
  } finally {
    over.abort();
  }
  await page.race(turn.resume());
  return result;
}

async function look(page: Page, turn: Turn, over: AbortSignal): Promise<void> {
  for (let waits = false; ; ) {
    await sleep(waits ? lookAgainMs : lookMs, over);
    const now = isQuiet(page) && (isOnItsWay(page) || (await answersAtOnce(page)));
    over.throwIfAborted();
    if (now === waits) continue;
    waits = now;
    if (waits) turn.pause();
    // The page is already working; this only delays new renders.
    else void turn.resume();
  }
}

const isQuiet = ({ tab }: Page): boolean => performance.now() - tab.outlet.activeAt > quietMs;

/** During a navigation the browser holds commands back. */
const isOnItsWay = ({ frame }: Page): boolean => frame.current === undefined || frame.leaving;

async function answersAtOnce(page: Page): Promise<boolean> {
  const answer = page.session.send('Runtime.evaluate', { expression: '0' });
  answer.catch(() => {});
  return page.deadline.within(answerMs, answer).catch(() => false);
}
