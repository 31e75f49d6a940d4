// Is this address public? The tables are IANA's special-purpose registries (RFC 6890 and its successors), plus the
// addresses at which clouds give credentials to anyone who can connect.
import { contains, type Ip, type Network, parseIp, parseNetwork } from '../kernel/ip.ts';
import { isOwnAddress } from './own-addresses.ts';

const table = (reason: string, ...networks: string[]): { network: Network; reason: string }[] =>
  networks.map((text) => ({ network: networkOf(text), reason }));

function networkOf(text: string): Network {
  const network = parseNetwork(text);
  if (network === undefined) throw new Error(`"${text}" is not a network such as 10.0.0.0/8 or fd00::/8.`);
  return network;
}

// ALLOW_PRIVATE_TARGETS does not exempt these: one GET can expose the credentials of the whole cloud account.
const metadata = table(
  'cloud metadata',
  '169.254.169.0/24', // AWS, Google, Azure, DigitalOcean, OpenStack, Oracle: .254, and .253 (DNS) and .123 (time)
  '169.254.170.0/24', // AWS ECS task (.2) and EKS pod (.23) credentials
  '169.254.42.42', // Scaleway
  '169.254.0.23', // Tencent
  '100.100.100.200', // Alibaba, inside the shared address space
  '192.0.0.192', // Oracle classic
  '168.63.129.16', // Azure WireServer, a public address by number
  'fd00:ec2::/32', // AWS over IPv6
  'fd20:ce::/64', // Google over IPv6
  'fd00:42::42', // Scaleway over IPv6
  'fe80::a9fe:a9fe', // OpenStack over IPv6
);

const notPublic = [
  ...table('loopback', '127.0.0.0/8', '::1'),
  ...table('this host', '0.0.0.0/8', '::'), // Linux connects 0.0.0.0 and :: to itself
  ...table('private network', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'),
  ...table('link-local', '169.254.0.0/16', 'fe80::/10'),
  ...table("a provider's internal network", '100.64.0.0/10'), // RFC 6598, carrier-grade NAT
  ...table('protocol assignments', '192.0.0.0/24', '2001::/23'), // the latter with Teredo, ORCHID and benchmarking
  ...table('documentation', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'),
  ...table('6to4 relay', '192.88.99.0/24'),
  ...table('benchmarking', '198.18.0.0/15'),
  ...table('multicast', '224.0.0.0/4', 'ff00::/8'),
  ...table('broadcast', '255.255.255.255'),
  ...table('reserved', '240.0.0.0/4'),
];

// RFC 6052: addresses that a NAT64 gateway translates. DNS64 returns them for every IPv4-only host, so the embedded IPv4
// address decides.
const nat64 = networkOf('64:ff9b::/96');
const globalUnicast = networkOf('2000::/3');
const selves = [networkOf('::1'), networkOf('::')];
const embedding = [
  networkOf('::/96'), // IPv4-compatible
  networkOf('::ffff:0:0/96'), // IPv4-mapped: the kernel would dial the IPv4 address
  networkOf('::ffff:0:0:0/96'), // IPv4-translated, SIIT
  networkOf('64:ff9b:1::/48'), // NAT64 for local use
  networkOf('2002::/16'), // 6to4
  networkOf('2001::/32'), // Teredo
];

/** Parses the operator's exemptions. Throws at a wrong one, so that it stops the start. */
export function parseExemptions(networks: readonly string[]): Network[] {
  return networks.map((text) => {
    const network = parseNetwork(text);
    if (network === undefined)
      throw new Error(`ALLOW_PRIVATE_TARGETS must list networks such as 10.0.0.0/8 or fd00::/8; "${text}" is not one.`);
    return network;
  });
}

/** Why this address must not be dialled, in a few words; undefined if it may be dialled. */
export function addressRefusal(text: string, exempt: readonly Network[] = []): string | undefined {
  const ip = parseIp(text);
  return ip === undefined ? 'not an address' : judge(ip, exempt);
}

function judge(ip: Ip, exempt: readonly Network[]): string | undefined {
  if (metadata.some(({ network }) => contains(network, ip))) return 'cloud metadata';
  if (contains(nat64, ip)) return judge({ version: 4, value: ip.value & 0xffffffffn }, exempt);
  // Before the exemptions: an exempted IPv6 network could embed the IPv4 address of a metadata service.
  if (hidesIpv4(ip)) return 'an IPv4 address inside an IPv6 address';
  if (exempt.some((network) => contains(network, ip))) return undefined;
  const special = notPublic.find(({ network }) => contains(network, ip));
  if (special !== undefined) return special.reason;
  // The address may be public, but a service that listens on it may be meant for the local network only.
  if (isOwnAddress(ip)) return 'this server itself';
  return ip.version === 6 && !contains(globalUnicast, ip) ? 'reserved' : undefined;
}

function hidesIpv4(ip: Ip): boolean {
  if (ip.version === 4 || selves.some((network) => contains(network, ip))) return false;
  // ISATAP, RFC 5214: the interface id [02]00:5efe:a.b.c.d under any prefix at all.
  const interfaceId = (ip.value >> 32n) & 0xffffffffn;
  if (interfaceId === 0x00005efen || interfaceId === 0x02005efen) return true;
  return embedding.some((network) => contains(network, ip));
}

/** Is this an address of this machine? */
export function isSelf(text: string): boolean {
  const ip = parseIp(text);
  if (ip === undefined) return false;
  const reason = notPublic.find(({ network }) => contains(network, ip))?.reason;
  return reason === 'loopback' || reason === 'this host' || isOwnAddress(ip);
}
