// Sends a POST to an address that a caller named, with the same guard as everything a page loads. Each has a connection
// of its own: one that the server is about to close would lose the request, and a POST must not be repeated unasked.
import { Client } from 'undici';
import { Problem } from '../kernel/errors.ts';
import type { PostRequest, PostResult } from './egress-types.ts';
import type { EgressGuard } from './guard.ts';
import { connectionFailure, guardedConnector, Refused } from './guarded-connector.ts';
import { checkTarget } from './target.ts';

export async function post(guard: EgressGuard, request: PostRequest, signal: AbortSignal): Promise<PostResult> {
  let url: URL;
  try {
    url = checkTarget(request.url, guard, 'The address');
  } catch (error) {
    if (error instanceof Problem) return { failure: error.message };
    throw error;
  }
  const client = new Client(url.origin, { connect: guardedConnector(guard), allowH2: false, pipelining: 0 });
  try {
    const { statusCode, body } = await client.request({
      method: 'POST',
      path: url.pathname + url.search,
      headers: { 'user-agent': 'Tintype', ...request.headers },
      body: request.body,
      signal,
    });
    return { status: statusCode, answer: await readStart(body, request.answerBytes) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Refused) return { failure: `The address ${error.message}.` };
    return { failure: `${url.host} could not be reached: ${connectionFailure(error)}.` };
  } finally {
    // Closes the connection, whatever is still to come. It rejects only what nobody waits for any more.
    await client.destroy().catch(() => {});
  }
}

/** The first bytes; fewer if the connection breaks or the time ends, because the status has arrived already. */
async function readStart(body: AsyncIterable<Buffer>, count: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= count) break;
    }
  } catch {}
  return Buffer.concat(chunks).subarray(0, count);
}
