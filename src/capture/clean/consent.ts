// Opts out of cookies where the page offers it. @duckduckgo/autoconsent has the rules for each consent product; its script
// runs in an isolated world in every frame. This is the server's side: it sends the rules, and evaluates in the page's own
// world what the script asks for. It is never configured to accept.
import type { ContentScriptMessage } from '@duckduckgo/autoconsent';
import type { Deadline } from '../../kernel/deadline.ts';
import type { CleanSession } from './clean-types.ts';
import { noProgress, type Progress, waitUntil } from './consent-progress.ts';
import { binding, contentScript, firstAnswer } from './consent-rules.ts';
import { type Frames, worldName } from './frames.ts';

export type Consent = {
  wire(session: CleanSession): Promise<unknown>;
  /** The rules of a product have matched a banner. */
  readonly popupFound: boolean;
  /** Waits for an opt-out that has begun, at most `cap` ms. `seen`: a banner is visible. */
  settled(deadline: Deadline, cap: number, seen: boolean): Promise<void>;
  /** After this it clicks nothing. */
  stop(): Promise<void>;
};

/** How many documents of a page, reloads included, get rules. */
const mostTold = 60;

/** The script in one document, until the document is replaced. */
type ConsentScript = { readonly session: CleanSession; readonly contextId: number; readonly progress: Progress };

export function optOut(frames: () => Frames | undefined): Consent {
  const scripts = new Set<ConsentScript>();
  let popupFound = false;
  let told = 0;
  let stopped = false;
  let changed = () => {};

  function wire(session: CleanSession): Promise<unknown> {
    const frameOf = new Map<number, string>();
    const pageWorld = new Map<string, number>();
    const own = new Map<number, ConsentScript>();
    const forget = (contextId: number) => {
      const script = own.get(contextId);
      if (script) scripts.delete(script);
      own.delete(contextId);
      changed();
    };
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId, isDefault } = context.auxData ?? {};
      frameOf.set(context.id, frameId);
      if (isDefault) pageWorld.set(frameId, context.id);
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => forget(executionContextId));
    session.on('Runtime.executionContextsCleared', () => [...own.keys()].forEach(forget));
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name !== binding || stopped) return;
      const script = own.get(executionContextId) ?? { session, contextId: executionContextId, progress: noProgress() };
      own.set(executionContextId, script);
      scripts.add(script);
      const frameId = frameOf.get(executionContextId) ?? '';
      onMessage(script, JSON.parse(payload), frameId, pageWorld.get(frameId));
      changed();
    });
    return Promise.all([
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: binding, executionContextName: worldName }),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: contentScript(), worldName }),
    ]);
  }

  function onMessage(
    script: ConsentScript,
    message: ContentScriptMessage,
    frameId: string,
    pageWorld: number | undefined,
  ): void {
    const { session, contextId, progress } = script;
    const reply = (answer: unknown) => {
      const expression = `void autoconsentReceiveMessage(${JSON.stringify(answer)})`;
      return session.send('Runtime.evaluate', { expression, contextId });
    };
    if (message.type === 'init') {
      // Rules for one document are 0.3 MB and take some milliseconds; banners are in the first few documents of a page.
      if (++told <= mostTold) reply(firstAnswer(message.url, frameId === frames()?.mainId)).catch(() => {});
    } else if (message.type === 'eval' && pageWorld !== undefined) {
      const ask = { expression: message.code, contextId: pageWorld, returnByValue: true, awaitPromise: true };
      session
        .send('Runtime.evaluate', ask)
        .then(({ result }) => reply({ type: 'evalResp', id: message.id, result: result.value }))
        .catch(() => {});
    } else if (message.type === 'report') {
      progress.lifecycle = message.state.lifecycle;
      progress.attempts = message.state.findCmpAttempts;
    } else if (message.type === 'popupFound') {
      popupFound = progress.popup = true;
    }
  }

  return {
    wire,
    get popupFound() {
      return popupFound;
    },
    async settled(deadline, cap, seen) {
      const begun = performance.now();
      for (;;) {
        const states = [...scripts].map(({ progress }) => progress);
        const rest = Math.min(cap, waitUntil(states, seen)) - (performance.now() - begun);
        if (rest <= 0) return;
        const news = new Promise<void>((resolve) => {
          changed = resolve;
        });
        await deadline.within(rest, news);
      }
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      // The isolated world has its own prototypes: clicks by the page still work.
      const expression = 'HTMLElement.prototype.click = () => {}; EventTarget.prototype.dispatchEvent = () => true; 0';
      const asked = [...scripts].map(({ session, contextId }) =>
        session.send('Runtime.evaluate', { expression, contextId }).catch(() => {}),
      );
      await Promise.all(asked);
    },
  };
}
