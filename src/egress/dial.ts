// Opens a connection to one of the addresses that were checked.
import { connect, type LookupFunction, type Socket } from 'node:net';
import { sleep } from '../kernel/deadline.ts';
import { abortable } from './abortable.ts';

// A host of a page that does not answer must not delay the load until the deadline. The kernel would try for two minutes.
const connectMs = 10_000;
// As long as Chromium waits before it tries the next address of a name.
const attemptMs = 300;

/** A lookup that returns only the checked addresses. */
export const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, callback) => {
    const entries = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all) return callback(null, entries);
    callback(null, entries[0]?.address ?? '', entries[0]?.family);
  };

/** Tries the addresses one after another. Rejects with the socket's error, or the signal's reason. */
export async function dial(
  host: string,
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  const [first = ''] = addresses;
  const many = addresses.length > 1;
  const socket = connect({
    host: many ? host : first,
    port,
    noDelay: true,
    autoSelectFamily: many,
    autoSelectFamilyAttemptTimeout: attemptMs,
    lookup: pinned(addresses),
  });
  const settled = new AbortController();
  try {
    const connected = new Promise<void>((resolve, reject) => socket.once('connect', resolve).on('error', reject));
    const tooLate = sleep(connectMs, settled.signal).then(() => Promise.reject(timedOut()));
    await abortable(Promise.race([connected, tooLate]), signal);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    settled.abort();
  }
}

const timedOut = (): Error => Object.assign(new Error('connect timed out'), { code: 'ETIMEDOUT' });

/** Completes "example.com could not be reached: …". */
export function dialFailure(error: unknown): string {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case 'ECONNREFUSED':
      return 'the connection was refused';
    case 'ETIMEDOUT':
      return 'the connection timed out';
    case 'ECONNRESET':
      return 'the connection was reset';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return 'there is no route to its address';
    default:
      return 'the connection failed';
  }
}
