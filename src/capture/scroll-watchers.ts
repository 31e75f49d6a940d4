// Do scripts of a page watch its scrolling? The browser's debugger knows; the page does not see the question.
import type { Page } from './page.ts';

const watching = /scroll|wheel/i;

/** Libraries that move the content themselves listen for the wheel at the element that holds it. */
const turning = /wheel/i;
const mostLevels = 3;

/**
 * Looks for listeners of the window, the document and its outer elements, and for intersection observers. True if the page
 * cannot be asked.
 */
export async function isScrollWatched(page: Page): Promise<boolean> {
  try {
    const answers = await Promise.all([
      listens(page, 'window', watching),
      listens(page, 'document', watching),
      listens(page, 'document.documentElement', turning, mostLevels),
      observes(page),
    ]);
    return answers.includes(true);
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

async function observes(page: Page): Promise<boolean> {
  const prototypeObjectId = await objectOf(page, 'IntersectionObserver.prototype');
  if (prototypeObjectId === undefined) return true;
  const { objects } = await page.send('Runtime.queryObjects', { prototypeObjectId });
  return objects.description !== 'Array(0)';
}
