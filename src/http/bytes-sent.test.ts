import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { countSent } from './bytes-sent.ts';

const mb = 1024 * 1024;

/** Sends these bytes to a client; returns how the client reads them. */
function send(ip: string, body: Buffer | string, state = { destroyed: false }): () => void {
  const raw = Object.assign(new EventEmitter(), state);
  countSent({ ip, context: {} } as unknown as FastifyRequest, { raw } as unknown as FastifyReply, body);
  return () => void raw.emit('close');
}

it('results that a client does not read are bounded; the memory of one is counted once', () => {
  const one = Buffer.alloc(100 * mb);
  const others = [Buffer.alloc(100 * mb), Buffer.alloc(100 * mb)] as const;
  const read = Array.from({ length: 50 }, () => send('192.0.2.1', one));
  read.push(send('192.0.2.1', others[0]));
  expect(() => send('192.0.2.1', others[1])).toThrow('Too many large results');
  const elsewhere = send('192.0.2.2', others[1]);
  for (const end of read) end();
  const again = send('192.0.2.1', others[1]);
  for (const end of [elsewhere, again]) end();
});

it('all clients together are bounded, and small results are not counted', () => {
  const read = Array.from({ length: 5 }, (_, i) => send(`192.0.2.${i}`, Buffer.alloc(100 * mb)));
  expect(() => send('192.0.2.9', Buffer.alloc(100 * mb))).toThrow('Too many large results');
  send('192.0.2.9', Buffer.alloc(1000));
  for (const end of read) end();
  send('192.0.2.9', Buffer.alloc(100 * mb))();
});

it('what two clients do not read costs a third none of its ordinary results', () => {
  const read = ['192.0.2.1', '192.0.2.2'].map((ip) => send(ip, Buffer.alloc(256 * mb)));
  const held = [send('192.0.2.3', Buffer.alloc(6 * mb)), send('192.0.2.3', Buffer.alloc(2 * mb))];
  expect(() => send('192.0.2.3', Buffer.alloc(1 * mb))).toThrow('Too many large results');
  for (const end of [...read, ...held]) end();
});

it('texts are counted, too', () => {
  const text = 'x'.repeat(60 * mb);
  const read = [send('192.0.2.1', text), send('192.0.2.1', text)];
  expect(() => send('192.0.2.1', text)).toThrow('Too many large results');
  for (const end of read) end();
});

it('a client that holds nothing gets a result of any size', () => {
  send('192.0.2.1', Buffer.alloc(300 * mb))();
});

it('a response that is closed already is not counted', () => {
  for (let i = 0; i < 10; i++) send('192.0.2.1', Buffer.alloc(100 * mb), { destroyed: true });
  send('192.0.2.1', Buffer.alloc(200 * mb))();
});
