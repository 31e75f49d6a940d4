// A machine of its own inside the namespace: every address of the test on loopback, and one network card that leads
// nowhere, because WebRTC does not count loopback as a network and would have nothing to try.
import { execFileSync } from 'node:child_process';

export function setUpNetwork(addresses: readonly string[]): void {
  const ip = (line: string) => execFileSync('ip', line.split(' '));
  ip('link set lo up');
  for (const address of addresses) {
    if (address === '127.0.0.1' || address === '::1') continue;
    ip(address.includes(':') ? `addr add ${address}/128 dev lo nodad` : `addr add ${address}/32 dev lo`);
  }
  ip('link add card type veth peer name wall');
  ip('addr add 93.184.217.2/24 dev card');
  ip('link set card up');
  ip('link set wall up');
  ip('route add default via 93.184.217.1');
}
