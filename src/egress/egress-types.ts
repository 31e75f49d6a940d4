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
  readonly bytes: number;
  readonly responseBytes: number;
};

export type Refusal = { readonly host: string; readonly port: number; readonly reason: string };

/** One slot's own proxy listener. Refuses everything until it is opened for a render. */
export interface Outlet {
  readonly port: number;
  /** From now on connections are allowed, counted, and cut when the signal aborts. */
  open(budget: Budget, signal: AbortSignal): void;
  /** What was refused because its address is not public (or a port or name rule). */
  readonly refusals: readonly Refusal[];
  /** Names that did not resolve, connections that failed: for the 502's text. */
  readonly failures: readonly Refusal[];
  /** Which budget ran out, if one did. */
  readonly exhausted: string | undefined;
  readonly counts: { readonly requests: number; readonly connections: number; readonly bytes: number };
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
  /** GET with the same guard, for images of cards: bounded redirects, bytes, time; https only. */
  fetchImage(
    url: string,
    limits: { bytes: number; redirects: number },
    signal: AbortSignal,
  ): Promise<{ bytes: Buffer; type: string }>;
  stop(): Promise<void>;
}
