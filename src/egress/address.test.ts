import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contains, parseIp, parseNetwork } from '../kernel/ip.ts';
import { addressRefusal, isSelf, parseExemptions } from './address.ts';

const everything = parseExemptions(['0.0.0.0/0', '::/0']);
const ipv4 = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');

describe('an address is judged as a number', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.255', 'loopback'],
    ['0.0.0.0', 'this host'],
    ['10.1.2.3', 'private network'],
    ['172.16.0.0', 'private network'],
    ['172.31.255.255', 'private network'],
    ['192.168.0.1', 'private network'],
    ['169.254.1.1', 'link-local'],
    ['100.64.0.0', "a provider's internal network"],
    ['100.127.255.255', "a provider's internal network"],
    ['192.0.0.8', 'protocol assignments'],
    ['192.0.2.1', 'documentation'],
    ['198.19.255.255', 'benchmarking'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::1', 'loopback'],
    ['::', 'this host'],
    ['fd12:3456::1', 'private network'],
    ['fe80::1', 'link-local'],
    ['ff02::1', 'multicast'],
    ['2001:db8::1', 'documentation'],
    ['2001:20::1', 'protocol assignments'],
    ['4000::1', 'reserved'],
    ['::ffff:8.8.8.8', 'an IPv4 address inside an IPv6 address'],
    ['2606:4700::5efe:10.0.0.1', 'an IPv4 address inside an IPv6 address'],
    ['2606:4700::200:5efe:808:808', 'an IPv4 address inside an IPv6 address'],
    ['64:ff9b::10.0.0.1', 'private network'],
    ['fe80::1%eth0', 'not an address'],
    ['0177.0.0.1', 'not an address'],
    ['example.com', 'not an address'],
    ['', 'not an address'],
  ])('%s is refused: %s', (address, reason) => {
    expect(addressRefusal(address)).toBe(reason);
  });

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '168.63.129.15',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '2001:200::1',
    '64:ff9b::8.8.8.8',
  ])('%s is public', (address) => {
    expect(addressRefusal(address)).toBeUndefined();
  });

  it('reads every spelling of one IPv6 address as one number', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
        const long = groups.map((group) => group.toString(16).padStart(4, '0')).join(':');
        const short = new URL(`http://[${long}]/`).hostname.slice(1, -1);
        const tail = ipv4((((groups[6] ?? 0) << 16) | (groups[7] ?? 0)) >>> 0);
        const dotted = `${long.split(':').slice(0, 6).join(':')}:${tail}`;
        const values = [long, long.toUpperCase(), short, dotted].map((text) => parseIp(text)?.value);
        expect(new Set(values).size).toBe(1);
      }),
    );
  });

  it('never lets an IPv4 address through in another dress that it would not let through itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (value) => {
        const plain = ipv4(value);
        const isPublic = addressRefusal(plain) === undefined;
        expect(addressRefusal(`64:ff9b::${plain}`) === undefined).toBe(isPublic);
        for (const dress of [`::${plain}`, `::ffff:${plain}`, `::ffff:0:${plain}`, `2606::5efe:${plain}`])
          expect(addressRefusal(dress), dress).toBeDefined();
      }),
    );
  });
});

describe("an operator's exemption", () => {
  it('allows the network it names and no other', () => {
    const exempt = parseExemptions(['10.1.0.0/16', 'fd00:aa::/32', '::1']);
    expect(addressRefusal('10.1.255.255', exempt)).toBeUndefined();
    expect(addressRefusal('10.2.0.0', exempt)).toBe('private network');
    expect(addressRefusal('fd00:aa::1', exempt)).toBeUndefined();
    expect(addressRefusal('fd00:ab::1', exempt)).toBe('private network');
    expect(addressRefusal('::1', exempt)).toBeUndefined();
  });

  it.each([
    '169.254.169.254',
    '169.254.169.253',
    '169.254.170.2',
    '169.254.170.23',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fe80::a9fe:a9fe',
    '64:ff9b::169.254.169.254',
  ])('never covers cloud metadata: %s', (address) => {
    expect(addressRefusal(address, everything)).toBe('cloud metadata');
  });

  it('never covers an IPv4 address inside an IPv6 address, where metadata could hide', () => {
    for (const address of ['::ffff:169.254.169.254', '2002:a9fe:a9fe::', '::169.254.169.254', '64:ff9b:1::a9fe:a9fe'])
      expect(addressRefusal(address, everything), address).toBeDefined();
  });

  it.each(['10.0.0.0/33', '10.0.0/8', 'fd00::/129', 'localhost', '10.0.0.0/8/8', '10.0.0.0/', ''])(
    'that is no network stops the start: "%s"',
    (text) => {
      expect(() => parseExemptions([text])).toThrow(/ALLOW_PRIVATE_TARGETS must list networks/);
    },
  );
});

it('a network contains exactly the addresses that share its prefix', () => {
  const bits = fc.integer({ min: 0, max: 32 });
  const address = fc.integer({ min: 0, max: 0xffffffff });
  fc.assert(
    fc.property(bits, address, address, (length, base, other) => {
      const network = parseNetwork(`${ipv4(base)}/${length}`);
      const ip = parseIp(ipv4(other));
      const size = 2 ** (32 - length);
      const same = Math.floor(base / size) === Math.floor(other / size);
      expect(network && ip && contains(network, ip)).toBe(same);
    }),
  );
});

it('knows the addresses that lead back to the machine itself', () => {
  expect(['127.0.0.1', '127.9.9.9', '0.0.0.0', '::1', '::'].every(isSelf)).toBe(true);
  expect(['10.0.0.1', '8.8.8.8', 'fe80::1', 'nonsense'].some(isSelf)).toBe(false);
});
