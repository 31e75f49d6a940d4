// The addresses of this machine's own interfaces. Otherwise a service that listens on all interfaces, but is meant for the
// local network, could be captured at its public address.
import { networkInterfaces } from 'node:os';
import { type Ip, parseIp } from '../kernel/ip.ts';

/** Containers and tunnels add and remove interfaces; listing them takes up to a millisecond. */
const keepMs = 1000;

const nameOf = ({ version, value }: Ip): string => `${version}/${value}`;

let known: ReadonlySet<string> = new Set();
let readAt = Number.NEGATIVE_INFINITY;

export function isOwnAddress(ip: Ip): boolean {
  if (performance.now() - readAt > keepMs) {
    readAt = performance.now();
    known = new Set(
      Object.values(networkInterfaces()).flatMap((entries) =>
        (entries ?? []).flatMap(({ address }) => {
          const own = parseIp(address);
          return own === undefined ? [] : [nameOf(own)];
        }),
      ),
    );
  }
  return known.has(nameOf(ip));
}
