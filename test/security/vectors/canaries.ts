// Listeners on every kind of address that is not public. Whoever calls is written down; nobody should ever call.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, isIPv6 } from 'node:net';

export type Contact = {
  readonly address: string;
  readonly port: number;
  readonly kind: 'tcp' | 'udp';
  readonly said: string;
};

export const privateAddresses = [
  '127.0.0.1',
  '::1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  'fd00::1',
];
const tcpPorts = [80, 443, 8080];
// Names, QUIC, STUN and TURN.
const udpPorts = [53, 443, 3478, 19302];

/** Where the machine would ask for names: a question from the browser itself would arrive there. */
export const nameServers = (): string[] => {
  const found = readFileSync('/etc/resolv.conf', 'utf8').matchAll(/^nameserver\s+([\da-f.:]+)\s*$/gim);
  return [...found].map((match) => match[1] ?? '').filter((address) => !privateAddresses.includes(address));
};

export type Canaries = {
  readonly contacts: Contact[];
  readonly count: number;
  prove(): Promise<string[]>;
  stop(): void;
};

export async function startCanaries(): Promise<Canaries> {
  const contacts: Contact[] = [];
  const places = [
    ...privateAddresses.flatMap((address) => tcpPorts.map((port) => ({ address, port, kind: 'tcp' as const }))),
    ...privateAddresses.flatMap((address) => udpPorts.map((port) => ({ address, port, kind: 'udp' as const }))),
    ...nameServers().map((address) => ({ address, port: 53, kind: 'udp' as const })),
  ];
  const stops: (() => void)[] = [];
  for (const place of places) {
    const note = (said: string) => contacts.push({ ...place, said: said.slice(0, 80) });
    if (place.kind === 'tcp') {
      const server = createServer((socket) => {
        note('connected');
        socket.on('error', () => {});
        socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ncanary');
      });
      server.listen(place.port, place.address);
      await once(server, 'listening');
      stops.push(() => server.close());
    } else {
      const socket = createSocket(isIPv6(place.address) ? 'udp6' : 'udp4');
      socket.on('message', (message) => note(message.toString('latin1')));
      socket.bind(place.port, place.address);
      await once(socket, 'listening');
      stops.push(() => socket.close());
    }
  }

  return {
    contacts,
    count: places.length,
    /** The positive control: calls every canary. What it gives back are those that did not notice. */
    async prove() {
      for (const { address, port, kind } of places) {
        if (kind === 'tcp') {
          const socket = connect(port, address).resume();
          await once(socket, 'close');
        } else {
          const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
          await new Promise((sent) => socket.send('control', port, address, sent));
          for (let waited = 0; waited < 100 && !contacts.some((c) => sameplace(c, { address, port, kind })); waited++)
            await new Promise((resolve) => setTimeout(resolve, 10));
          socket.close();
        }
      }
      const deaf = places.filter((place) => !contacts.some((contact) => sameplace(contact, place)));
      contacts.length = 0;
      return deaf.map(({ address, port, kind }) => `${kind} ${address} ${port}`);
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}

type Place = Pick<Contact, 'address' | 'port' | 'kind'>;
const sameplace = (a: Place, b: Place) => a.address === b.address && a.port === b.port && a.kind === b.kind;
