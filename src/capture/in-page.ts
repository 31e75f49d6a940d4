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
  common: ['family', 'settle', 'inView', 'loading', 'motion', 'unfinished', 'freeze', 'walls', 'facts'],
  reveal: ['appearance', 'outOfSight', 'parallax', 'hiddenElements', 'reveal'],
  inViewOnly: ['inViewOnly'],
  fullPage: ['elements', 'innerScroller', 'extent', 'unpin', 'frames', 'fullPage', 'slides', 'placeFixed'],
  element: ['findElement', 'element'],
  print: ['print', 'canvases', 'fixedOnPaper', 'folded', 'sideways'],
} as const;
type Piece = keyof typeof files;
type PieceFile = (typeof files)[Piece][number];
const pieces = Object.keys(files) as Piece[];

const library = await loadLibrary<PieceFile | 'watchBuilding' | 'rehearse'>(
  new URL('./in-page/library.ts', import.meta.url),
);

/**
 * A script that does nothing outside of isolated worlds: the page's own world has a registry of custom elements, unless the
 * page has hidden it.
 */
const inOurWorld = (script: string): string => `if (customElements === null) {\n${script}\n}`;

/** Each piece is a script of its own with always the same text: a renderer compiles it once. */
const sources = Object.fromEntries(
  pieces.map((name) => [name, inOurWorld(files[name].map((file) => addTo('tintype', library[file])).join(''))]),
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
  stop: [],
  endLoad: [],
  facts: ['common'],
  placeOfElement: ['common', 'fullPage', 'element'],
};

/**
 * The first expression that is run in a document, and the pieces of our library it needs. The picture waits until the page
 * has read them, so the others come with a later expression.
 */
export type InitialScript = {
  readonly pieces: readonly Piece[];
  readonly expression: string;
  readonly runFirst?: RunFirst;
};

const worldName = 'tintype';

/** A script for the start of every document. The browser runs it where the page has scripts of its own. */
export const onNewDocument = (session: CdpSession, script: string): Promise<unknown> =>
  session.send('Page.addScriptToEvaluateOnNewDocument', { source: script, worldName });

export const watchBuilding = (session: CdpSession): Promise<unknown> =>
  onNewDocument(session, `(${library.watchBuilding})();`);

/** One of our own expressions threw inside a page. */
export class InPageError extends Error {}

/** Our isolated world in one document. Its calls reject when the document is replaced. */
export type World = {
  /** Evaluates an expression that may use `tintype`, and waits for its promise. It needs all pieces unless `needed` says less. */
  run<T>(expression: string, needed?: readonly Piece[]): Promise<T>;
  call<N extends PageFunctionName>(name: N, ...args: Parameters<PageFunctions[N]>): Promise<PageResult<N>>;
};

/** Runs the initial scripts in a world that is being made; `contextId` is its execution context. */
export type RunFirst = <T>(session: CdpSession, contextId: Promise<number>, scripts: readonly string[]) => Promise<T>;

const runWhenMade: RunFirst = async (session, contextId, scripts) => evaluateAll(session, await contextId, scripts);

/** Makes the world and runs the initial script in it. All commands are sent while the page still loads. */
export function openWorld<T>(
  session: CdpSession,
  frameId: string,
  { pieces: first, expression, runFirst = runWhenMade }: InitialScript,
): { world: World; answer: Promise<T> } {
  const contextId = makeWorld(session, frameId);
  const answer = runFirst<T>(session, contextId, withPieces(first, inOurWorld(expression)));
  for (const promise of [contextId, answer]) promise.catch(() => {});
  const missing = new Set(pieces.filter((name) => !first.includes(name)));
  const run = async <R>(expression: string, needed: readonly Piece[] = pieces): Promise<R> => {
    const id = await contextId;
    const added = needed.filter((name) => missing.delete(name));
    return evaluateAll<R>(session, id, withPieces(added, expression));
  };
  return { world: { run, call: (name, ...args) => run(callOf(name, ...args), needs[name]) }, answer };
}

const makeWorld = async (session: CdpSession, frameId: string): Promise<number> =>
  (await session.send('Page.createIsolatedWorld', { frameId, worldName })).executionContextId;

/**
 * Runs what most pictures need on the blank page of a tab, so that it is compiled when the real page follows in the same
 * renderer. Returns the id that the execution context of our world will have there.
 */
export async function rehearse(session: CdpSession, frameId: string): Promise<number> {
  const contextId = await makeWorld(session, frameId);
  await evaluateAll(session, contextId, withPieces(['common', 'fullPage'], `(${library.rehearse})()`));
  return contextId + 1;
}

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
