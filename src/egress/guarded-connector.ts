// Connections of our own HTTP requests: each new one is checked, and only the addresses that were checked are dialled.
import { buildConnector } from 'undici';
import { dialFailure, pinned } from './dial.ts';
import type { EgressGuard } from './guard.ts';

/** The address is not public. The message completes the sentence "url …". */
export class Refused extends Error {}
class Unreachable extends Error {}

export function guardedConnector(guard: EgressGuard): buildConnector.connector {
  const never = new AbortController().signal;
  return (options, callback) => {
    const port = Number(options.port || (options.protocol === 'http:' ? 80 : 443));
    guard.judge(options.hostname, port, never).then(
      (decision) => {
        if (decision.kind === 'refused') return callback(new Refused(decision.reason), null);
        if (decision.kind === 'failed') return callback(new Unreachable(decision.reason), null);
        buildConnector({ allowH2: false, lookup: pinned(decision.addresses), autoSelectFamily: true })(
          options,
          callback,
        );
      },
      (error) => callback(error, null),
    );
  };
}

/** Completes "example.com could not be reached: …". */
export function connectionFailure(error: unknown): string {
  if (error instanceof Unreachable) return error.message;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'the connection timed out';
  // OpenSSL's codes for a bad certificate: DEPTH_ZERO_SELF_SIGNED_CERT, CERT_HAS_EXPIRED, ERR_TLS_CERT_ALTNAME_INVALID…
  return /CERT|TLS|SSL|SIGNATURE/.test(code) ? 'its certificate or TLS connection is not valid' : dialFailure(error);
}
