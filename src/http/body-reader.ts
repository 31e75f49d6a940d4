// Reads the body of a POST, bounded in size, in time and in how many bodies of one account are read at once.
import type { FastifyRequest } from 'fastify';
import { sleep } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';

const mostBytes = 4 * 1024 * 1024;
/** Bodies that are being read: an account that sends them slowly holds at most 64 MB. */
const mostAtOnce = 16;
/** A body that takes longer is given up. */
const patienceMs = 20_000;

const reading = new Map<string, number>();

export async function readBody(request: FastifyRequest, accountId: string): Promise<Buffer> {
  checkHeaders(request);
  const others = reading.get(accountId) ?? 0;
  if (others >= mostAtOnce)
    throw new Problem('overloaded', {
      message: `${mostAtOnce} bodies of this account are being read. Send them faster, or fewer at once.`,
      retryAfter: 1,
    });
  reading.set(accountId, others + 1);
  try {
    return await collect(request);
  } finally {
    const left = (reading.get(accountId) ?? 1) - 1;
    if (left === 0) reading.delete(accountId);
    else reading.set(accountId, left);
  }
}

function checkHeaders({ headers }: FastifyRequest): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== 'application/json')
    throw new Problem('unsupported_media_type', {
      message: `The body must be application/json${type === '' ? '; the request has no Content-Type' : ''}.`,
    });
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new Problem('unsupported_media_type', { message: 'The body must not be compressed (Content-Encoding).' });
  if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge();
}

const tooLarge = (): Problem =>
  new Problem('body_too_large', { message: `The body has more than ${mostBytes / 1024 / 1024} MB.` });

const tooSlow = (): Problem =>
  new Problem('invalid_body', { message: `The body did not arrive within ${patienceMs / 1000} s.` });

async function collect({ raw }: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > mostBytes) reject(tooLarge());
    else chunks.push(chunk);
  };
  const onEnd = () => resolve();
  const onCut = () => reject(new Problem('invalid_body', { message: 'The body was cut short.' }));
  raw.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut);
  const patience = new AbortController();
  try {
    await Promise.race([ended, sleep(patienceMs, patience.signal).then(() => Promise.reject(tooSlow()))]);
    return Buffer.concat(chunks, size);
  } finally {
    patience.abort();
    raw.off('data', onData).off('end', onEnd).off('close', onCut).off('error', onCut);
    // What is still to come is dropped, so that the client can finish and read the error. The server's own time limit ends it.
    raw.on('error', () => {}).resume();
  }
}
