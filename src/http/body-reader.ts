// Reads the JSON body of a POST, bounded in size, in time and in how many bodies of one account are read at once.
import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { sleep } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { createShapeCheck, readJsonObject } from '../kernel/json-body.ts';

const mostBytes = 4 * 1024 * 1024;
/** Bodies that are being read: an account that sends them slowly holds at most 64 MB. */
const mostAtOnce = 16;
/** Parsed within a millisecond. */
const smallBytes = 64 * 1024;
/** A body that takes longer is given up. */
const patienceMs = 20_000;

const reading = new Map<string, number>();

/** Parsing 4 MB takes some 20 ms: it has a turn of the event loop to itself, so that nobody waits for all steps at once. */
export async function readJson(request: FastifyRequest, accountId: string): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readBody(request, accountId);
  if (bytes.length < smallBytes) return readJsonObject(bytes);
  await setImmediate();
  const body = readJsonObject(bytes);
  await setImmediate();
  return body;
}

async function readBody(request: FastifyRequest, accountId: string): Promise<Buffer> {
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

function collect({ raw }: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const checkShape = createShapeCheck();
  let size = 0;
  return new Promise((resolve, reject) => {
    const patience = new AbortController();
    sleep(patienceMs, patience.signal).then(
      () => end(new Problem('invalid_body', { message: `The body did not arrive within ${patienceMs / 1000} s.` })),
      () => {},
    );
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) return end(tooLarge());
      try {
        checkShape(chunk);
      } catch (problem) {
        return end(problem as Problem);
      }
      chunks.push(chunk);
    };
    const onEnd = () => end(undefined);
    const onCut = () => end(new Problem('invalid_body', { message: 'The body was cut short.' }));
    const end = (problem: Problem | undefined) => {
      patience.abort();
      raw.off('data', onData).off('end', onEnd).off('close', onCut).off('error', onCut);
      if (problem === undefined) return resolve(Buffer.concat(chunks, size));
      // What is still to come is dropped, so that the client can finish and read the error. The server's own time limit ends it.
      raw.resume();
      reject(problem);
    };
    raw.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut);
  });
}
