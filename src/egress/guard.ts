// Decides whether a host and port may be dialled, and at which addresses. The check of a target, every connection of a
// page and every image of a card use it. Only the addresses it returns are dialled, so that a name that resolves
// differently the next time (DNS rebinding) gains nothing.

import { withoutTrailingDot } from '../kernel/allowed-hosts.ts';
import { addressRefusal, isSelf, parseExemptions } from './address.ts';
import { isIpLiteral, literalOf } from './host.ts';
import { internalNameReason, isHostName, isMetadataName } from './host-names.ts';
import type { NameCache } from './name-cache.ts';
import { isBadPort } from './ports.ts';

/**
 * A refusal's reason completes the sentence "url …"; a failure's reason completes "example.com could not be reached:
 * …".
 */
export type DialDecision =
  | { readonly kind: 'checked'; readonly addresses: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export interface EgressGuard {
  /**
   * The rules that need no network, for the name, the port and a literal address. The reason of a refusal, or
   * undefined.
   */
  staticRefusal(host: string, port: number): string | undefined;
  /** The same rules, then DNS. `host` is a WHATWG hostname. Rejects only when the signal aborts. */
  judge(host: string, port: number, signal: AbortSignal): Promise<DialDecision>;
}

const refused = (reason: string): DialDecision => ({ kind: 'refused', reason });

export function createGuard(
  allowPrivate: readonly string[],
  names: NameCache,
  ownPorts: ReadonlySet<number>,
): EgressGuard {
  const exempt = parseExemptions(allowPrivate);

  // Our own ports are refused even where the operator exempts this machine's address.
  const addressReason = (address: string, port: number): string | undefined =>
    ownPorts.has(port) && isSelf(address) ? 'this server itself' : addressRefusal(address, exempt);

  const staticRefusal = (host: string, port: number): string | undefined => {
    if (isBadPort(port)) return `leads to port ${port}, which browsers do not open`;
    if (isIpLiteral(host)) {
      const address = literalOf(host);
      const reason = addressReason(address, port);
      return reason && `leads to ${address}, which is not public (${reason})`;
    }
    const name = withoutTrailingDot(host);
    if (!isHostName(name)) return 'does not name a valid host';
    if (isMetadataName(name)) return `leads to "${name}", which is not public (cloud metadata)`;
    // An operator who exempts a network has names for it, such as "app" or "app.internal": their addresses decide.
    const reason = exempt.length === 0 ? internalNameReason(name) : undefined;
    return reason && `leads to ${reason}`;
  };

  return {
    staticRefusal,
    async judge(host, port, signal) {
      const reason = staticRefusal(host, port);
      if (reason !== undefined) return refused(reason);
      if (isIpLiteral(host)) return { kind: 'checked', addresses: [literalOf(host)] };
      const name = withoutTrailingDot(host);
      const answer = await names.lookup(name, signal);
      if ('failure' in answer) return { kind: 'failed', reason: answer.failure };
      for (const address of answer.addresses) {
        const why = addressReason(address, port);
        // The text does not contain the address: anybody could read the DNS of a private network with it.
        if (why !== undefined) return refused(`leads to ${name}, whose address is not public (${why})`);
      }
      return { kind: 'checked', addresses: answer.addresses };
    },
  };
}
