// Reads the JSON body of a POST, bounded in size, in time and in how many bodies of one account are read at once.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sleep } from '../kernel/deadline.ts';
import { Problem } from '../kernel/errors.ts';
import { createShapeCheck, readJsonObject } from '../kernel/json-body.ts';
import { ownTurn } from '../kernel/own-turn.ts';
import { createHeldBodies } from './held-bodies.ts';
import { Tally } from './tally.ts';

const mostBytes = 4 * 1024 * 1024;
/** Bodies that are being read: an account that sends them slowly holds at most 64 MB. */
const mostAtOnce = 16;
/** A client sends pieces of some kilobytes. Each piece costs time, and 4 MB in single bytes would block the event loop. */
const mostPieces = 20_000;
/** Most bodies are smaller. */
const firstBytes = 64 * 1024;
/** Parsed and validated within a millisecond, however many values it has. */
const smallBytes = 2 * 1024;
/** A body that takes longer is given up. */
const patienceMs = 20_000;

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;
const unknownType = 'application/octet-stream';

/** Bodies are left to the handlers, which read them once the caller is known; a wrong path or method is an error before. */
export function leaveBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  // Fastify refuses a malformed type before the handlers run. They check the key first, and refuse unknown types themselves.
  app.addHook('onRequest', ({ headers }, _reply, next) => {
    const type = headers['content-type'];
    if (type !== undefined && !mediaType.test(type)) headers['content-type'] = unknownType;
    next();
  });
}

/** Registers routes of the dashboard whose handlers read the body themselves. */
export function readingBodies(app: FastifyInstance, register: (scope: FastifyInstance) => void): void {
  app.register(async (scope) => {
    leaveBodies(scope);
    register(scope);
  });
}

const reading = new Tally();
const held = createHeldBodies();

/**
 * Parsing 4 MB takes some 20 ms, and validating 10,000 values 10 ms: each has a turn of the event loop to itself, so that nobody
 * waits for all steps at once, nor for the bodies of several requests. The caller validates in the turn in which this resolves.
 */
export async function readJson(
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: string,
  mostValues?: number,
): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readBody(request, accountId, mostValues);
  hold(reply, accountId, bytes.length);
  if (bytes.length < smallBytes) return readJsonObject(bytes);
  await ownTurn();
  const body = readJsonObject(bytes);
  await ownTurn();
  return body;
}

/** A file, of any type. */
export async function readBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: string,
  most: number,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);
  const bytes = await inTurn(accountId, () => collect(request, () => {}, most));
  hold(reply, accountId, bytes.length);
  return bytes;
}

async function readBody(request: FastifyRequest, accountId: string, mostValues?: number): Promise<Buffer> {
  checkHeaders(request);
  return inTurn(accountId, () => collect(request, createShapeCheck(mostValues), mostBytes));
}

async function inTurn(accountId: string, read: () => Promise<Buffer>): Promise<Buffer> {
  if (reading.of(accountId) >= mostAtOnce)
    throw overloaded(`${mostAtOnce} bodies of this account are being read. Send them faster, or fewer at once.`);
  reading.add(accountId, 1);
  try {
    return await read();
  } finally {
    reading.add(accountId, -1);
  }
}

function hold(reply: FastifyReply, accountId: string, size: number): void {
  reply.raw.once('close', held.hold(accountId, size));
}

const overloaded = (message: string): Problem => new Problem('overloaded', { message, retryAfter: 1 });

function checkHeaders({ headers }: FastifyRequest): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== 'application/json')
    throw new Problem('unsupported_media_type', {
      message: `The body must be application/json${type === '' ? '; the request has no Content-Type' : ''}.`,
    });
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new Problem('unsupported_media_type', { message: 'The body must not be compressed (Content-Encoding).' });
  if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge(mostBytes);
}

const tooLarge = (most: number): Problem =>
  new Problem('body_too_large', { message: `The body has more than ${most / 1024 / 1024} MB.` });

const inPieces = (): Problem =>
  new Problem('invalid_body', { message: `The body came in more than ${mostPieces} pieces. Send larger ones.` });

/** One buffer for all pieces: each has a cost of its own, however small it is. */
function larger(body: Buffer, size: number, most: number): Buffer<ArrayBuffer> {
  const next = Buffer.allocUnsafe(Math.min(most, Math.max(size, 2 * body.length)));
  body.copy(next);
  return next;
}

function collect({ raw }: FastifyRequest, check: (chunk: Buffer) => void, most: number): Promise<Buffer> {
  let body = Buffer.allocUnsafe(firstBytes);
  let size = 0;
  let pieces = 0;
  return new Promise((resolve, reject) => {
    const patience = new AbortController();
    sleep(patienceMs, patience.signal).then(
      () => end(new Problem('invalid_body', { message: `The body did not arrive within ${patienceMs / 1000} s.` })),
      () => {},
    );
    const onData = (chunk: Buffer) => {
      if (size + chunk.length > most) return end(tooLarge(most));
      if (++pieces > mostPieces) return end(inPieces());
      try {
        check(chunk);
      } catch (problem) {
        return end(problem as Problem);
      }
      if (size + chunk.length > body.length) body = larger(body, size + chunk.length, most);
      chunk.copy(body, size);
      size += chunk.length;
    };
    const onEnd = () => end(undefined);
    const onCut = () => end(new Problem('invalid_body', { message: 'The body was cut short.' }));
    const end = (problem: Problem | undefined) => {
      patience.abort();
      raw.off('data', onData).off('end', onEnd).off('close', onCut).off('error', onCut);
      if (problem === undefined) return resolve(body.subarray(0, size));
      // What is still to come is dropped, so that the client can finish and read the error. The server's own time limit ends it.
      raw.resume();
      reject(problem);
    };
    raw.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut);
  });
}
