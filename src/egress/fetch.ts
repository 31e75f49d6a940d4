// Fetches the images of cards with the same guard as everything a page loads. Not with the global fetch, which follows
// redirects, decodes bodies (br even unasked, CVE-2026-111497) and resolves names by itself.
import { Agent, type Dispatcher, request } from 'undici';
import { Problem } from '../kernel/errors.ts';
import type { ImageLimits } from './egress-types.ts';
import type { EgressGuard } from './guard.ts';
import { connectionFailure, guardedConnector, Refused } from './guarded-connector.ts';
import { header, redirectStatuses } from './response.ts';
import { checkTarget } from './target.ts';

export interface ImageFetcher {
  fetchImage(url: string, limits: ImageLimits, signal: AbortSignal): Promise<{ bytes: Buffer; type: string }>;
  stop(): Promise<void>;
}

export function createImageFetcher(guard: EgressGuard): ImageFetcher {
  const agent = new Agent({ connect: guardedConnector(guard), allowH2: false, connections: 8 });

  const get = async (url: URL, parameter: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
    try {
      return await request(url, {
        dispatcher: agent,
        headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'Tintype' },
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Refused)
        throw new Problem('target_refused', { parameter, message: `${parameter} ${error.message}.` });
      throw unusable(parameter, url, connectionFailure(error));
    }
  };

  return {
    async fetchImage(text, limits, signal) {
      const parameter = limits.parameter ?? 'url';
      let url = checkTarget(text, guard, parameter, 'https');
      for (let hops = 0; ; hops += 1) {
        const answer = await get(url, parameter, signal);
        if (!redirectStatuses.has(answer.statusCode))
          return await readImage(answer, url, parameter, limits.bytes, signal);
        answer.body.on('error', () => {}).destroy();
        const location = header(answer, 'location');
        const next = location === undefined ? null : URL.parse(location, url.href);
        if (next === null) throw unusable(parameter, url, 'it redirects to nowhere');
        if (hops >= limits.redirects)
          throw unusable(parameter, url, `it redirects more than ${limits.redirects} times`);
        url = checkTarget(next.href, guard, parameter, 'https');
      }
    },
    stop: () => agent.destroy(),
  };
}

async function readImage(
  answer: Dispatcher.ResponseData,
  url: URL,
  parameter: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ bytes: Buffer; type: string }> {
  const fail = (reason: string): Problem => {
    answer.body.on('error', () => {}).destroy();
    return unusable(parameter, url, reason);
  };
  if (answer.statusCode !== 200) throw fail(`the server answered ${answer.statusCode}`);
  const encoding = header(answer, 'content-encoding') ?? 'identity';
  if (encoding !== 'identity') throw fail('the server sent it compressed although it was asked not to');
  const tooLarge = `it is larger than ${Math.floor(maxBytes / 1e6)} MB`;
  if (Number(header(answer, 'content-length') ?? 0) > maxBytes) throw fail(tooLarge);

  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw fail(tooLarge);
      chunks.push(chunk);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof Problem ? error : fail('the connection broke before its end');
  }
  return { bytes: Buffer.concat(chunks), type: header(answer, 'content-type') ?? 'application/octet-stream' };
}

const unusable = (parameter: string, url: URL, reason: string): Problem =>
  new Problem('invalid_parameter', {
    parameter,
    message: `${parameter}: the image at ${url.host} could not be fetched: ${reason}.`,
  });
