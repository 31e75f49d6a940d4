// The origin of a site, and the paths of its pages.
import { invalidParameter, Problem } from '../kernel/errors.ts';

const longestOrigin = 300;
/** A longer path is no page that people link to. */
export const longestPath = 1000;

/** `https://example.com`. Throws 400 unless the text names one https origin that may be fetched. */
export function readOrigin(text: unknown, egress: { check(url: string, parameter: string): URL }): string {
  const expected = 'origin must be the https address of a site without a path, such as https://example.com.';
  if (typeof text !== 'string' || text.length > longestOrigin) throw invalidParameter('origin', expected);
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || url.protocol !== 'https:' || url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw invalidParameter('origin', expected);
  try {
    return egress.check(url.href, 'origin').origin;
  } catch (error) {
    throw error instanceof Problem ? invalidParameter('origin', error.message) : error;
  }
}

const withoutWww = (host: string): string => host.replace(/^www\./, '');

/** The same origin, or the one with or without `www.`: many sites redirect from one to the other. */
export function isSameSite(url: URL, origin: string): boolean {
  const own = new URL(origin);
  return (
    url.protocol === own.protocol && url.port === own.port && withoutWww(url.hostname) === withoutWww(own.hostname)
  );
}

/**
 * The path as it is stored: without query and fragment, dot segments resolved. `raw` begins with a slash. Throws 400 for one
 * that is too long.
 */
export function pagePath(raw: string): string {
  // Generated clients encode the slashes of a parameter.
  const path = URL.parse(`https://site.invalid${raw.replaceAll(/%2f/gi, '/')}`)?.pathname ?? '/';
  if (path.length > longestPath)
    throw invalidParameter('path', `path must be at most ${longestPath} characters, percent-encoded.`);
  return path;
}
