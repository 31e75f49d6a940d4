// Hosts as the WHATWG parser writes them: an IPv6 address in brackets, an IPv4 address in four decimal parts, or a
// name.
import { isIPv4 } from 'node:net';

export const isIpLiteral = (host: string): boolean => host.startsWith('[') || isIPv4(host);

/** The address without its brackets. */
export const literalOf = (host: string): string => (host.startsWith('[') ? host.slice(1, -1) : host);
