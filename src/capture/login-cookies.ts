// The caller's cookies: which ones a browser takes for this address, and how they get into the page's context.
import { isIP } from 'node:net';
import type { Protocol } from 'devtools-protocol';
import { getPublicSuffix } from 'tldts-experimental';
import { withoutTrailingDot } from '../kernel/allowed-hosts.ts';
import { invalidParameter, type Problem } from '../kernel/errors.ts';
import { ProtocolError } from './cdp.ts';
import type { Cookie } from './login.ts';
import type { Tab } from './tab.ts';

/** Throws for the first cookie that a browser would not take from this address, or never send to it. */
export function checkCookies(url: string, cookies: readonly Cookie[]): void {
  const { protocol, hostname } = new URL(url);
  const host = withoutTrailingDot(hostname);
  const seen = new Set<string>();
  for (const [at, cookie] of cookies.entries()) {
    const wrong = flawOf(cookie, protocol === 'https:', host);
    if (wrong !== undefined) throw refused(`cookies[${at}]${wrong}`);
    const { name, domain, path = '/' } = cookie;
    const identity = JSON.stringify([name, domain === undefined ? undefined : domainOf(domain), path]);
    if (seen.has(identity)) throw refused(`cookies[${at}] has the name, domain and path of another one.`);
    seen.add(identity);
  }
}

/** What is wrong with the cookie, as the end of a sentence. */
function flawOf({ name, value, domain, path, secure, sameSite }: Cookie, isHttps: boolean, host: string) {
  if (domain !== undefined && !mayBeSetFor(domainOf(domain), host))
    return '.domain must be the host of url or a parent of it that is no public suffix.';
  if (/^[\t ]|[\t ]$/.test(value)) return '.value must not begin or end with a blank.';
  if (secure && !isHttps) return '.secure needs a url with https: the browser does not send it over http.';
  const isSecure = secure ?? isHttps;
  if (sameSite === 'None' && !isSecure) return '.sameSite None needs secure, and a url with https.';
  // Browsers compare these prefixes without regard to case (RFC 6265bis, 4.1.3).
  if (/^__(?:secure|host)-/i.test(name) && !isSecure) return '.name has a prefix that needs secure.';
  if (/^__host-/i.test(name) && (domain !== undefined || (path ?? '/') !== '/'))
    return '.name begins with __Host-, which needs the path / and no domain.';
  return undefined;
}

/** Without the dot that older standards have; undefined if it is no host name. */
const domainOf = (domain: string): string | undefined => {
  const url = URL.parse(`http://${domain.replace(/^\./, '')}/`);
  return url === null ? undefined : withoutTrailingDot(url.hostname);
};

const mayBeSetFor = (domain: string | undefined, host: string): boolean =>
  domain === host || (domain !== undefined && host.endsWith(`.${domain}`) && !isAddress(host) && isShared(domain));

const isAddress = (host: string): boolean => isIP(host.replaceAll(/[[\]]/g, '')) !== 0;

/** May the hosts below it share cookies? A public suffix, such as `com`, `co.uk` or `github.io`, has many sites below it. */
const isShared = (domain: string): boolean => getPublicSuffix(domain, { allowPrivateDomains: true }) !== domain;

const refused = (message: string): Problem => invalidParameter('cookies', message);

/** Sets them in the page's own context, which ends with the render. */
export async function setCookies({ browser, contextId }: Tab, url: string, cookies: readonly Cookie[]): Promise<void> {
  const browserContextId = contextId;
  try {
    await browser.session.send('Storage.setCookies', {
      browserContextId,
      cookies: cookies.map((cookie) => forBrowser(url, cookie)),
    });
  } catch (error) {
    if (error instanceof ProtocolError) throw refusedByBrowser();
    throw error;
  }
  // The browser may drop a cookie without an error.
  const { cookies: set } = await browser.session.send('Storage.getCookies', { browserContextId });
  if (set.length < cookies.length) throw refusedByBrowser();
}

const refusedByBrowser = (): Problem => refused('cookies has one that the browser does not take for this url.');

/** On https a cookie is secure unless the caller says otherwise, so that a redirect to http does not carry it. */
function forBrowser(url: string, cookie: Cookie): Protocol.Network.CookieParam {
  const { name, value, domain, path = '/', secure = url.startsWith('https:'), httpOnly, sameSite } = cookie;
  const shared = domain === undefined ? undefined : domainOf(domain);
  return {
    name,
    value,
    url,
    // Without a domain the cookie is for the host alone, which is all that an address or a public suffix may have.
    ...(shared !== undefined && !isAddress(shared) && isShared(shared) && { domain: `.${shared}` }),
    path,
    secure,
    ...(httpOnly !== undefined && { httpOnly }),
    ...(sameSite !== undefined && { sameSite }),
  };
}
