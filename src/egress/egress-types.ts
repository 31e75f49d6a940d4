// What the way out promises to the rest of the house.

/** Gives every address of a name, IPv4 and IPv6. Rejects or gives [] where there is none. */
export type Resolver = (host: string, signal?: AbortSignal) => Promise<string[]>;

export type EgressPolicy = {
  /** CIDRs the operator exempts. Cloud metadata stays refused. */
  readonly allowPrivate: readonly string[];
};

/** A target that may be dialled: the URL as parsed once, and the addresses that were checked. */
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

/** `parameter` is the one the error texts blame. */
export type ImageLimits = { readonly bytes: number; readonly redirects: number; readonly parameter?: string };

/** One slot's own proxy listener, for one render. It hangs up on everybody before open() and after the signal. */
export interface Outlet {
  readonly port: number;
  /** From now on connections are allowed, counted, and cut when the signal aborts. */
  open(budget: Budget, signal: AbortSignal): void;
  /** What was refused because its address is not public (or a port or name rule). */
  readonly refusals: readonly Refusal[];
  /** Names that did not resolve, connections that failed: for the 502's text. */
  readonly failures: readonly Refusal[];
  /** Which budget ran out first, if one did. */
  readonly exhausted: keyof Budget | undefined;
  /** A tunnel (https, WebSocket) counts as one request: what runs inside it cannot be seen. `bytes` are those received. */
  readonly counts: Counts;
  /** When anything was last asked for or came, by performance.now(). */
  readonly activeAt: number;
  /** Connections on which something was asked and nothing has come since. In a tunnel it is told by sizes only. */
  readonly unanswered: number;
  close(): Promise<void>;
}

export interface Egress {
  /** Rules that need no network: scheme, name, port, literal address. Throws target_refused. */
  check(url: string): URL;
  /** DNS: throws target_refused if any address is not public, target_unreachable if there is none. */
  resolve(url: URL, signal: AbortSignal): Promise<ResolvedTarget>;
  createOutlet(): Promise<Outlet>;
  /** Ports of this process that no render may reach even when loopback is allowed (our own listeners). */
  protectPort(port: number): void;
  /**
   * GET with the same guard, for images of cards: bounded redirects, bytes, time; https only. Throws target_refused
   * if it leads to an address that is not public, invalid_parameter if the image cannot be had.
   */
  fetchImage(url: string, limits: ImageLimits, signal: AbortSignal): Promise<{ bytes: Buffer; type: string }>;
  stop(): Promise<void>;
}
