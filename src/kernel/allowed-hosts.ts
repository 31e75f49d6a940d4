// The hosts a key is limited to: `example.com` is that host, `*.example.com` all hosts below it.
import { Problem } from './errors.ts';

/** The name without the trailing dot of a fully qualified name. */
export const withoutTrailingDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);

/**
 * Throws 403 if the key may not capture this page. An address without a host (about:blank) belongs to the page before
 * it.
 */
export function checkHost(allowed: readonly string[] | null | undefined, address: string | URL): void {
  const host = allowed ? hostOf(address) : undefined;
  if (!allowed || host === undefined || allowed.some((pattern) => covers(pattern, host))) return;
  throw new Problem('host_not_allowed', {
    parameter: 'url',
    message: `This key may not capture ${host}; it is limited to ${allowed.join(', ')}.`,
  });
}

const covers = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;

function hostOf(address: string | URL): string | undefined {
  // A blob: or data: URL may have megabytes; no address with a host is this long.
  const url = typeof address === 'string' ? URL.parse(address.slice(0, 10_000)) : address;
  // The path of a blob: URL begins with the origin of the page that created it.
  const home = url?.protocol === 'blob:' ? URL.parse(url.pathname) : url;
  const host = home?.protocol === 'http:' || home?.protocol === 'https:' ? home.hostname : '';
  return host === '' ? undefined : withoutTrailingDot(host.toLowerCase());
}
