// What we run inside a page. The scripts are plain files; they live in a world of their own beside the page's,
// so that a page which replaced Promise or Array.prototype cannot disturb them, and cannot see them.
import { readFileSync } from 'node:fs';
import type { Session } from './cdp.ts';

const source = (name: string): string => readFileSync(new URL(`./in-page/${name}.js`, import.meta.url), 'utf8');

const pieces = ['settle', 'freeze', 'reveal', 'in-view-only', 'full-page', 'walls', 'facts'] as const;
type Piece = (typeof pieces)[number];
/** The wait for a page at rest is one piece in several files. */
const filesOf: Partial<Record<Piece, readonly string[]>> = {
  settle: ['settle', 'in-view', 'loading', 'motion', 'unfinished'],
};
const block = (file: string): string => `{\n${source(file)}\n}\n`;
const library = new Map(pieces.map((name) => [name, (filesOf[name] ?? [name]).map(block).join('')]));
const piecesBut = (names: readonly Piece[]) => pieces.filter((name) => !names.includes(name));
const sourceOf = (names: readonly Piece[]): string => names.map((name) => library.get(name)).join('');

/**
 * The first expression that is run in a document, and the pieces of our library it needs: what a page has to read before
 * its picture, its picture waits for. The others come with the second expression.
 */
export type FirstWords = { readonly pieces: readonly Piece[]; readonly expression: string };

const worldName = 'tintype';

/** A script for the start of every document. The browser runs it where the page has scripts of its own. */
export const onNewDocument = (session: Session, script: string): Promise<unknown> =>
  session.send('Page.addScriptToEvaluateOnNewDocument', { source: script, worldName });

const watchBuildingScript = source('watch-building');

export const watchBuilding = (session: Session): Promise<unknown> => onNewDocument(session, watchBuildingScript);

export type Facts = {
  readonly title: string;
  readonly url: string;
  readonly status: number;
  /** Nothing to read and nothing to look at; what colours there are, the picture tells. */
  readonly blank: boolean;
  /** Whose bot check stands in front of the page; empty if none. */
  readonly wall: string;
  /** A field for a password can be seen. */
  readonly asksForPassword: boolean;
  /** There is not much to read. */
  readonly isShort: boolean;
  readonly failedImages: number;
  /** Pictures that are missing in the region that was captured, backgrounds included. */
  readonly failedInView: number;
  readonly failedFonts: number;
};

/** How a document was left when it had settled: ready for its picture, and then perhaps unfolded; or as it is. */
export type Settled = {
  readonly atRest: boolean;
  /** Nothing had to be waited for or changed: it was at rest when it had loaded. */
  readonly untouched?: boolean;
  /** It has scripts that may still wait for an answer of the network. */
  readonly actsLater?: boolean;
  readonly unfolded?: Unfolded;
};

/** The size of a page, in CSS pixels. */
export type Extent = {
  readonly width: number;
  readonly height: number;
  /** What the page is laid out for: a phone may show more than that at once. */
  readonly viewWidth: number;
  readonly viewHeight: number;
  readonly hidden: number;
  readonly zoom: number;
  /** Where in the page the window is. */
  readonly view: { readonly x: number; readonly y: number };
  /** The page may overflow to the left of where it begins, as those from right to left do. */
  readonly leftward: boolean;
};

/** Without a size where a script may still be at work on the page. */
export type Unfolded = {
  readonly ended: boolean;
  readonly extent?: Extent;
  /** From here on, in CSS pixels, there was no time to wait for what scrolling brings. */
  readonly hurried?: number;
  /** What was seen on the way down is gone at the top. */
  readonly inViewOnly?: boolean;
  /** Windows of content that neither scrolling nor the wheel reaches. */
  readonly stuck?: number;
};

/** One of our own expressions threw inside a page: something about that page is not as pages are. */
export class InPageError extends Error {}

/** A document's own world of ours. Its calls reject when the document goes away. */
export type World = {
  /** Evaluates an expression that may use `tintype`, and waits for its promise. */
  run<T>(expression: string): Promise<T>;
};

/** A renderer numbers its worlds, and makes the page's own only when a script of the page runs: without one, ours is this. */
const firstWorld = 1;

/** True in our worlds only: a page's own has a registry of custom elements, unless the page has hidden it. */
const notThePages = 'customElements === null';

/**
 * Makes the world and runs the first expression in it. Both are on their way while the page still loads, so that nothing
 * has to be asked for between `load` and the picture; and both at once, for the number the world will have can be guessed:
 * a page without scripts would else be painted before the second message comes. A wrong guess does nothing, and what it
 * might do in a page that pretends to be one of our worlds is not looked at.
 */
export function openWorld<T>(
  session: Session,
  frameId: string,
  { pieces: first, expression }: FirstWords,
): { world: World; answer: Promise<T>; isFirst: Promise<boolean> } {
  const context = session
    .send('Page.createIsolatedWorld', { frameId, worldName })
    .then(({ executionContextId }) => executionContextId);
  const script = sourceOf(first) + expression;
  const guessed = evaluate<T | undefined>(session, firstWorld, `if (${notThePages}) {\n${script}\n}`);
  const isFirst = context.then((id) => id === firstWorld);
  const answer = context.then(
    async (id) => (id === firstWorld ? await guessed : undefined) ?? evaluate<T>(session, id, script),
  );
  for (const promise of [guessed, answer, isFirst]) promise.catch(() => {});
  let missing = sourceOf(piecesBut(first));
  const run = async <R>(expression: string): Promise<R> => {
    const id = await context;
    const script = missing + expression;
    missing = '';
    return evaluate<R>(session, id, script);
  };
  return { world: { run }, answer, isFirst };
}

async function evaluate<T>(session: Session, contextId: number, expression: string): Promise<T> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    contextId,
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails)
    throw new InPageError(
      `In the page: ${(exceptionDetails.exception?.description ?? exceptionDetails.text).slice(0, 1000)}`,
    );
  return result.value as T;
}
