// Fetches one HTML page or text file for the cards of a site, with the same guard as everything a browser loads.
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { Client, type Dispatcher } from 'undici';
import { Problem } from '../kernel/errors.ts';
import type { FetchedPage, PageRequest } from './egress-types.ts';
import type { EgressGuard } from './guard.ts';
import { connectionFailure, guardedConnector, Refused } from './guarded-connector.ts';
import { header, redirectStatuses } from './response.ts';
import { checkTarget } from './target.ts';

/** Not Brotli: its decoder in Node had a hole (CVE-2026-111497, closed in 24.22.1), and these bytes come from strangers. */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
};

export async function fetchPage(guard: EgressGuard, request: PageRequest, signal: AbortSignal): Promise<FetchedPage> {
  let next = request.url;
  for (let hops = 0; ; hops++) {
    let url: URL;
    try {
      url = checkTarget(next, guard, 'The address', 'https');
    } catch (error) {
      if (error instanceof Problem) return { failure: error.message };
      throw error;
    }
    const answer = await get(guard, url, request, signal);
    if (!('location' in answer)) return answer;
    const target = answer.location === undefined ? null : URL.parse(answer.location, url.href);
    if (target === null) return { failure: `${url.host} redirects to nowhere.` };
    if (hops >= request.redirects) return { failure: `${url.host} redirects more than ${request.redirects} times.` };
    if (!request.mayFollow(target)) return { failure: `${url.host} redirects to another site.` };
    next = target.href;
  }
}

/** One request on a connection of its own: pages of one site are fetched minutes apart. */
async function get(
  guard: EgressGuard,
  url: URL,
  request: PageRequest,
  signal: AbortSignal,
): Promise<FetchedPage | { location: string | undefined }> {
  const client = new Client(url.origin, { connect: guardedConnector(guard), allowH2: false, pipelining: 0 });
  try {
    const answer = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: {
        accept: request.types.join(', '),
        'accept-encoding': 'gzip',
        'user-agent': 'Mozilla/5.0 (compatible; Tintype)',
      },
      signal,
    });
    if (redirectStatuses.has(answer.statusCode)) return { location: header(answer, 'location') };
    const type = header(answer, 'content-type') ?? '';
    const page = { status: answer.statusCode, url: url.href, type };
    const isWanted = request.types.includes(type.split(';', 1)[0]?.trim().toLowerCase() ?? '');
    return { ...page, body: isWanted ? await readStart(answer, request.bytes) : Buffer.alloc(0) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Refused) return { failure: `The address ${error.message}.` };
    if (error instanceof Undecodable) return { failure: `${url.host} sent a compressed page that cannot be read.` };
    return { failure: `${url.host} could not be reached: ${connectionFailure(error)}.` };
  } finally {
    // Closes the connection, whatever is still to come. It rejects only what nobody waits for any more.
    await client.destroy().catch(() => {});
  }
}

class Undecodable extends Error {}

/** The first bytes. The part of a page that says what it is about comes first, so a longer page is cut, not refused. */
async function readStart(answer: Dispatcher.ResponseData, count: number): Promise<Buffer> {
  const encoding = (header(answer, 'content-encoding') ?? 'identity').trim().toLowerCase();
  const decoder = encoding === 'identity' ? undefined : decoders[encoding]?.();
  if (encoding !== 'identity' && decoder === undefined) throw new Undecodable();
  const source: Readable = answer.body;
  // The end of a stream that is closed early is an error to `pipeline`, and none to us.
  const body = decoder === undefined ? source : pipeline(source, decoder, () => {});
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= count) break;
    }
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    throw /^Z_/.test(code) ? new Undecodable() : error;
  } finally {
    source.on('error', () => {}).destroy();
  }
  return Buffer.concat(chunks).subarray(0, count);
}
