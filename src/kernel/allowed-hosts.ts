// The hosts a key is limited to: `example.com` is that host, `*.example.com` every one below it.
import { Problem } from './errors.ts';

/** Throws the 403 of a key that may not capture this page. What comes from no host (about:blank) belongs to the page before. */
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
  // Longer than any address that leads to a host by itself; a blob: or data: URL may have megabytes.
  const url = typeof address === 'string' ? URL.parse(address.slice(0, 10_000)) : address;
  // A blob: belongs to the page that made it, and says so in its origin.
  const home = url?.protocol === 'blob:' ? URL.parse(url.pathname) : url;
  const host = home?.protocol === 'http:' || home?.protocol === 'https:' ? home.hostname : '';
  return host === '' ? undefined : host.toLowerCase().replace(/\.$/, '');
}
