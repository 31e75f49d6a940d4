// Do scripts of a page watch its scrolling, or its size? The browser's debugger knows; the page does not see the question.
import type { Page } from './page.ts';

const scrolling = /scroll|wheel/i;
const resizing = /resize|print/i;

/** Libraries that move the content themselves listen for the wheel at the element that holds it. */
const turning = /wheel/i;
const mostLevels = 3;

/**
 * By listeners of the window, the document and its outer elements, or by intersection observers. Those are only looked for if a
 * script may have made some: the browser collects its garbage for that, which takes 20 ms and more.
 */
export const isScrollWatched = (page: Page, mayObserve: boolean): Promise<boolean> =>
  anyOf(page, [
    listens(page, 'window', scrolling),
    listens(page, 'document', scrolling),
    listens(page, 'document.documentElement', turning, mostLevels),
    ...(mayObserve ? [exists(page, 'IntersectionObserver')] : []),
  ]);

/** By listeners of the window. */
export const isSizeWatched = (page: Page): Promise<boolean> => anyOf(page, [listens(page, 'window', resizing)]);

/** True if the page cannot be asked, too. */
async function anyOf(page: Page, questions: readonly Promise<boolean>[]): Promise<boolean> {
  try {
    return (await Promise.all(questions)).includes(true);
  } catch (error) {
    page.deadline.throwIfOver();
    if (page.session.signal.aborted) throw error;
    return true;
  }
}

const objectOf = async (page: Page, expression: string): Promise<string | undefined> => {
  const { result } = await page.send('Runtime.evaluate', { expression, silent: true });
  return result.objectId;
};

async function listens(page: Page, target: string, to: RegExp, depth = 1): Promise<boolean> {
  const objectId = await objectOf(page, target);
  if (objectId === undefined) return true;
  const { listeners } = await page.send('DOMDebugger.getEventListeners', { objectId, depth });
  return listeners.some(({ type }) => to.test(type));
}

/** Has the page any object of this kind? */
async function exists(page: Page, kind: string): Promise<boolean> {
  const prototypeObjectId = await objectOf(page, `${kind}.prototype`);
  if (prototypeObjectId === undefined) return true;
  const { objects } = await page.send('Runtime.queryObjects', { prototypeObjectId });
  return objects.description !== 'Array(0)';
}
