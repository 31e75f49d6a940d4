// The addresses of this machine's own interfaces. A service that listens on all of them, and is meant for the machines
// around, would otherwise be captured through a public one.
import { networkInterfaces } from 'node:os';
import { type Ip, parseIp } from '../kernel/ip.ts';

/** Interfaces come and go with containers and tunnels; to list them takes up to a millisecond. */
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
