// Blocks requests that a list matches. Blocked URLs are recorded by frame, so that the boxes they would have filled can be
// closed.
import type { RequestType } from '@ghostery/adblocker';
import type { Protocol } from 'devtools-protocol';
import type { RequestHandler } from '../interception.ts';
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

/** Rules match hosts and paths. A page can request a URL of two megabytes, which would take half a second to match. */
const longestUrl = 2000;
/** Above the limit of a render, because blocked requests never reach the outlet, which counts the others. */
const mostRequests = 4000;
/** How many blocked URLs are recorded to close their boxes. */
const mostBlocked = 500;

/** A copy: a slice would keep the whole long string in memory. */
const shortened = (url: string): string =>
  url.length <= longestUrl ? url : Buffer.from(url.slice(0, longestUrl)).toString();

export type Blocking = {
  readonly handler: RequestHandler;
  /** URLs before redirects, by the frame that requested them. */
  readonly blocked: ReadonlyMap<string, ReadonlySet<string>>;
};

export function blockRequests(lists: readonly Blocklist[], frames: () => Frames | undefined): Blocking {
  const blocked = new Map<string, Set<string>>();
  let requests = 0;
  let remembered = 0;
  // A redirect is paused again with another id; the page knows only the first URL.
  const firstUrls = new Map<string, string>();

  function judge(event: Protocol.Fetch.RequestPausedEvent): boolean {
    const known = frames();
    const frame = known?.get(event.frameId);
    // The requested page is never blocked.
    if (event.resourceType === 'Document' && (!known || event.frameId === known.mainId)) return false;
    // A document is requested by the page that embeds it, everything else by the document it is in.
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

  /** If the lists block the host of the page itself, its own files are still loaded. */
  function isOwnHost(url: string, main = 'about:blank'): boolean {
    const own = URL.parse(main);
    if (own === null || URL.parse(url)?.hostname !== own.hostname) return false;
    return lists.some((list) => list.blocks({ url: `${own.origin}/`, type: 'script', source: main }));
  }

  function remember(event: Protocol.Fetch.RequestPausedEvent, url: string): void {
    // The box of a frame is in its parent document.
    if (url.length > longestUrl || ++remembered > mostBlocked) return;
    const parent = event.resourceType === 'Document' ? frames()?.get(event.frameId)?.parentId : undefined;
    const holder = parent ?? event.frameId;
    blocked.set(holder, (blocked.get(holder) ?? new Set()).add(url));
  }

  return {
    blocked,
    handler: {
      patterns: [{ urlPattern: '*', requestStage: 'Request' }],
      decide(event) {
        // Over the limit nothing is checked any more; the outlet limits the rest.
        if (++requests > mostRequests) return undefined;
        const first = firstUrls.get(event.redirectedRequestId ?? '') ?? shortened(event.request.url);
        firstUrls.set(event.requestId, first);
        if (!judge(event)) return undefined;
        remember(event, first);
        return { action: 'block' };
      },
    },
  };
}
