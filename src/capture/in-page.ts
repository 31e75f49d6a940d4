// What we run inside a page. It lives in an isolated world beside the page's own: a page that replaced Promise or
// Array.prototype can neither disturb nor see it.
import type { CdpSession } from './cdp.ts';
import type { PageFunctionName, PageFunctions, PageResult } from './in-page-types.ts';

/**
 * The functions of a library as text. Node strips their types when it loads them, and its compile cache keeps the result.
 * The address is computed so that tsc does not follow it: the library is checked on its own, with the DOM.
 */
export async function loadLibrary<Name extends string>(library: URL): Promise<Readonly<Record<Name, string>>> {
  const functions: Record<string, () => unknown> = await import(library.href);
  return Object.fromEntries(Object.entries(functions).map(([name, code]) => [name, String(code)])) as Record<
    Name,
    string
  >;
}

/**
 * Runs a function of a library in the page and adds what it returns to a global object. In a page with an element of that
 * name as id, the name is a global before we have made ours, but not an own property.
 */
export const addTo = (target: string, code: string): string =>
  `if (!Object.hasOwn(globalThis, '${target}')) globalThis.${target} = {};
Object.assign(globalThis.${target}, (${code})());\n`;

/** The pieces that are sent into a page, and their files. Nearly every picture needs the first: it is one message. */
const files = {
  common: ['family', 'base', 'inView', 'motion', 'unfinished', 'freeze', 'walls', 'facts'],
  reveal: ['appearance', 'outOfSight', 'parallax', 'hiddenElements', 'reveal'],
  inViewOnly: ['inViewOnly'],
  fullPage: ['elements', 'innerScroller', 'extent', 'unpin', 'frames', 'fullPage', 'placeFixed'],
  element: ['findElement', 'element'],
  print: ['print', 'canvases', 'fixedOnPaper', 'folded', 'sideways'],
} as const;
type Piece = keyof typeof files;
type PieceFile = (typeof files)[Piece][number];
const pieces = Object.keys(files) as Piece[];

const library = await loadLibrary<PieceFile>(new URL('./in-page/library.ts', import.meta.url));

/** Each piece is a script of its own with always the same text: a renderer compiles it once. */
const sources = Object.fromEntries(
  pieces.map((name) => [name, files[name].map((file) => addTo('tintype', library[file])).join('')]),
) as Record<Piece, string>;

const withPieces = (names: readonly Piece[], expression: string): string[] => [
  ...names.map((name) => sources[name]),
  expression,
];

/** A call of a library function, as an expression. */
export const callOf = <N extends PageFunctionName>(name: N, ...args: Parameters<PageFunctions[N]>): string =>
  `tintype.${name}(${args.map((arg) => JSON.stringify(arg)).join()})`;

/** These run in every document, most of which need nothing more: other functions bring all pieces that are not there yet. */
const needs: Partial<Record<PageFunctionName, readonly Piece[]>> = {
  isEmpty: ['common'],
  endLoad: ['common'],
  frames: ['common'],
  watch: ['common'],
  look: ['common'],
  lookAfterFrames: ['common'],
  looksUnfinished: ['common'],
  fontsReady: ['common'],
  has: ['common'],
  still: ['common'],
  hasContent: ['common'],
  facts: ['common'],
  placeOfElement: ['common', 'fullPage', 'element'],
};

const worldName = 'tintype';

/** A script for the start of every document. The browser runs it where the page has scripts of its own. */
export const onNewDocument = (session: CdpSession, script: string): Promise<unknown> =>
  session.send('Page.addScriptToEvaluateOnNewDocument', { source: script, worldName });

/**
 * Frames have real timestamps, and the page's clock may be far ahead of them. Animations compare both, so a callback gets the
 * page's time once they differ.
 */
const framesByTheClock = `(() => {
  const { apply } = Reflect;
  const now = performance.now.bind(performance);
  const wrap = (callback) => (time) => callback(now() - time > 100 ? now() : time);
  const handler = {
    apply: (request, self, args) =>
      apply(request, self, typeof args[0] === 'function' ? [wrap(args[0])] : args),
  };
  requestAnimationFrame = new Proxy(requestAnimationFrame, handler);
})()`;

/** In the page's own world, before its first script. */
export const followClock = (session: CdpSession): Promise<unknown> =>
  session.send('Page.addScriptToEvaluateOnNewDocument', { source: framesByTheClock });

/** One of our own expressions threw inside a page. */
export class InPageError extends Error {}

/** Our isolated world in one document. Its calls reject when the document is replaced. */
export type World = {
  /** Evaluates an expression that may use `tintype`, and waits for its promise. It needs all pieces unless `needed` says less. */
  run<T>(expression: string, needed?: readonly Piece[]): Promise<T>;
  call<N extends PageFunctionName>(name: N, ...args: Parameters<PageFunctions[N]>): Promise<PageResult<N>>;
};

/** Makes our world in the frame's document, and sends the common functions while the page still loads. */
export function openWorld(session: CdpSession, frameId: string): World {
  const contextId = makeWorld(session, frameId);
  contextId.catch(() => {});
  const missing = new Set(pieces);
  const run = async <R>(expression: string, needed: readonly Piece[] = pieces): Promise<R> => {
    const id = await contextId;
    const added = needed.filter((name) => missing.delete(name));
    return evaluateAll<R>(session, id, withPieces(added, expression));
  };
  run('0', ['common']).catch(() => {});
  return { run, call: (name, ...args) => run(callOf(name, ...args), needs[name]) };
}

const makeWorld = async (session: CdpSession, frameId: string): Promise<number> =>
  (await session.send('Page.createIsolatedWorld', { frameId, worldName })).executionContextId;

/** Evaluates scripts one after the other, and returns the result of the last. */
export function evaluateAll<T>(session: CdpSession, contextId: number, scripts: readonly string[]): Promise<T> {
  const answers = scripts.map((script) => evaluate<T>(session, contextId, script));
  for (const answer of answers) answer.catch(() => {});
  return answers.at(-1) as Promise<T>;
}

async function evaluate<T>(session: CdpSession, contextId: number, expression: string): Promise<T> {
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
