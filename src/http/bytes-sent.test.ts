import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { countSent } from './bytes-sent.ts';

const mb = 1024 * 1024;

/** Sends these bytes to a client; returns how the client reads them. */
function send(ip: string, bytes: Buffer): () => void {
  const raw = new EventEmitter();
  countSent({ ip, context: {} } as unknown as FastifyRequest, { raw } as unknown as FastifyReply, bytes);
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
