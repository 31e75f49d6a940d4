// A machine of its own inside the namespace: every address of the test on loopback (the public ones by a route, since
// the addresses of its own interfaces are refused), and one network card that leads
// nowhere, because WebRTC does not count loopback as a network and would have nothing to try.
import { execFileSync } from 'node:child_process';

const ip = (line: string) => execFileSync('ip', line.split(' '));

/** As when a container starts beside us: the browser drops every connection it has. */
export const changeNetwork = (): void => void ip('addr add fd00:77::1/128 dev card nodad');

export function setUpNetwork(addresses: readonly string[], publicAddress: string): void {
  ip('link set lo up');
  ip(`route add local ${publicAddress} dev lo`);
  for (const address of addresses) {
    if (address === '127.0.0.1' || address === '::1') continue;
    ip(address.includes(':') ? `addr add ${address}/128 dev lo nodad` : `addr add ${address}/32 dev lo`);
  }
  ip('link add card type veth peer name wall');
  // No addresses that the kernel makes up: they come a second late, and the browser drops its connections for them.
  for (const end of ['card', 'wall']) ip(`link set ${end} addrgenmode none`);
  ip('addr add 93.184.217.2/24 dev card');
  ip('link set card up');
  ip('link set wall up');
  ip('route add default via 93.184.217.1');
}
