// A name server of the test's own on loopback: answers A, AAAA and TXT over UDP from a function that may change its mind.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

export type Zone = (name: string, type: 'A' | 'AAAA' | 'TXT') => readonly string[] | 'NXDOMAIN' | 'silence';

export async function startNameServer(zone: Zone): Promise<{ address: string; asked: string[]; stop(): void }> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const { name, end } = readName(query, 12);
    const type = ({ 16: 'TXT', 28: 'AAAA' } as const)[query.readUInt16BE(end)] ?? 'A';
    asked.push(`${name} ${type}`);
    const answer = zone(name, type);
    if (answer === 'silence') return;
    const isAsked = (value: string) => type === 'TXT' || isIPv4(value) === (type === 'A');
    const records = answer === 'NXDOMAIN' ? [] : answer.filter(isAsked);
    const write = type === 'TXT' ? textRecord : record;
    const head = Buffer.alloc(12);
    head.writeUInt16BE(query.readUInt16BE(0), 0);
    head.writeUInt16BE(answer === 'NXDOMAIN' ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...records.map(write)]), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, asked, stop: () => void socket.close() };
}

function readName(query: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** Name by reference to the question, class IN, a life of 0 seconds. */
function record(address: string): Buffer {
  const bytes = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  const head = Buffer.from([0xc0, 12, 0, bytes.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([head, bytes]);
}

/** A text in pieces of at most 100 bytes, as long ones are. */
function textRecord(text: string): Buffer {
  const pieces = text.match(/.{1,100}/g) ?? [''];
  const bytes = Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece, 'latin1')])));
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, bytes.length >> 8, bytes.length & 255]);
  return Buffer.concat([head, bytes]);
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const zeros = new Array<number>(8 - groups(left).length - groups(right).length).fill(0);
  return Buffer.from([...groups(left), ...zeros, ...groups(right)].flatMap((group) => [group >> 8, group & 255]));
}
