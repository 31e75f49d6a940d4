// The frames of a page, each with its session: a frame of another site is a target of its own.
import { setUpTargets, type TargetSetUp } from '../targets.ts';
import type { CleanPage, CleanSession } from './clean-types.ts';

export type PageFrame = {
  readonly id: string;
  readonly session: CleanSession;
  readonly url: string;
  readonly parentId?: string | undefined;
};

export type Frames = {
  readonly mainId: string;
  get(id: string): PageFrame | undefined;
  main(): PageFrame;
  all(): PageFrame[];
};

/** The isolated world of the cleaning scripts: it shares the DOM but no JavaScript with the page and the other worlds. */
export const worldName = 'tintype-clean';

/** A newspaper with advertisements has about 50 frames. */
const mostFrames = 1000;

export async function watchFrames(page: CleanPage, setUp: TargetSetUp): Promise<Frames> {
  const known = new Map<string, PageFrame>();
  const know = (frame: PageFrame) => {
    if (known.size < mostFrames || known.has(frame.id)) known.set(frame.id, frame);
  };

  async function listen(session: CleanSession): Promise<void> {
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) => {
      know({ id: frameId, session, url: '', parentId: parentFrameId });
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      const parentId = frame.parentId ?? known.get(frame.id)?.parentId;
      know({ id: frame.id, session, url: frame.url, parentId });
    });
    // A swap is the same frame in another process; its new session reports it.
    session.on('Page.frameDetached', ({ frameId, reason }) => reason !== 'swap' && known.delete(frameId));
    await Promise.all([session.send('Page.enable'), setUp.frame(session)]);
  }

  const { frameTree } = await page.send('Page.getFrameTree');
  const mainId = frameTree.frame.id;
  const blank: PageFrame = { id: mainId, session: page, url: page.url };
  known.set(mainId, blank);
  await setUpTargets(page, page.session, { ...setUp, frame: listen });
  return { mainId, get: (id) => known.get(id), main: () => known.get(mainId) ?? blank, all: () => [...known.values()] };
}

/** Our world in the frame's current document. */
async function worldOf({ id, session }: PageFrame): Promise<number> {
  return (await session.send('Page.createIsolatedWorld', { frameId: id, worldName })).executionContextId;
}

/** Evaluates in our world of the frame and returns the value. Rejects if the script throws. */
export async function inWorld<T>(frame: PageFrame, expression: string): Promise<T> {
  const contextId = await worldOf(frame);
  const answer = await frame.session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
  if (answer.exceptionDetails) throw new Error(exceptionText(answer.exceptionDetails));
  return answer.result.value as T;
}

/** The object id of the expression's value, for commands that take one. */
export async function handleInWorld(frame: PageFrame, expression: string): Promise<string | undefined> {
  const answer = await frame.session.send('Runtime.evaluate', { expression, contextId: await worldOf(frame) });
  return answer.result.objectId;
}

/** Calls a function of our world with a node that scripts cannot reach. */
export async function askOfNode<T>(frame: PageFrame, backendNodeId: number, call: string): Promise<T | undefined> {
  const { session } = frame;
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId: await worldOf(frame) });
  const { objectId } = object;
  if (objectId === undefined) return undefined;
  const functionDeclaration = `function () { return ${call}(this) }`;
  const answer = await session.send('Runtime.callFunctionOn', { objectId, functionDeclaration, returnByValue: true });
  return answer.exceptionDetails ? undefined : (answer.result.value as T);
}

const exceptionText = (details: { text: string; exception?: { description?: string } }): string =>
  (details.exception?.description ?? details.text).slice(0, 1000);
