// Parses a target once, by the same rules as the browser, and refuses everything that two parsers could read
// differently.

import { withoutTrailingDot } from '../kernel/allowed-hosts.ts';
import { Problem } from '../kernel/errors.ts';
import type { ResolvedTarget } from './egress-types.ts';
import type { EgressGuard } from './guard.ts';
import { portOf } from './ports.ts';

const maxLength = 4096;

export type Schemes = 'http or https' | 'https';

/** Applies the rules that need no network. Throws target_refused; `parameter` is the one that the text names. */
export function checkTarget(
  text: string,
  guard: EgressGuard,
  parameter = 'url',
  schemes: Schemes = 'http or https',
): URL {
  const refuse = (reason: string) => new Problem('target_refused', { parameter, message: `${parameter} ${reason}.` });

  if (text.length > maxLength) throw refuse(`is longer than ${maxLength} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for; parsers drop some of them silently
  if (/[\u0000-\u001f\u007f]/.test(text)) throw refuse('contains a control character; write it percent-encoded');
  const url = URL.parse(text);
  if (url === null) throw refuse('is not a complete URL with a valid host and port');
  if (url.protocol !== 'https:' && (schemes === 'https' || url.protocol !== 'http:'))
    throw refuse(`must be an ${schemes} URL`);
  // Browsers read a backslash as a slash, other parsers as part of the user name.
  if (/^[^?#]*\\/.test(text)) throw refuse('contains a backslash; write / or %5C');
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/*[^/?#]*@/i.test(text))
    throw refuse('must not contain a user name or password');
  const reason = guard.staticRefusal(url.hostname, portOf(url));
  if (reason !== undefined) throw refuse(reason);
  // One spelling for the cache, for TLS (certificates have no trailing dot) and for servers.
  url.hostname = withoutTrailingDot(url.hostname);
  return url;
}

/** Resolves the name. Every address must be public. Throws target_refused or target_unreachable. */
export async function resolveTarget(url: URL, guard: EgressGuard, signal: AbortSignal): Promise<ResolvedTarget> {
  const decision = await guard.judge(url.hostname, portOf(url), signal);
  if (decision.kind === 'refused')
    throw new Problem('target_refused', { parameter: 'url', message: `url ${decision.reason}.` });
  if (decision.kind === 'failed')
    throw new Problem('target_unreachable', { message: unreachable(url.hostname, decision.reason) });
  return { url, addresses: decision.addresses };
}

const unreachable = (host: string, reason: string): string => `${host} could not be reached: ${reason}.`;
