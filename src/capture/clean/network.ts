// Requests that a list names do not leave the browser. What was blocked is remembered by frame, so that
// the boxes it would have filled can be closed.
import type { RequestType } from '@ghostery/adblocker';
import type { Protocol } from 'devtools-protocol';
import type { CleanSession } from './clean-types.ts';
import type { Blocklist } from './engine.ts';
import type { Frames } from './frames.ts';

const types: Partial<Record<Protocol.Network.ResourceType, RequestType>> = {
  Document: 'sub_frame',
  Stylesheet: 'stylesheet',
  Image: 'image',
  Media: 'media',
  Font: 'font',
  Script: 'script',
  XHR: 'xhr',
  Fetch: 'xhr',
  EventSource: 'eventsource',
  WebSocket: 'websocket',
  Ping: 'ping',
  Manifest: 'manifest',
  CSPViolationReport: 'csp_report',
};

/** Rules name hosts and paths. A page can ask for an address of two megabytes, over which they would take half a second. */
const longestUrl = 2000;
/** More requests than a render may make in all; those that are blocked never reach the way out, which counts the others. */
const mostRequests = 4000;
/** Boxes that are closed for what was blocked in them. */
const mostBlocked = 500;

/** A copy, so that the rest of a long text is not kept with it. */
const shortened = (url: string): string =>
  url.length <= longestUrl ? url : Buffer.from(url.slice(0, longestUrl)).toString();

/** A filter that stumbles over an odd address blocks nothing; thrown, it would end the line to the browser. */
function safely(judge: () => boolean): boolean {
  try {
    return judge();
  } catch {
    return false;
  }
}

export type Blocking = {
  wire(session: CleanSession): Promise<unknown>;
  /** URLs as the page wrote them (before redirects), by the frame that asked. */
  readonly blocked: ReadonlyMap<string, ReadonlySet<string>>;
};

export function blockRequests(lists: readonly Blocklist[], frames: () => Frames | undefined): Blocking {
  const blocked = new Map<string, Set<string>>();
  let requests = 0;
  let remembered = 0;
  // A redirect pauses anew under another id; the page knows only the address it began with.
  const firstUrls = new Map<string, string>();

  function judge(event: Protocol.Fetch.RequestPausedEvent): boolean {
    const known = frames();
    const frame = known?.get(event.frameId);
    // The page that was asked for is captured, whatever a list thinks of it.
    if (event.resourceType === 'Document' && (!known || event.frameId === known.mainId)) return false;
    // A document is asked for by the page that embeds it, everything else by the document it is in.
    const asking = event.resourceType === 'Document' ? known?.get(frame?.parentId ?? '') : frame;
    const source = [asking?.url, event.request.headers.Referer, known?.main().url].find((url) =>
      url?.startsWith('http'),
    );
    const asked = {
      url: shortened(event.request.url),
      type: types[event.resourceType] ?? 'other',
      source: (source ?? '').slice(0, longestUrl),
    } as const;
    return lists.some((list) => list.blocks(asked)) && !isOwnHost(asked.url, known?.main().url);
  }

  /** Where the page itself is on a host that the lists name as a whole, its own files belong to it. */
  function isOwnHost(url: string, main = 'about:blank'): boolean {
    const own = URL.parse(main);
    if (own === null || URL.parse(url)?.hostname !== own.hostname) return false;
    return lists.some((list) => list.blocks({ url: `${own.origin}/`, type: 'script', source: main }));
  }

  function remember(event: Protocol.Fetch.RequestPausedEvent, url: string): void {
    // The box of a frame stands in the document around it.
    if (url.length > longestUrl || ++remembered > mostBlocked) return;
    const parent = event.resourceType === 'Document' ? frames()?.get(event.frameId)?.parentId : undefined;
    const holder = parent ?? event.frameId;
    blocked.set(holder, (blocked.get(holder) ?? new Set()).add(url));
  }

  return {
    blocked,
    async wire(session) {
      session.on('Fetch.requestPaused', (event) => {
        const { requestId } = event;
        // Nothing is judged any more, and what waits goes on; the way out bounds the rest.
        if (++requests > mostRequests) return void session.send('Fetch.disable');
        const first = firstUrls.get(event.redirectedRequestId ?? '') ?? shortened(event.request.url);
        firstUrls.set(requestId, first);
        const block = safely(() => judge(event));
        if (block) remember(event, first);
        const answer = block
          ? session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
          : session.send('Fetch.continueRequest', { requestId });
        // A request that was cancelled meanwhile needs no answer.
        answer.catch(() => {});
      });
      await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] });
    },
  };
}
