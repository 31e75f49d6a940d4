// IP addresses and networks as numbers. Strings cannot be compared safely: 127.0.0.1 has dozens of spellings.
import { isIP } from 'node:net';

export type Ip = { readonly version: 4 | 6; readonly value: bigint };
export type Network = { readonly version: 4 | 6; readonly prefix: bigint; readonly shift: bigint };

const width = { 4: 32, 6: 128 } as const;

/** Only the strict spellings (four decimal parts, RFC 4291) and no zone, although a socket accepts `fe80::1%eth0`. */
export function parseIp(text: string): Ip | undefined {
  if (text.includes('%')) return undefined;
  const version = isIP(text);
  if (version === 4) return { version, value: ipv4Value(text) };
  if (version === 6) return { version, value: ipv6Value(text) };
  return undefined;
}

const ipv4Value = (text: string): bigint =>
  text.split('.').reduce((value, part) => (value << 8n) | BigInt(Number(part)), 0n);

function ipv6Value(text: string): bigint {
  const last = text.slice(text.lastIndexOf(':') + 1);
  if (last.includes('.')) {
    const value = ipv4Value(last);
    text = `${text.slice(0, -last.length)}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
  }
  const [head = '', tail] = text.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = new Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].reduce((value, part) => (value << 16n) | BigInt(`0x${part}`), 0n);
}

/** `10.0.0.0/8`; an address alone is a network of one. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const ip = parseIp(address);
  if (ip === undefined || rest.length > 0) return undefined;
  const length = bits === undefined ? width[ip.version] : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
  if (length < 0 || length > width[ip.version]) return undefined;
  const shift = BigInt(width[ip.version] - length);
  return { version: ip.version, prefix: ip.value >> shift, shift };
}

export const contains = (network: Network, ip: Ip): boolean =>
  network.version === ip.version && ip.value >> network.shift === network.prefix;
