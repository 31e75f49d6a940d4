// A page that only waits (for an answer, in a delay, for an element) needs memory and no processor. This looks at a page
// while it loads and settles, and gives its turn away for as long as it waits.
import { sleep } from '../kernel/deadline.ts';
import type { Turn } from '../kernel/turn.ts';
import type { Page } from './page.ts';

/** Nothing was asked for and nothing came for so long. Most pages are captured before that. */
const quietMs = 120;
/** How often a page is looked at: one that works, and one that waits. */
const lookMs = 60;
const lookAgainMs = 200;
/** An idle page answers within a millisecond, and within this on a busy machine; one that computes does not. */
const answerMs = 40;

/** Does the work, which is the page's load and its waits. When it is done, the page has its turn again. */
export async function pauseWhileWaiting<T>(page: Page, turn: Turn, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  // A page that crashed while it waited is tried again.
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
    // The page works already: this only holds up newcomers.
    else void turn.resume();
  }
}

const isQuiet = ({ slot }: Page): boolean => performance.now() - slot.outlet.activeAt > quietMs;

/** While a document is on its way the browser keeps back what is asked of the page. */
const isOnItsWay = ({ frame }: Page): boolean => frame.current === undefined || frame.leaving;

async function answersAtOnce(page: Page): Promise<boolean> {
  const answer = page.session.send('Runtime.evaluate', { expression: '0' });
  answer.catch(() => {});
  return page.deadline.within(answerMs, answer).catch(() => false);
}
