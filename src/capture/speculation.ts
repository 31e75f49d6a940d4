// Two guesses that save time on a page without scripts. Both are checked before their result is used, so the bytes are the
// same without them: `speculative: false` in the options of createCapturer switches them off.
import { evaluate, type RunFirst } from './in-page.ts';
import type { MainDocument } from './main-frame.ts';
import type { Page } from './page.ts';
import { type AskPicture, askForView, type CapturedPicture, isTooBig } from './screenshot.ts';

/**
 * The execution context of our world in a page without scripts. A renderer numbers its contexts from 1, and makes the
 * page's own only when a script of the page runs.
 */
const firstContext = 1;

/** True in isolated worlds only: the page's own world has a registry of custom elements, unless the page has hidden it. */
const isIsolated = 'customElements === null';

/**
 * Guesses the id of our world, so that the initial script is sent together with the command that makes the world: a page
 * without scripts would otherwise be painted before the script arrives. In another world than ours the script does
 * nothing, and its result is dropped.
 */
export const runInGuessedWorld: RunFirst = async <T>(...[session, world, script]: Parameters<RunFirst>) => {
  const guessed = evaluate<T | undefined>(session, firstContext, `if (${isIsolated}) {\n${script}\n}`);
  guessed.catch(() => {});
  const { contextId } = await world;
  return (contextId === firstContext ? await guessed : undefined) ?? evaluate<T>(session, contextId, script);
};

/**
 * Asks for the picture of the view as soon as a page has loaded without a script: its answer that it is at rest takes a few
 * milliseconds, which may be a whole frame. The picture is used if nothing had to be waited for or changed until then.
 */
export function askAhead(page: Page): AskPicture {
  const ask = askForView(page);
  let ahead: { readonly document: MainDocument; readonly picture: Promise<CapturedPicture> } | undefined;
  let isOver = false;
  const askEarly = async () => {
    await page.loaded();
    const document = page.frame.current;
    if (!document || !(await page.race(hadLoadedWithoutScript(document))) || page.frame.current !== document) return;
    if (isOver || page.frame.leaving || isTooBig(page.request)) return;
    ahead = { document, picture: ask() };
  };
  askEarly().catch(() => {});
  return () => {
    const { document, picture } = ahead ?? {};
    ahead = undefined;
    isOver = true;
    if (!picture || document !== page.frame.current) return ask();
    if (page.atRest?.untouched) return picture.catch(ask);
    // One after the other: each capture sets the size of the page and resets it.
    return picture.then(ask, ask);
  };
}

/** The document had loaded when our world was made, and no script of its own had run. */
async function hadLoadedWithoutScript({ world, loadedAt }: MainDocument): Promise<boolean> {
  const { contextId, madeAt } = await world.made;
  return contextId === firstContext && loadedAt !== undefined && loadedAt <= madeAt;
}
