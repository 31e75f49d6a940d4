// A result as JSON: what `response=json` gives, and what jobs keep.
import { signFile } from '../access/signatures.ts';
import { readStoredText } from '../content/stored-text.ts';
import { formatOf, formats } from '../kernel/formats.ts';
import { staleForMs } from './freshness.ts';
import type { Result } from './result.ts';
import type { ValidatedRequest } from './validated-request.ts';

type Dependencies = {
  readonly baseUrl: () => string;
  /** Signs the links to files. */
  readonly serviceSecret: string;
};

export function describeResult(
  result: Result,
  validated: ValidatedRequest,
  dependencies: Dependencies,
): Record<string, unknown> {
  const { renderTime, page, verdict, warnings } = result.meta;
  const { text } = validated;
  const about = {
    renderTime,
    cachedAt: result.cachedAt,
    ...(page !== undefined && { page }),
    ...(verdict !== undefined && { verdict }),
    warnings: [...validated.warnings, ...warnings],
  };
  if (text === undefined) return { ...validated.requested, ...aboutPicture(result, validated, dependencies), ...about };
  const { facts, content } = readStoredText(result.bytes, text.maxChars, text.format);
  const { words, truncated, ...aboutText } = facts;
  return {
    ...validated.requested,
    ...aboutText,
    format: text.format,
    content: content.toString(),
    words,
    truncated,
    ...about,
  };
}

function aboutPicture(
  result: Result,
  validated: ValidatedRequest,
  dependencies: Dependencies,
): Record<string, unknown> {
  const { width, height, pages } = result.meta;
  return {
    imageUrl: result.stored ? fileLink(result, validated, dependencies) : null,
    width,
    height,
    format: formatOf(result.type),
    size: result.bytes.length,
    ...(pages !== undefined && { pages }),
  };
}

/** Whoever has the link sees the page behind the login. */
const loginLinkMs = 60 * 60 * 1000;

/** Valid as long as the result, but not longer than the signed link of the request. */
function fileLink(
  result: Result,
  { requester, hasSecrets }: ValidatedRequest,
  { baseUrl, serviceSecret }: Dependencies,
): string {
  const { extension } = formats[formatOf(result.type)];
  const until = result.stale === undefined ? result.expiresAt : Date.now() + staleForMs;
  const latest = hasSecrets ? Date.now() + loginLinkMs : Number.POSITIVE_INFINITY;
  const expires = Math.floor(Math.min(until, latest, requester.linkExpiresAt ?? Number.POSITIVE_INFINITY) / 1000);
  return baseUrl() + signFile(`/v1/files/${result.key}.${extension}`, expires, serviceSecret);
}
