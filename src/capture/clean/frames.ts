// The frames of a page while it lives, each with the session that answers for it. A frame of another
// site may be a target of its own: it is attached to before its first request, so that nothing is missed.
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

/** The world our scripts run in: it shares the page's DOM, and no JavaScript with the page or the capture's own world. */
export const worldName = 'tintype-clean';

/** A page of newspapers and advertisements has some 50 frames. */
const mostFrames = 1000;
/** Frames of other sites that are cleaned, too: each is sent half a megabyte of script. Those after them load as they are. */
const mostAdopted = 60;

/** `wire` is called for the page's own session and for each that is attached later, before it runs. */
export async function watchFrames(page: CleanPage, wire: (session: CleanSession) => Promise<unknown>): Promise<Frames> {
  const known = new Map<string, PageFrame>();
  let adopted = 0;
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
    // A swap is the same frame in another process: its new session speaks for it from now on.
    session.on('Page.frameDetached', ({ frameId, reason }) => reason !== 'swap' && known.delete(frameId));
    session.on('Target.attachedToTarget', ({ sessionId }) => void adopt(page.session(sessionId)).catch(() => {}));
    await Promise.all([
      session.send('Page.enable'),
      session.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'iframe' }],
      }),
      wire(session),
    ]);
  }

  async function adopt(child: CleanSession): Promise<void> {
    try {
      if (++adopted <= mostAdopted) await listen(child);
    } finally {
      await child.send('Runtime.runIfWaitingForDebugger');
    }
  }

  const { frameTree } = await page.send('Page.getFrameTree');
  const mainId = frameTree.frame.id;
  const blank: PageFrame = { id: mainId, session: page, url: page.url };
  known.set(mainId, blank);
  await listen(page);
  return { mainId, get: (id) => known.get(id), main: () => known.get(mainId) ?? blank, all: () => [...known.values()] };
}

/** Our world in the frame's document of this moment. */
async function worldOf({ id, session }: PageFrame): Promise<number> {
  return (await session.send('Page.createIsolatedWorld', { frameId: id, worldName })).executionContextId;
}

/** Evaluates in our world of the frame and gives the value. Throws what the script throws. */
export async function inWorld<T>(frame: PageFrame, expression: string): Promise<T> {
  const contextId = await worldOf(frame);
  const answer = await frame.session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
  if (answer.exceptionDetails) throw new Error(exceptionText(answer.exceptionDetails));
  return answer.result.value as T;
}

/** A handle on what the expression gives, for the commands that take an object. */
export async function handleInWorld(frame: PageFrame, expression: string): Promise<string | undefined> {
  const answer = await frame.session.send('Runtime.evaluate', { expression, contextId: await worldOf(frame) });
  return answer.result.objectId;
}

/** Calls a function of our world with a node that only the protocol can name. */
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
