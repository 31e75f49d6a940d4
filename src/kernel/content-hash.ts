import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** Identifies a file by its bytes: SHA-256 in hex. */
export const contentHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Hashed in some milliseconds. */
const pieceBytes = 4 * 1024 * 1024;

/** The same of a result, which may have hundreds of megabytes: others have their turns of the event loop between its pieces. */
export async function resultHash(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + pieceBytes));
  }
  return hash.digest('hex');
}
