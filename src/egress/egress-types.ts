// The types of egress.

/** Returns every address of a name, IPv4 and IPv6. Rejects or returns [] if there is none. */
export type Resolver = (host: string) => Promise<string[]>;

export type EgressPolicy = {
  /** Networks that the operator exempts. Cloud metadata stays refused. */
  readonly allowPrivate: readonly string[];
};

/** A target that may be dialled: the parsed URL, and the addresses that were checked. */
export type ResolvedTarget = { readonly url: URL; readonly addresses: readonly string[] };

/** What one render may take from the network. */
export type Budget = {
  readonly requests: number;
  readonly connections: number;
  /** Received, in all and of one response. */
  readonly bytes: number;
  readonly responseBytes: number;
  readonly sentBytes: number;
};

export type Counts = {
  readonly requests: number;
  readonly connections: number;
  readonly bytes: number;
  readonly sentBytes: number;
};

/**
 * One host that was not reached. `host` is a WHATWG hostname (an IPv6 address in brackets). The reason of a refusal
 * completes "url …" (`url leads to 10.0.0.1, which is not public (private network)`), that of a failure completes
 * "example.com could not be reached: …".
 */
export type Refusal = { readonly host: string; readonly port: number; readonly reason: string };

/** `parameter` is the one that error texts name. */
export type ImageLimits = { readonly bytes: number; readonly redirects: number; readonly parameter?: string };

export type PageRequest = {
  readonly url: string;
  /** Bytes that are read, after decompression; the rest is not fetched. */
  readonly bytes: number;
  readonly redirects: number;
  /** May a redirect lead to this address? The rules for public addresses hold in any case. */
  readonly mayFollow: (url: URL) => boolean;
  /** Media types whose body is read. */
  readonly types: readonly string[];
};

/** What came back, or why nothing did: a sentence. The body is empty where the type is none of those asked for. */
export type FetchedPage =
  | {
      readonly status: number;
      /** Where the redirects ended. */
      readonly url: string;
      /** The Content-Type as sent. */
      readonly type: string;
      readonly body: Buffer;
    }
  | { readonly status?: undefined; readonly failure: string };

/** Returns the TXT records of a name, each joined to one text. Rejects or returns [] if there is none. */
export type TextRecordResolver = (host: string) => Promise<string[]>;

export type PostRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly answerBytes: number;
};

/** What came back, or why nothing did: a sentence. */
export type PostResult =
  | { readonly status: number; readonly answer: Buffer }
  | { readonly status?: undefined; readonly failure: string };

/** The proxy of one render. It closes every connection before open() and after the signal. */
export interface Outlet {
  readonly port: number;
  /** Allows and counts connections from now on, and closes them when the signal aborts. */
  open(budget: Budget, signal: AbortSignal): void;
  /** Connections that were refused by the rules for addresses, names and ports. */
  readonly refusals: readonly Refusal[];
  /** Names that did not resolve and connections that failed, for the text of the 502. */
  readonly failures: readonly Refusal[];
  /** Which budget ran out first, if one did. */
  readonly exhausted: keyof Budget | undefined;
  /**
   * A tunnel (https, WebSocket) counts as one request, because its content is encrypted. `bytes` are those received.
   */
  readonly counts: Counts;
  /** When anything was last sent or received, by performance.now(). */
  readonly activeAt: number;
  /** Connections with a request and no response since. In a tunnel this is guessed from sizes. */
  readonly unanswered: number;
  close(): Promise<void>;
}

export interface Egress {
  /** Rules that need no network: scheme, name, port, literal address. Throws target_refused, which names `parameter`. */
  check(url: string, parameter?: string): URL;
  /** Resolves the name. Throws target_refused if any address is not public, target_unreachable if there is none. */
  resolve(url: URL, signal: AbortSignal): Promise<ResolvedTarget>;
  createOutlet(): Promise<Outlet>;
  /** Protects a port of this machine: no render may reach it, even if loopback is allowed. */
  protectPort(port: number): void;
  /**
   * Fetches an image for a card with the same guard: https only, with limits for redirects, bytes and time. Throws
   * target_refused if an address is not public, invalid_parameter if the image cannot be fetched.
   */
  fetchImage(url: string, limits: ImageLimits, signal: AbortSignal): Promise<{ bytes: Buffer; type: string }>;
  /**
   * Fetches a page or a text file with the same guard: https only. Rejects only when the signal aborts. Cookies, scripts and
   * everything else that a browser would do are left out.
   */
  fetchPage(request: PageRequest, signal: AbortSignal): Promise<FetchedPage>;
  /** The TXT records of a host name; none if the name server does not answer. */
  textRecords(host: string): Promise<string[]>;
  /**
   * Sends a POST with the same guard. Follows no redirect, and closes the connection once it has read
   * `request.answerBytes` of the answer.
   */
  post(request: PostRequest, signal: AbortSignal): Promise<PostResult>;
  stop(): Promise<void>;
}
