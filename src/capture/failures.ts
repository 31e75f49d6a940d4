// Why a page could not be loaded, as the error for the caller.
import type { Outlet } from '../egress/egress-types.ts';
import { Problem } from '../kernel/errors.ts';
import { exhaustedBudget } from './warnings.ts';

// Chromium's error names (net/base/net_error_list.h) and the reasons they stand for.
const reasons: readonly (readonly [RegExp, string])[] = [
  [/NAME_NOT_RESOLVED|NAME_RESOLUTION/, 'its name was not found'],
  [/CONNECTION_REFUSED/, 'the connection was refused'],
  [/CONNECTION_RESET/, 'the connection was reset'],
  [/CONNECTION_TIMED_OUT|TIMED_OUT/, 'the connection timed out'],
  [/EMPTY_RESPONSE|CONNECTION_CLOSED/, 'the connection was closed without an answer'],
  [/ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED/, 'its address is not reachable'],
  [/TUNNEL_CONNECTION_FAILED|PROXY/, 'the connection could not be made'],
  [/TOO_MANY_REDIRECTS/, 'it redirects too many times'],
  [/CERT_DATE_INVALID/, 'its TLS certificate has expired or is not valid yet'],
  [/CERT_COMMON_NAME_INVALID/, 'its TLS certificate is for another name'],
  [/CERT_AUTHORITY_INVALID/, 'its TLS certificate is not from a trusted authority'],
  [/CERT_|SSL|TLS/, 'its TLS connection is broken'],
  [
    /INVALID_RESPONSE|INVALID_HTTP|HTTP2|RESPONSE_HEADERS|CONTENT_DECODING|INCOMPLETE|LENGTH_MISMATCH/,
    'its answer is not valid HTTP',
  ],
  [/UNSAFE_PORT/, 'its port is not allowed'],
];

const describeNetError = (errorText: string): string =>
  reasons.find(([pattern]) => pattern.test(errorText))?.[1] ?? `the browser reports ${errorText.replace('net::', '')}`;

/** The error for a main document that did not load: refused by the guard, not a page, or unreachable. */
export function documentFailure(url: string, errorText: string, outlet: Outlet, onlyHost?: string): Problem {
  const concerns = ({ host }: { host: string }) => onlyHost === undefined || sameHost(host, onlyHost);
  // A certificate was shown, so the page itself was reached; refused was a place that the certificate names, such as its issuer's.
  const refusal = /CERT_/.test(errorText) ? undefined : outlet.refusals.findLast(concerns);
  if (refusal || /UNSAFE_PORT|BLOCKED_BY_LOCAL_NETWORK|BLOCKED_BY_PRIVATE_NETWORK/.test(errorText))
    return new Problem('target_refused', {
      parameter: 'url',
      message: refusal ? `url ${refusal.reason}.` : 'url leads to a port that is not allowed.',
    });
  if (/ERR_ABORTED|ERR_NO_CONTENT/.test(errorText)) return unsupportedContent();
  if (/UNKNOWN_URL_SCHEME|UNSAFE_REDIRECT|DISALLOWED_URL_SCHEME|INVALID_URL/.test(errorText))
    return new Problem('target_refused', {
      parameter: 'url',
      message: 'url redirects to a URL that is not http or https.',
    });
  if (outlet.exhausted !== undefined)
    return new Problem('target_unreachable', {
      parameter: 'url',
      message: `${url} could not be loaded: ${exhaustedBudget(outlet.exhausted)}.`,
    });
  const failure = outlet.failures.findLast(concerns);
  const reason = failure && !/CERT|SSL|REDIRECTS/.test(errorText) ? failure.reason : describeNetError(errorText);
  return new Problem('target_unreachable', { parameter: 'url', message: `${url} could not be reached: ${reason}.` });
}

/** The response began, but the browser could show nothing of it. */
export const brokenDocument = (url: string): Problem =>
  new Problem('target_unreachable', {
    parameter: 'url',
    message: `${url} could not be loaded: the response ended or could not be decoded before any content arrived.`,
  });

export const unsupportedContent = (): Problem =>
  new Problem('unsupported_content', {
    parameter: 'url',
    message:
      'url answers with a download, a PDF or nothing at all; only what a browser shows as a page can be captured.',
  });

const sameHost = (a: string, b: string) =>
  a.replace(/^\[|\]$/g, '').toLowerCase() === b.replace(/^\[|\]$/g, '').toLowerCase();
