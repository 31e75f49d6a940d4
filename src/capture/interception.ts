// Requests that are paused before they leave the browser. Each session has one listener, which asks the handlers in their
// order; the first decision counts.
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from './cdp.ts';

export type PausedRequest = Protocol.Fetch.RequestPausedEvent;

export type Decision =
  | { readonly action: 'block' }
  | { readonly action: 'answer'; readonly type: string; readonly body: Buffer }
  /** All headers of the request, not only those that change. */
  | { readonly action: 'continue'; readonly headers: Protocol.Fetch.HeaderEntry[] };

export type RequestHandler = {
  /** Which requests are paused. The others cost nothing. */
  readonly patterns: readonly Protocol.Fetch.RequestPattern[];
  /** Without a decision the request continues as it is. */
  decide(request: PausedRequest): Decision | undefined | Promise<Decision | undefined>;
};

type Session = Pick<CdpSession, 'send' | 'on'>;

/** Pauses the requests of this session. May be called once for a session. */
export async function intercept(session: Session, handlers: readonly RequestHandler[]): Promise<void> {
  if (handlers.length === 0) return;
  session.on('Fetch.requestPaused', (request) => {
    // Fails if the request was cancelled meanwhile, or the browser refuses what was decided: then it must not hang.
    const { requestId } = request;
    const carriedOut = firstDecision(handlers, request).then((decision) => carryOut(session, requestId, decision));
    carriedOut.catch(() => session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' }).catch(() => {}));
  });
  await session.send('Fetch.enable', { patterns: handlers.flatMap(({ patterns }) => patterns) });
}

/** A handler that throws on an odd URL decides nothing. */
async function firstDecision(
  handlers: readonly RequestHandler[],
  request: PausedRequest,
): Promise<Decision | undefined> {
  for (const handler of handlers) {
    try {
      const decision = await handler.decide(request);
      if (decision !== undefined) return decision;
    } catch {}
  }
  return undefined;
}

function carryOut(session: Session, requestId: string, decision: Decision | undefined): Promise<unknown> {
  switch (decision?.action) {
    case 'block':
      return session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    case 'answer':
      return session.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: 200,
        responseHeaders: [{ name: 'Content-Type', value: decision.type }],
        body: decision.body.toString('base64'),
      });
    default:
      return session.send('Fetch.continueRequest', { requestId, ...(decision && { headers: decision.headers }) });
  }
}
