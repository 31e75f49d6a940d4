// The memory of results that are being sent. A client that does not read keeps its result there, so the sum is bounded: for
// one account (or one address, where no key is needed) and for all together.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../kernel/errors.ts';

const largeBytes = 1024 * 1024;
const mostOfOne = 256 * 1024 * 1024;
const mostOfAll = 512 * 1024 * 1024;

/** Several responses may share the memory of one result: it counts once. */
class Memory {
  readonly #users = new Map<ArrayBufferLike, number>();
  bytes = 0;

  hasRoomFor(memory: ArrayBufferLike, most: number): boolean {
    return this.#users.has(memory) || this.bytes + memory.byteLength <= most;
  }

  add(memory: ArrayBufferLike): void {
    const users = this.#users.get(memory) ?? 0;
    if (users === 0) this.bytes += memory.byteLength;
    this.#users.set(memory, users + 1);
  }

  remove(memory: ArrayBufferLike): void {
    const users = this.#users.get(memory) ?? 0;
    if (users > 1) return void this.#users.set(memory, users - 1);
    if (this.#users.delete(memory)) this.bytes -= memory.byteLength;
  }
}

const all = new Memory();
const byClient = new Map<string, Memory>();

/** Counts the bytes until the response is over. Throws 503 if there are too many. */
export function countSent(request: FastifyRequest, reply: FastifyReply, { buffer }: Buffer): void {
  if (buffer.byteLength < largeBytes) return;
  const client = request.context.requester?.account.id ?? request.ip;
  const own = byClient.get(client) ?? new Memory();
  if (!own.hasRoomFor(buffer, mostOfOne) || !all.hasRoomFor(buffer, mostOfAll))
    throw new Problem('overloaded', {
      message: 'Too many large results are being sent, and not read. Try again shortly.',
      retryAfter: 5,
    });
  byClient.set(client, own);
  for (const memory of [own, all]) memory.add(buffer);
  reply.raw.once('close', () => {
    for (const memory of [own, all]) memory.remove(buffer);
    if (own.bytes === 0) byClient.delete(client);
  });
}
