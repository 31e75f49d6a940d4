// Opting out where the page offers it: @duckduckgo/autoconsent knows how, for each consent product. It
// runs in a world of its own in every frame; this is its other half: rules, and the evaluations it
// asks for in the page's world. It is never told to accept.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ContentScriptMessage, filterCompactRules, type IndexedCMPRuleset } from '@duckduckgo/autoconsent';
import type { Deadline } from '../../kernel/deadline.ts';
import type { CleanSession } from './clean-types.ts';
import { type Frames, worldName } from './frames.ts';

const binding = 'tintypeConsent';

const config = {
  enabled: true,
  autoAction: 'optOut',
  // "reject" clicks a button that declines; the higher levels would also accept where nothing else is offered.
  heuristicMode: 'reject',
  enableHeuristicDetection: true,
  // Hidden early, a banner is not seen by its own rules any more.
  enablePrehide: false,
  enableCosmeticRules: true,
  enableGeneratedRules: true,
  isMainWorld: false,
  detectRetries: 20,
  logs: { lifecycle: false, rulesteps: false, detectionsteps: false, evals: false, errors: false, messages: false },
};

// Reports come at every step and carry the whole state; two words of it are of use.
const prelude = `
globalThis.autoconsentSendMessage = async (message) => {
  const { type, state } = message;
  ${binding}(JSON.stringify(type === 'report' ? { type, state: { lifecycle: state.lifecycle, findCmpAttempts: state.findCmpAttempts } } : message));
};
`;

const parts = (() => {
  let loaded: { script: string; rules: IndexedCMPRuleset } | undefined;
  return () => {
    if (!loaded) {
      const require = createRequire(import.meta.url);
      const bundle = join(dirname(require.resolve('@duckduckgo/autoconsent')), 'autoconsent.playwright.js');
      const rules = require.resolve('@duckduckgo/autoconsent/rules/compact-rules.json');
      loaded = {
        script: prelude + readFileSync(bundle, 'utf8'),
        rules: JSON.parse(readFileSync(rules, 'utf8')),
      };
    }
    return loaded;
  };
})();

type Lifecycle = Extract<ContentScriptMessage, { type: 'report' }>['state']['lifecycle'];
type Progress = { lifecycle: Lifecycle; attempts: number; popup: boolean; intermediate: boolean };

const acting: readonly Lifecycle[] = ['openPopupDetected', 'runningOptOut'];

export type Consent = {
  wire(session: CleanSession): Promise<unknown>;
  /** A banner was seen by its own rules. */
  readonly popupFound: boolean;
  /** Waits for an opt-out that is under way. `seen`: a banner is in sight, though no rule has named it yet. */
  settled(deadline: Deadline, cap: number, seen: boolean): Promise<void>;
  /** From now on it clicks nothing. */
  stop(): Promise<void>;
};

export function optOut(frames: () => Frames | undefined): Consent {
  const { script, rules } = parts();
  const sessions = new Set<CleanSession>();
  const progress = new Map<string, Progress & { session: CleanSession; contextId: number }>();
  let popupFound = false;
  let stopped = false;
  let notify = () => {};

  async function wire(session: CleanSession): Promise<void> {
    const frameOf = new Map<number, string>();
    const pageWorld = new Map<string, number>();
    const key = (contextId: number) => `${[...sessions].indexOf(session)}:${contextId}`;
    sessions.add(session);

    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId, isDefault } = context.auxData ?? {};
      frameOf.set(context.id, frameId);
      if (isDefault) pageWorld.set(frameId, context.id);
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      progress.delete(key(executionContextId));
      notify();
    });
    session.on('Runtime.executionContextsCleared', () => {
      for (const [name, entry] of progress) if (entry.session === session) progress.delete(name);
    });
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId: contextId }) => {
      if (name !== binding || stopped) return;
      const message = JSON.parse(payload) as ContentScriptMessage;
      const tell = (answer: unknown) =>
        session
          .send('Runtime.evaluate', {
            expression: `void autoconsentReceiveMessage(${JSON.stringify(answer)})`,
            contextId,
          })
          .catch(() => {});
      if (message.type === 'init') {
        const mainFrame = frameOf.get(contextId) === frames()?.mainId;
        const compact = filterCompactRules(rules, { url: message.url, mainFrame });
        void tell({ type: 'initResp', config, rules: { autoconsent: [], compact } });
      } else if (message.type === 'eval') {
        const where = pageWorld.get(frameOf.get(contextId) ?? '');
        if (where === undefined) return;
        session
          .send('Runtime.evaluate', {
            expression: message.code,
            contextId: where,
            returnByValue: true,
            awaitPromise: true,
          })
          .then(({ result }) => tell({ type: 'evalResp', id: message.id, result: result.value }))
          .catch(() => {});
      } else {
        const state = progress.get(key(contextId)) ?? {
          ...{ lifecycle: 'loading' as Lifecycle, attempts: 0, popup: false, intermediate: false },
          session,
          contextId,
        };
        progress.set(key(contextId), state);
        if (message.type === 'report') {
          state.lifecycle = message.state.lifecycle;
          state.attempts = message.state.findCmpAttempts;
          state.intermediate = state.lifecycle === 'optOutSucceeded';
        }
        if (message.type === 'popupFound') popupFound = state.popup = true;
        notify();
      }
    });
    await Promise.all([
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: binding, executionContextName: worldName }),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: script, worldName }),
    ]);
  }

  /** How much longer there is something to wait for, given what is known `elapsed` ms after the load. */
  function patience(elapsed: number, cap: number, seen: boolean): number {
    const states = [...progress.values()];
    if (states.some(({ lifecycle }) => acting.includes(lifecycle))) return cap - elapsed;
    // One half has opened what the other half, in a frame, will answer.
    if (states.some(({ intermediate }) => intermediate) && !states.some(({ lifecycle }) => lifecycle === 'done'))
      return Math.min(cap, 1500) - elapsed;
    if (states.some(({ popup }) => popup)) return 0;
    // The product is there; its banner usually follows within the second, or not at all.
    if (states.some(({ lifecycle }) => lifecycle === 'cmpDetected')) return Math.min(cap, 1000) - elapsed;
    // The heuristics look at every second attempt, half a second after the first.
    if (seen && states.every(({ attempts }) => attempts < 2)) return Math.min(cap, 800) - elapsed;
    return 0;
  }

  return {
    wire,
    get popupFound() {
      return popupFound;
    },
    async settled(deadline, cap, seen) {
      const begun = performance.now();
      for (;;) {
        const rest = patience(performance.now() - begun, cap, seen);
        if (rest <= 0) return;
        const changed = new Promise<void>((resolve) => {
          notify = resolve;
        });
        await deadline.within(rest, changed);
      }
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      // The methods of this world are its own: the page's clicks are untouched.
      const expression = 'HTMLElement.prototype.click = () => {}; EventTarget.prototype.dispatchEvent = () => true; 0';
      await Promise.all(
        [...progress.values()].map(({ session, contextId }) =>
          session.send('Runtime.evaluate', { expression, contextId }).catch(() => {}),
        ),
      );
    },
  };
}
