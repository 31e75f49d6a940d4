// `format` by the Accept header, for requests that do not name one: a client that prefers a format over the default gets it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cardFormats, formatNames, formats } from '../kernel/formats.ts';
import type { Endpoint } from '../render/validated-request.ts';
import { addVary } from './compression.ts';

type Choice = { readonly mediaType: string; readonly format: string };

/** The default first. */
const choices: Readonly<Record<Endpoint, readonly Choice[]>> = {
  screenshot: formatNames.map((format) => ({ mediaType: formats[format].mediaType, format })),
  og: cardFormats.map((format) => ({ mediaType: formats[format].mediaType, format })),
  content: [
    { mediaType: 'text/markdown', format: 'markdown' },
    { mediaType: 'text/plain', format: 'text' },
  ],
};

/** Adds the format that the client prefers to parameters without one. Says so to caches. */
export function acceptedFormat(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  isGiven: boolean,
): string | undefined {
  if (isGiven) return undefined;
  addVary(reply, 'Accept');
  return preferred(request.headers.accept, choices[endpoint]);
}

/** Longer headers than browsers send are not parsed. */
const longest = 1000;

function preferred(accept: string | undefined, [standard, ...others]: readonly Choice[]): string | undefined {
  // A browser that opens an address accepts pictures too, but prefers none of them: it gets the default.
  if (accept === undefined || accept === '*/*' || accept.length > longest || accept.includes('text/html'))
    return undefined;
  const qualities = new Map(accept.split(',').map((part) => qualityOf(part)));
  const qualityFor = ({ mediaType }: Choice) =>
    qualities.get(mediaType) ?? qualities.get(`${mediaType.split('/', 1)[0]}/*`) ?? qualities.get('*/*') ?? 0;
  let [best, most] = [undefined as string | undefined, standard ? qualityFor(standard) : 0];
  // Only what is named: a wildcard is no wish for any of them.
  for (const choice of others)
    if (qualities.has(choice.mediaType) && qualityFor(choice) > most)
      [best, most] = [choice.format, qualityFor(choice)];
  return best;
}

function qualityOf(part: string): [mediaType: string, quality: number] {
  const [mediaType = '', ...rest] = part.split(';').map((text) => text.trim().toLowerCase());
  const q = rest.find((text) => text.startsWith('q='));
  const quality = q === undefined ? 1 : Number(q.slice(2));
  return [mediaType, Number.isFinite(quality) ? quality : 0];
}
