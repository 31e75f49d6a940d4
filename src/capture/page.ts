// One render in one slot, stage by stage: before load → load → settle → wait → script → delay → capture.
import type { Deadline } from '../kernel/deadline.ts';
import { prepare } from './before-load.ts';
import { networkBudget, settleBounds } from './budgets.ts';
import { documentFailure } from './failures.ts';
import { browserEncoding } from './image.ts';
import type { Facts } from './in-page.ts';
import { type MainDocument, MainFrame } from './main-frame.ts';
import type { CaptureRequest } from './parameters.ts';
import type { Slot } from './slot.ts';

export type Shot = {
  /** As the browser gave it. */
  readonly bytes: Buffer;
  readonly facts: Facts;
  readonly warnings: readonly string[];
};

export async function renderPage(slot: Slot, request: CaptureRequest, deadline: Deadline): Promise<Shot> {
  const { session, outlet } = slot;
  const race = <T>(promise: Promise<T>) => deadline.race(promise);
  outlet.open(networkBudget, deadline.signal);
  await race(prepare(session, request, slot.browser.version));

  const frame = new MainFrame(session, slot.frameId, settleExpression());
  deadline.step('load');
  const { errorText } = await race(session.send('Page.navigate', { url: request.url }));
  if (errorText !== undefined) throw documentFailure(request.url, errorText, outlet);
  const { facts } = await settled(frame, slot, deadline);

  deadline.step('capture');
  const { data } = await race(session.send('Page.captureScreenshot', browserEncoding(request)));
  return { bytes: Buffer.from(data, 'base64'), facts, warnings: [] };
}

/** The document that is there to stay, loaded and settled. */
async function settled(
  frame: MainFrame,
  slot: Slot,
  deadline: Deadline,
): Promise<{ document: MainDocument; facts: Facts }> {
  for (;;) {
    const document = frame.current;
    if (!document) {
      await deadline.race(endsWith(slot, frame.changed()));
      continue;
    }
    if (document.unreachable !== undefined)
      throw documentFailure(
        document.unreachable,
        'ERR_CONNECTION_CLOSED',
        slot.outlet,
        new URL(document.unreachable).hostname,
      );
    await deadline.race(endsWith(slot, document.loaded));
    if (frame.current !== document) continue;
    deadline.step('settle');
    const facts = await deadline.race(document.settled.catch(() => undefined));
    if (frame.current !== document) continue;
    if (facts && !frame.leaving) return { document, facts };
    // It is on its way to another document, which took the answer with it.
    await deadline.race(endsWith(slot, frame.changed()));
  }
}

/** Events stop when a page dies; a wait for one must then end. */
function endsWith<T>(slot: Slot, promise: Promise<T>): Promise<T> {
  const { signal } = slot.session;
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

const settleExpression = () =>
  `tintype.settleAndLookAgain(${JSON.stringify(settleBounds)}).then(tintype.freeze).then(tintype.facts)`;
