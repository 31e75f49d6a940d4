// The memory of what is being sent. A client that does not read keeps it there, so the sum is bounded: for one account (or one
// address, where no key is needed) and for all together.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../kernel/errors.ts';

/** Of smaller ones, a client needs thousands of connections to take much memory. */
const largeBytes = 64 * 1024;
const mostOfOne = 256 * 1024 * 1024;
const mostOfAll = 512 * 1024 * 1024;
/** A client that holds no more than this is never refused, whatever others hold: ordinary pictures are smaller. */
const always = 8 * 1024 * 1024;

type Piece = { readonly byteLength: number };

/** Several responses may share the memory of one result: it counts once. */
class Memory {
  readonly #users = new Map<Piece, number>();
  bytes = 0;

  /** One alone may be of any size. */
  hasRoomFor(memory: Piece, most: number): boolean {
    return this.bytes === 0 || this.bytesWith(memory) <= most;
  }

  bytesWith(memory: Piece): number {
    return this.bytes + (this.#users.has(memory) ? 0 : memory.byteLength);
  }

  add(memory: Piece): void {
    const users = this.#users.get(memory) ?? 0;
    if (users === 0) this.bytes += memory.byteLength;
    this.#users.set(memory, users + 1);
  }

  remove(memory: Piece): void {
    const users = this.#users.get(memory) ?? 0;
    if (users > 1) return void this.#users.set(memory, users - 1);
    if (this.#users.delete(memory)) this.bytes -= memory.byteLength;
  }
}

const all = new Memory();
const byClient = new Map<string, Memory>();

/** Counts the bytes until the response is over. Throws 503 if there are too many. */
export function countSent(request: FastifyRequest, reply: FastifyReply, body: unknown): void {
  const piece = memoryOf(body);
  // A response that is closed already would never end to count.
  if (piece === undefined || piece.byteLength < largeBytes || reply.raw.destroyed) return;
  const client = request.context.requester?.account.id ?? request.ip;
  const own = byClient.get(client) ?? new Memory();
  const isLittle = own.bytesWith(piece) <= always;
  if (!isLittle && !(own.hasRoomFor(piece, mostOfOne) && all.hasRoomFor(piece, mostOfAll)))
    throw new Problem('overloaded', {
      message: 'Too many large results are being sent, and not read. Try again shortly.',
      retryAfter: 5,
    });
  byClient.set(client, own);
  for (const memory of [own, all]) memory.add(piece);
  reply.raw.once('close', () => {
    for (const memory of [own, all]) memory.remove(piece);
    if (own.bytes === 0) byClient.delete(client);
  });
}

function memoryOf(body: unknown): Piece | undefined {
  if (Buffer.isBuffer(body)) return body.buffer;
  // Two bytes for a character, as a text that is not Latin takes.
  return typeof body === 'string' ? { byteLength: 2 * body.length } : undefined;
}
